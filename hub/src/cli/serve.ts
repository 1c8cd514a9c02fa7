// `serve`: runs the hub until a signal, or the end of the process that started it.
import { whenNpmEnds } from '@gatewarden/shared/npm-parent.ts';
import type { Logger } from 'pino';
import type { Hub } from '../app/server.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { describeUnknownVariable, readEnv, unknownVariables } from '../platform/config/env.ts';
import { configureGarbageCollection } from '../platform/garbage-collection.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { fail } from './failure.ts';

/** Runs the hub. Resolves when it is ready; the process ends with a graceful shutdown. */
export async function serve(options: { json?: boolean }): Promise<void> {
  configureGarbageCollection();
  const config = readConfig(readEnv());
  const log = createLog(config.logLevel);
  let hub: Hub | null = null;
  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ event: 'stopping', reason }, 'stopping');
    const drained = (await hub?.stop()) ?? true;
    log.info({ event: 'stopped', drained }, 'stopped');
    process.exit(0);
  };
  const stopFor = (reason: string) => void stop(reason).catch(fail);
  process.on('SIGTERM', () => stopFor('SIGTERM'));
  process.on('SIGINT', () => stopFor('SIGINT'));
  whenNpmEnds(() => stopFor('npm ended'));
  // The end of a parent that speaks IPC is the end of this process.
  process.on('disconnect', () => stopFor('parent ended'));
  // An unhandled rejection is a bug, but no reason to drop every device's connection.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  warnOfSettings(config, log);
  const { startHub } = await import('../app/server.ts');
  hub = await startHub(config, log);
  log.info({ event: 'ready', url: hub.url, port: hub.port }, `ready at ${hub.url}`);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ url: hub.url, port: hub.port })}\n`);
  }
}

function warnOfSettings(config: Config, log: Logger): void {
  for (const name of unknownVariables()) {
    log.warn({ event: 'unknown_variable', name }, describeUnknownVariable(name));
  }
  if (!config.managementApi.isSet) {
    log.info('LLMGATEWAY_MANAGEMENT_API_ENABLED is not set: the management API is off');
  }
  if (config.mcpPkce === 'off') {
    log.warn('MCP_OAUTH_PKCE=off: anyone who intercepts a code can exchange it');
  }
}
