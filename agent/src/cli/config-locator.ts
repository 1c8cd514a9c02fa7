// Locates the configuration and the data folder by the options of the command line. Loads nothing else: the service
// starts here.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AgentConfig, configCandidates, loadConfig } from '../config/agent-config.ts';
import { defaultDataDir } from '../config/data-dir.ts';

export interface GlobalOptions {
  config?: string;
  dataDir?: string;
  json?: boolean;
  quiet?: boolean;
}

/**
 * Reads the configuration; throws a `PlainError` where it is invalid. `anybody`: a configuration that this account
 * may not read counts as missing; the folder of the account's own agent is used then, or else the machine's.
 */
export function locate(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  { anybody = false }: { anybody?: boolean } = {},
): { config: AgentConfig; dataDir: string } {
  const hinted = options.dataDir === undefined ? null : resolve(options.dataDir);
  const config = loadConfig(
    configCandidates({
      config: options.config,
      dataDir: hinted ?? defaultDataDir(env),
      platform: process.platform,
      env,
    }),
    { passOver: anybody },
  );
  const own = defaultDataDir(env);
  // A user without an own agent queries the machine's agent. Only administrators may read its configuration.
  const isMachines = anybody && config.file === null && !existsSync(own);
  const usual = isMachines ? defaultDataDir(env, process.platform, 'machine') : own;
  return { config, dataDir: hinted ?? resolve(config.dataDir ?? usual) };
}
