// Options of the service, as the command `run` passes them.
import type { AgentConfig, BackendConfig } from '../config/agent-config.ts';
import type { TokenPlace } from '../config/token-store.ts';
import type { Log } from '../runtime/log.ts';

export interface ServiceOptions {
  config: AgentConfig & { backend: BackendConfig };
  dataDir: string;
  tokens: TokenPlace;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Starts the orderly stop of this process. */
  requestStop: () => void;
  /** True where the store showed damage before. */
  suspect?: boolean;
  /** Path of the store's copy from before a newer version took over. */
  storeBefore?: string | null;
}
