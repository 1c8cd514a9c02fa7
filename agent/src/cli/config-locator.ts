// Where the configuration and the data folder are, by the hints of the command line. Loads nothing else: the service starts here.
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
 * Reads the configuration; throws one clear line where it is wrong. `anybody`: one that is not this account's to read is
 * passed over, as if there were none; then their own agent's folder is meant, or the machine's where they have none.
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
      environment: env.GATEWARDEN_AGENT_CONFIG,
      dataDir: hinted ?? defaultDataDir(env),
      platform: process.platform,
      programData: env.ProgramData,
    }),
    { passOver: anybody },
  );
  const own = defaultDataDir(env);
  // Who runs no agent of their own asks the machine's, whose configuration they may not read.
  const isMachines = anybody && config.file === null && !existsSync(own);
  const usual = isMachines ? defaultDataDir(env, process.platform, true) : own;
  return { config, dataDir: hinted ?? resolve(config.dataDir ?? usual) };
}
