// Where the configuration and the data folder are, by the hints of the command line. Loads nothing else: the service starts here.
import { resolve } from 'node:path';
import { defaultDataDir } from '../config/data-dir.ts';
import { type AgentConfig, configCandidates, loadConfig } from '../config/toml.ts';

export interface GlobalOptions {
  config?: string;
  dataDir?: string;
  json?: boolean;
}

/** Reads the configuration; throws one clear line where it is wrong. */
export function locate(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
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
  );
  return { config, dataDir: hinted ?? resolve(config.dataDir ?? defaultDataDir(env)) };
}
