// Composes platform and features into one running hub: foundation, platform services, services of features, routes.
// A part that was opened is closed in reverse order.

import type { Logger } from 'pino';
import { selectRequest } from '../features/devices/access-requests/index.ts';
import { selectSentAlerts } from '../features/devices/alerts/index.ts';
import { startDriftMonitor } from '../features/devices/drift/index.ts';
import { createSightings } from '../features/devices/enrollment/index.ts';
import { groupsOf } from '../features/devices/groups/index.ts';
import { countFleet } from '../features/devices/inventory/index.ts';
import { createProductCounts } from '../features/devices/products/index.ts';
import { createSnapshots, readSnapshot } from '../features/devices/sync/index.ts';
import { createBudgetAlerts, selectNotice } from '../features/logs/budgets/index.ts';
import { createReadMarks, selectLaggingKeys } from '../features/logs/export-keys/index.ts';
import { createRowStoring, maintainLogs } from '../features/logs/retention/index.ts';
import { createKeyUses } from '../features/management/keys/index.ts';
import { createCallLog } from '../features/mcp/calls/index.ts';
import type { StreamTimings } from '../features/mcp/sessions/index.ts';
import {
  createChannelSecrets,
  startNotificationService,
} from '../features/notifications/channels/index.ts';
import { createAuditCheckpoints } from '../platform/audit-checkpoints.ts';
import type { Config } from '../platform/config/config.ts';
import { type Context, openContext } from '../platform/context.ts';
import { databaseTime } from '../platform/db/database.ts';
import { rejectUnsafeDurability } from '../platform/db/durability.ts';
import { ensureSchema } from '../platform/db/migrate.ts';
import { maintainPartitions } from '../platform/db/partitions.ts';
import { findRowSecurityGap, ROW_SECURITY_GAPS } from '../platform/db/row-security.ts';
import { startNotifications } from '../platform/feed/notifications.ts';
import { createPageEvents } from '../platform/feed/page-events.ts';
import { createFastPath } from '../platform/http/limits/fast-path.ts';
import { createLoadGauge, type LoadGauge } from '../platform/http/limits/load-gauge.ts';
import { createOutbound } from '../platform/http/outbound/outbound.ts';
import { type App, createApp } from '../platform/http/server/app.ts';
import { createEventStreams } from '../platform/http/server/event-streams.ts';
import { listen } from '../platform/http/server/listener.ts';
import { readLastProof, storeOrigin } from '../platform/installation.ts';
import { startJobs } from '../platform/jobs/jobs.ts';
import { joinPeers } from '../platform/peers.ts';
import { createMetrics, type Metrics } from '../platform/telemetry/metrics.ts';
import type { Tracing } from '../platform/telemetry/tracing.ts';
import { wholeDocument } from './api-reference.ts';
import { type BodyBudgets, createBodyBudgets } from './body-budgets.ts';
import { type Closers, createClosers } from './closers.ts';
import { openKeyEndings } from './issued-keys.ts';
import { announceLogs, appAlertSources, openAppAlerts } from './logs.ts';
import { createMcpGateway } from './mcp-gateway.ts';
import { readiness } from './readiness.ts';
import { activityRetention, serveRoutes } from './routes.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { HUB_VERSION } from './version.ts';

export interface Hub {
  url: string;
  port: number;
  /** The OpenAPI document of every route: console, device and operator. */
  openApi(): object;
  /** Drains and closes everything in order. Gives false where requests had to be cut. */
  stop(): Promise<boolean>;
}

/** Collectors of the log export that the metrics show: those with the largest lag. */
const COLLECTORS_SHOWN = 200;

export interface HubOptions {
  /** Validates each answer against its schema; for tests. */
  checkAnswers?: boolean;
  mcpTimings?: StreamTimings;
}

/** Starts a hub; when the promise resolves the hub is ready. Throws ConfigError with one clear line. */
export async function startHub(
  config: Config,
  log: Logger,
  options: HubOptions = {},
): Promise<Hub> {
  const closers = createClosers();
  try {
    const foundation = await openFoundation(config, log, closers);
    const platform = await openPlatform(foundation, closers);
    const services = await openServices(foundation, platform, options.mcpTimings, closers);
    const { db } = foundation.context.database;
    await platform.jobs.schedule(scheduledJobs(db, services));
    const stopping = new AbortController();
    const app = await openApplication(foundation, platform, services, {
      ...options,
      stopping: stopping.signal,
    });
    closers.add(() => app.close());
    const { listener, origin } = foundation;
    listener.serve();
    return {
      url: origin,
      port: listener.port,
      openApi: () => wholeDocument(app),
      async stop() {
        stopping.abort();
        platform.streams.stop();
        services.mcpGateway.stop();
        const drained = await listener.drain(config.shutdownGraceMs);
        await closers.closeAll();
        return drained;
      },
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

type Foundation = Awaited<ReturnType<typeof openFoundation>>;
type Platform = Awaited<ReturnType<typeof openPlatform>>;
type Services = Awaited<ReturnType<typeof openServices>>;

/** Opens the listener, tracing and the database, and brings the schema up to date. */
async function openFoundation(config: Config, log: Logger, closers: Closers) {
  const listener = await listen(config.host, config.port);
  closers.add(async () => {
    if (listener.server.listening) await listener.drain(0);
  });
  const tracing = await openTracing(config, log);
  if (tracing !== null) closers.add(() => tracing.stop());
  const context = await openContext(config, log);
  closers.add(() => context.close());
  await prepareDatabase(context, config, log);
  const secrets = await context.loadSecrets();
  await rejectUnsafeDurability(context.database.pool);
  const origin = config.baseUrl ?? `http://${displayHost(config.host)}:${listener.port}`;
  const { db } = context.database;
  if (config.login === null) await storeOrigin(db, origin);
  const today = await databaseTime(db);
  await maintainPartitions(db, activityRetention, today);
  await maintainLogs(db, today);
  return { config, log, listener, tracing, context, secrets, origin };
}

/** Migrates the schema and turns on row security. Logs a warning where the database lacks a feature. */
async function prepareDatabase(
  { database }: Context,
  { migrate }: Config,
  log: Logger,
): Promise<void> {
  const { fault, lack: folding } = await ensureSchema(database.db, migrate);
  const gap = await findRowSecurityGap(database.db);
  if (gap === 'none') database.enableRowSecurity();
  else log.warn({ lack: gap }, `row security is off: ${ROW_SECURITY_GAPS[gap]}`);
  for (const warning of [fault, folding]) {
    if (warning !== null) log.warn({ event: 'database' }, warning);
  }
}

/** Opens the platform's services that outlive a request: notifications, jobs, metrics, page events, outbound requests. */
async function openPlatform(foundation: Foundation, closers: Closers) {
  const { config, log, context, listener, origin, secrets } = foundation;
  const { db } = context.database;
  const notifications = await startNotifications({
    connection: context.database.connection,
    log,
    revive: () => context.revive(),
  });
  closers.add(() => notifications.stop());
  const bodies = createBodyBudgets();
  const load = createLoadGauge(config.pollSecondsMax);
  closers.add(async () => load.stop());
  const metrics = openMetrics(context, bodies, load);
  const pages = createPageEvents(db, log);
  closers.add(() => pages.stop());
  const streams = createEventStreams(notifications, metrics, { tenantMax: config.tenantStreams });
  const outbound = createOutbound({
    allowed: config.allowedPrivateNetworks,
    own: { port: listener.port, origin },
  });
  closers.add(() => outbound.close());
  const peers = await joinPeers(db, config, secrets.auditKey, log);
  closers.add(() => peers.leave());
  const jobs = await startJobs(context.database, notifications, log);
  closers.add(() => jobs.stop());
  return { notifications, bodies, load, metrics, pages, streams, outbound, peers, jobs };
}

function openMetrics(context: Context, bodies: BodyBudgets, load: LoadGauge): Metrics {
  const { pool, tenantPool } = context.database;
  return createMetrics(HUB_VERSION, {
    counter: context.counter,
    pools: [pool, tenantPool],
    bodyBytes: bodies.used,
    utilization: load.utilization,
    freeBytes: context.databaseFreeBytes,
    collectors: async () =>
      (await selectLaggingKeys(pool, COLLECTORS_SHOWN)).map((item) => ({
        ...item,
        key: item.fingerprint,
      })),
    lastProof: () => readLastProof(pool),
    devices: () => countFleet(pool),
  });
}

/** Opens the services of the features. */
async function openServices(
  foundation: Foundation,
  platform: Platform,
  mcpTimings: StreamTimings | undefined,
  closers: Closers,
) {
  const { context, log, secrets } = foundation;
  const { db } = context.database;
  const { notifications, pages } = platform;
  const sightings = createSightings(db, log, (tenantId) => pages.announce(tenantId, 'devices'));
  closers.add(() => sightings.stop());
  const snapshots = createSnapshots(
    (tenantId, before) => readSnapshot(db, tenantId, before),
    notifications,
  );
  const inventory = await openInventory(foundation, platform);
  closers.add(inventory.stop);
  const auditCheckpoints = createAuditCheckpoints(db, secrets.auditKey, (head) =>
    log.info(head, 'audit trail has a checkpoint'),
  );
  const mcp = openMcp(foundation, platform, mcpTimings, closers);
  const keyUses = createKeyUses(db, log);
  closers.add(() => keyUses.stop());
  const readMarks = createReadMarks(db, log);
  closers.add(() => readMarks.stop());
  return {
    sightings,
    snapshots,
    ...inventory,
    auditCheckpoints,
    ...mcp,
    keyUses,
    readMarks,
    ...(await openNotificationServices(foundation, platform)),
  };
}

async function openInventory({ context, log }: Foundation, platform: Platform) {
  const { db } = context.database;
  const { notifications, jobs, pages } = platform;
  const reportError = (err: unknown) => log.error({ err }, 'approvals could not be suspended');
  const driftMonitor = await startDriftMonitor({ db, notifications, reportError }, jobs);
  const productCounts = createProductCounts(db, {
    recounted: (tenantId) => pages.announce(tenantId, 'applications'),
    complain: (err) => log.warn({ err }, 'products could not be counted'),
  });
  const stop = async () => {
    driftMonitor.stop();
    await productCounts.stop();
  };
  return { driftMonitor, productCounts, stop };
}

function openMcp(
  { context, log, origin }: Foundation,
  { outbound, notifications, metrics, pages }: Platform,
  timings: StreamTimings | undefined,
  closers: Closers,
) {
  const { db } = context.database;
  const mcpGateway = createMcpGateway(
    { db, sealer: context.sealer, outbound, origin, timings },
    log,
    notifications,
    (streams) => metrics.mcpStreams.set(streams),
  );
  closers.add(async () => mcpGateway.stop());
  closers.add(() => mcpGateway.tokenCheck.stop());
  const callLog = createCallLog({
    db,
    transact: createRowStoring(context.database, context.counter),
    log,
    lost: (rows) => metrics.toolCallsLost.inc(rows),
    onStored: (rows) => announceLogs(pages, 'tool-calls', rows),
  });
  closers.add(() => callLog.stop());
  return { mcpGateway, callLog };
}

async function openNotificationServices(
  { config, context, log, origin }: Foundation,
  { metrics, pages, peers, outbound, jobs }: Platform,
) {
  const { db } = context.database;
  const { mail } = config;
  const notificationService = await startNotificationService(
    {
      ...{ db, log, metrics, pages, origin, peers, outbound, mail },
      secrets: createChannelSecrets(context.sealer),
      groupsOf,
      selectAlerts: selectSentAlerts,
      selectRequest,
      selectBudgetNotice: selectNotice,
      ...appAlertSources(db, context.sealer),
    },
    jobs,
  );
  const appAlerts = openAppAlerts(db, log, notificationService);
  const budgetAlerts = createBudgetAlerts({
    ...{ db, log, notifyChannels: notificationService.notifyOfBudget },
  });
  const keyExpiry = await openKeyEndings({ db, log, config, origin }, jobs);
  return { notificationService, appAlerts, budgetAlerts, keyExpiry };
}

/** Creates the application with all routes, and sets the listener's fast path. */
async function openApplication(
  foundation: Foundation,
  platform: Platform,
  services: Services,
  options: HubOptions & { stopping: AbortSignal },
): Promise<App> {
  const { config, log, listener, tracing, context, secrets, origin } = foundation;
  const { metrics, bodies, notifications } = platform;
  const app = await createApp({
    log,
    metrics,
    version: HUB_VERSION,
    origin,
    trustedProxies: config.trustedProxies,
    attach: listener.attach,
    bodyBudgets: bodies,
    ...options,
  });
  tracing?.follow(app);
  const fastRoute = await serveRoutes(app, {
    ...platform,
    ...services,
    ...secrets,
    ...context,
    config,
    origin,
    log,
    localUrl: listener.localUrl,
    bodyBudget: bodies.sync,
    stopping: options.stopping,
    readiness: () => readiness(context, notifications),
  });
  await app.ready();
  // Requests of the fast path bypass the application, whose hooks create the spans of a trace.
  if (tracing === null) listener.setFastPath(createFastPath(fastRoute, { metrics, log, origin }));
  return app;
}

/** Starts tracing if it is configured. Its libraries are loaded only then. */
async function openTracing({ tracing }: Config, log: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import('../platform/telemetry/tracing.ts');
  return startTracing(tracing, HUB_VERSION, log);
}

function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
