// The hub's HTTP application without a listening port, for commands that use its routes.
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { HUB_VERSION } from '../app/version.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { type App, createApp } from '../platform/http/server/app.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';

/** Returns an application that serves this process only. */
export function createLocalApp(
  { config, log }: { config: Config; log: Logger },
  { database, counter }: Context,
): Promise<App> {
  return createApp({
    origin: config.baseUrl ?? `http://${config.host}:${config.port}`,
    log,
    metrics: createMetrics(HUB_VERSION, {
      counter,
      pools: [database.pool, database.tenantPool],
      bodyBytes: () => 0,
      utilization: () => 0,
    }),
    version: HUB_VERSION,
    attach: (handler) => createServer(handler),
    bodyBudgets: null,
  });
}
