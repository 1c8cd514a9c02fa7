// Composes platform and features into one running hub. Its rules are those of the features.

import type { Logger } from 'pino';
import { selectRequest } from '../features/devices/access-requests/index.ts';
import { selectSentAlerts } from '../features/devices/alerts/index.ts';
import {
  type DriftHolds,
  reconcileApprovals,
  startDriftHolds,
} from '../features/devices/drift/index.ts';
import { createSightings } from '../features/devices/enrollment/index.ts';
import { followRules, groupsOf } from '../features/devices/groups/index.ts';
import { deleteOldBatches, eraseOutOfScope } from '../features/devices/ingest/index.ts';
import {
  classifyDriftCapability,
  countFleet,
  resolveNameConflicts,
  SEARCHED_DEVICES,
  SEARCHED_PRODUCTS,
  touchLastSeen,
} from '../features/devices/inventory/index.ts';
import {
  type AlertRouting,
  createRouteSecrets,
  startAlertRouting,
} from '../features/devices/notification-channels/index.ts';
import { applyTimedDecisions } from '../features/devices/overrides/index.ts';
import { SEARCHED_PROCESSES } from '../features/devices/processes/index.ts';
import {
  coverMissedApplications,
  createProductCounts,
  groupProducts,
  recountAllProducts,
  SEARCHED_INVENTORY_PRODUCTS,
  sightProductsAgain,
} from '../features/devices/products/index.ts';
import { advanceRollouts } from '../features/devices/rollouts/index.ts';
import { createSnapshots, pruneTombstones, readSnapshot } from '../features/devices/sync/index.ts';
import { countDays } from '../features/devices/trends/index.ts';
import { type AppAlerts, startAppAlerts } from '../features/logs/app-alerts/index.ts';
import { createReadMarks, selectLaggingKeys } from '../features/logs/export-keys/index.ts';
import { createRowStoring, maintainLogs } from '../features/logs/retention/index.ts';
import { SEARCHED_APPS } from '../features/management/apps/index.ts';
import { createKeyUses } from '../features/management/keys/index.ts';
import { tidyOperations } from '../features/management/operations/index.ts';
import { deleteOldApprovals } from '../features/mcp/call-approvals/index.ts';
import { createCallLog } from '../features/mcp/calls/index.ts';
import { deleteOldOAuth } from '../features/mcp/oauth/index.ts';
import { gatewayJobs, type StreamTimings } from '../features/mcp/sessions/index.ts';
import { deleteOldStarts } from '../features/mcp/upstream-auth/index.ts';
import { deleteOldDeliveries } from '../features/nodes/configuration/index.ts';
import { deleteExpired, SEARCHED_MEMBERS } from '../features/people/identity/index.ts';
import type { KeyExpiryNotices } from '../features/people/key-expiry/index.ts';
import { type AuditCheckpoints, createAuditCheckpoints } from '../platform/audit-checkpoints.ts';
import type { Config } from '../platform/config/config.ts';
import { type Context, openContext } from '../platform/context.ts';
import { databaseTime } from '../platform/db/database.ts';
import { rejectUnsafeDurability } from '../platform/db/durability.ts';
import { ensureSchema } from '../platform/db/migrate.ts';
import { maintainPartitions } from '../platform/db/partitions.ts';
import { findRowSecurityGap, ROW_SECURITY_GAPS } from '../platform/db/row-security.ts';
import { indexSearches } from '../platform/db/search-index.ts';
import { type Notifications, startNotifications } from '../platform/feed/notifications.ts';
import { createPageEvents, type PageEvents } from '../platform/feed/page-events.ts';
import { createFastPath } from '../platform/http/limits/fast-path.ts';
import { createLoadGauge } from '../platform/http/limits/load-gauge.ts';
import { createOutbound } from '../platform/http/outbound/outbound.ts';
import { createApp } from '../platform/http/server/app.ts';
import { createEventStreams } from '../platform/http/server/event-streams.ts';
import { listen } from '../platform/http/server/listener.ts';
import { readLastProof, storeOrigin } from '../platform/installation.ts';
import { type Jobs, type ScheduledJob, startJobs } from '../platform/jobs/jobs.ts';
import { joinPeers } from '../platform/peers.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import type { Tracing } from '../platform/telemetry/tracing.ts';
import { wholeDocument } from './api-reference.ts';
import { createBodyBudgets } from './body-budgets.ts';
import { openKeyEndings } from './issued-keys.ts';
import { alertingSources, announceLogs } from './logs.ts';
import { createMcpGateway } from './mcp-gateway.ts';
import { readiness } from './readiness.ts';
import { activityRetention, serveRoutes } from './routes.ts';
import { HUB_VERSION } from './version.ts';

export interface Hub {
  url: string;
  port: number;
  /** The OpenAPI document of every route: console, device and operator. */
  openApi(): object;
  /** Drains and closes everything in order. Gives false where requests had to be cut. */
  stop(): Promise<boolean>;
}

/** The furthest behind, where there are more. */
const COLLECTORS_SHOWN = 200;

/** Starts a hub; when it resolves the hub is ready. Throws ConfigError in one clear line. */
export async function startHub(
  config: Config,
  log: Logger,
  options: { checkAnswers?: boolean; mcpTimings?: StreamTimings } = {},
): Promise<Hub> {
  // Each part that was opened is closed in reverse order, by a failed start as by a stop.
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
    closers.length = 0;
  };
  try {
    const listener = await listen(config.host, config.port);
    closers.push(async () => {
      if (listener.server.listening) await listener.drain(0);
    });
    const tracing = await openTracing(config, log);
    if (tracing !== null) closers.push(() => tracing.stop());
    const context = await openContext(config, log);
    closers.push(() => context.close());
    const { fault, lack: folding } = await ensureSchema(context.database.db, config.migrate);
    const lack = await findRowSecurityGap(context.database.db);
    if (lack === 'none') context.database.enableRowSecurity();
    else log.warn({ lack }, `row security does not stand: ${ROW_SECURITY_GAPS[lack]}`);
    for (const told of [fault, folding]) if (told !== null) log.warn({ event: 'database' }, told);
    const facts = await context.loadSecrets();
    await rejectUnsafeDurability(context.database.pool);
    const origin = config.baseUrl ?? `http://${displayHost(config.host)}:${listener.port}`;
    if (config.login === null) await storeOrigin(context.database.db, origin);
    const today = await databaseTime(context.database.db);
    await maintainPartitions(context.database.db, activityRetention, today);
    await maintainLogs(context.database.db, today);

    const notifications = await startNotifications({
      connection: context.database.connection,
      log,
      revive: () => context.revive(),
    });
    closers.push(() => notifications.stop());
    const bodies = createBodyBudgets();
    const load = createLoadGauge(config.pollSecondsMax);
    closers.push(async () => load.stop());
    const metrics = createMetrics(HUB_VERSION, {
      counter: context.counter,
      pools: [context.database.pool, context.database.tenantPool],
      bodyBytes: bodies.used,
      utilization: load.utilization,
      freeBytes: context.databaseFreeBytes,
      collectors: async () =>
        (await selectLaggingKeys(context.database.pool, COLLECTORS_SHOWN)).map((item) => ({
          ...item,
          key: item.fingerprint,
        })),
      lastProof: () => readLastProof(context.database.pool),
      devices: () => countFleet(context.database.pool),
    });
    const pages = createPageEvents(context.database.db, log);
    closers.push(() => pages.stop());
    const sightings = createSightings(context.database.db, log, (tenantId) =>
      pages.announce(tenantId, 'devices'),
    );
    closers.push(() => sightings.stop());
    const streams = createEventStreams(notifications, metrics, {
      tenantMax: config.tenantStreams,
    });
    const outbound = createOutbound({
      allowed: config.allowedPrivateNetworks,
      own: { port: listener.port, origin },
    });
    closers.push(() => outbound.close());
    const peers = await joinPeers(context.database.db, config, facts.auditKey, log);
    closers.push(() => peers.leave());
    const jobs = await startJobs(context.database, notifications, log);
    closers.push(() => jobs.stop());
    const alertRouting = await startAlertRouting(
      {
        db: context.database.db,
        log,
        metrics,
        pages,
        origin,
        peers,
        secrets: createRouteSecrets(context.sealer),
        outbound,
        mail: config.mail,
        groupsOf,
        selectAlerts: selectSentAlerts,
        selectRequest,
      },
      jobs,
    );
    const snapshots = createSnapshots(
      (tenantId, before) => readSnapshot(context.database.db, tenantId, before),
      notifications,
    );
    const inventory = await startInventory(context, { notifications, jobs, pages, log });
    closers.push(inventory.stop);
    const stopping = new AbortController();
    const auditCheckpoints = createAuditCheckpoints(context.database.db, facts.auditKey, (head) =>
      log.info(head, 'audit trail has a checkpoint'),
    );
    const { mcpTimings: timings } = options;
    const mcpGateway = createMcpGateway(
      { db: context.database.db, sealer: context.sealer, outbound, origin, timings },
      log,
      notifications,
      (streams) => metrics.mcpStreams.set(streams),
    );
    closers.push(async () => mcpGateway.stop());
    closers.push(() => mcpGateway.tokenCheck.stop());
    const callLog = createCallLog({
      db: context.database.db,
      transact: createRowStoring(context.database, context.counter),
      log,
      lost: (rows) => metrics.toolCallsLost.inc(rows),
      onStored: (rows) => announceLogs(pages, 'tool-calls', rows),
    });
    closers.push(() => callLog.stop());
    const keyUses = createKeyUses(context.database.db, log);
    closers.push(() => keyUses.stop());
    const readMarks = createReadMarks(context.database.db, log);
    closers.push(() => readMarks.stop());
    const appAlerts = await startAppAlerts(
      {
        db: context.database.db,
        log,
        metrics,
        outbound,
        mail: config.mail,
        peers,
        ...alertingSources(context.database.db, context.sealer),
      },
      jobs,
    );
    const keyEndings = await openKeyEndings({ db: context.database.db, log, config, origin }, jobs);
    await jobs.schedule(
      scheduledJobs(context, {
        ...inventory,
        alertRouting,
        appAlerts,
        keyEndings,
        auditCheckpoints,
      }),
    );

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
    const quick = await serveRoutes(app, {
      config,
      origin,
      localUrl: listener.localUrl,
      database: context.database,
      databaseFreeBytes: context.databaseFreeBytes,
      pipelined: context.pipelined,
      counter: context.counter,
      readMarks,
      sealer: context.sealer,
      ...facts,
      notifications,
      metrics,
      pages,
      sightings,
      streams,
      bodyBudget: bodies.sync,
      load,
      outbound,
      peers,
      alertRouting,
      snapshots,
      ...inventory,
      keyUses,
      auditCheckpoints,
      mcpGateway,
      callLog,
      stopping: stopping.signal,
      log,
      readiness: () => readiness(context, notifications),
    });
    await app.ready();
    closers.push(() => app.close());
    // A trace tells of each request, by what the application says of it.
    if (tracing === null) listener.setFastPath(createFastPath(quick, { metrics, log, origin }));
    listener.serve();

    return {
      url: origin,
      port: listener.port,
      openApi: () => wholeDocument(app),
      async stop() {
        stopping.abort();
        streams.stop();
        mcpGateway.stop();
        const drained = await listener.drain(config.shutdownGraceMs);
        await close();
        return drained;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startInventory(
  { database: { db } }: Context,
  deps: {
    notifications: Notifications;
    jobs: Jobs;
    pages: PageEvents;
    log: Logger;
  },
) {
  const { notifications, jobs, pages, log } = deps;
  const reportError = (err: unknown) => log.error({ err }, 'approvals could not be suspended');
  const drift = await startDriftHolds({ db, notifications, reportError }, jobs);
  const productCounts = createProductCounts(db, {
    recounted: (tenantId) => pages.announce(tenantId, 'applications'),
    complain: (err) => log.warn({ err }, 'products could not be counted'),
  });
  const stop = async () => {
    drift.stop();
    await productCounts.stop();
  };
  return { driftHolds: drift, productCounts, stop };
}

/** Its libraries are loaded by who traces. */
async function openTracing({ tracing }: Config, log: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import('../platform/telemetry/tracing.ts');
  return startTracing(tracing, HUB_VERSION, log);
}

function scheduledJobs(
  context: Context,
  parts: {
    alertRouting: AlertRouting;
    driftHolds: DriftHolds;
    appAlerts: AppAlerts;
    keyEndings: KeyExpiryNotices;
    auditCheckpoints: AuditCheckpoints;
  },
): ScheduledJob[] {
  const { db } = context.database;
  const { alertRouting, driftHolds, appAlerts, keyEndings, auditCheckpoints } = parts;
  return [
    {
      name: 'partitions',
      cron: '17 * * * *',
      run: async () => maintainPartitions(db, activityRetention, await databaseTime(db)),
    },
    {
      name: 'log-days',
      cron: '22 * * * *',
      run: async () => maintainLogs(db, await databaseTime(db)),
    },
    { name: 'expired-sign-ins', cron: '27 * * * *', run: () => deleteExpired(db) },
    {
      name: 'rollouts',
      cron: '* * * * *',
      run: async () => advanceRollouts(db, await databaseTime(db)),
    },
    {
      name: 'old-farewells',
      cron: '57 * * * *',
      run: async () => pruneTombstones(db, await databaseTime(db)),
    },
    { name: 'forgotten-drift', cron: '* * * * *', run: () => driftHolds.sweep() },
    { name: 'daily-counts', cron: '*/5 * * * *', run: () => countDays(db) },
    { name: 'timed-decisions', cron: '* * * * *', run: () => applyTimedDecisions(db) },
    {
      name: 'unseen-launches',
      cron: '* * * * *',
      run: () => reconcileApprovals(db, driftHolds.changed),
    },
    { name: 'group-rules', cron: '* * * * *', run: () => followRules(db) },
    { name: 'discovery-scope', cron: '* * * * *', run: () => eraseOutOfScope(db) },
    { name: 'unlooked-products', cron: '* * * * *', run: () => classifyDriftCapability(db) },
    { name: 'product-names', cron: '* * * * *', run: () => resolveNameConflicts(db) },
    { name: 'product-groups', cron: '* * * * *', run: () => groupProducts(db) },
    { name: 'product-policies', cron: '* * * * *', run: () => coverMissedApplications(db) },
    { name: 'product-counts', cron: '34 3 * * *', run: () => recountAllProducts(db) },
    { name: 'product-sights', cron: '56 * * * *', run: () => sightProductsAgain(db) },
    {
      name: 'searches',
      cron: '* * * * *',
      run: async () => {
        for (const list of SEARCHED_LISTS) await indexSearches(db, list);
      },
    },
    { name: 'repeated-products', cron: '52 * * * *', run: () => touchLastSeen(db) },
    { name: 'old-oauth', cron: '22 * * * *', run: () => deleteOldOAuth(db) },
    { name: 'old-grant-starts', cron: '23 * * * *', run: () => deleteOldStarts(db) },
    ...gatewayJobs(db),
    { name: 'old-mcp-approvals', cron: '53 4 * * *', run: () => deleteOldApprovals(db) },
    { name: 'old-operations', cron: '7 * * * *', run: () => tidyOperations(db) },
    { name: 'old-node-deliveries', cron: '12 4 * * *', run: () => deleteOldDeliveries(db) },
    { name: 'old-batches', cron: '37 * * * *', run: () => deleteOldBatches(db) },
    { name: 'forgotten-deliveries', cron: '* * * * *', run: () => alertRouting.sweep() },
    { name: 'app-alerts', cron: '* * * * *', run: () => appAlerts.evaluate(new Date()) },
    { name: 'forgotten-app-alerts', cron: '* * * * *', run: () => appAlerts.sweep() },
    {
      name: 'key-endings',
      cron: '42 * * * *',
      run: async () => keyEndings.evaluate(await databaseTime(db)),
    },
    { name: 'old-app-alerts', cron: '52 * * * *', run: () => appAlerts.deleteOld() },
    { name: 'audit-checkpoints', cron: '* * * * *', run: () => auditCheckpoints.advance() },
    { name: 'old-deliveries', cron: '47 * * * *', run: () => alertRouting.deleteOld() },
  ];
}

const SEARCHED_LISTS = [
  SEARCHED_PRODUCTS,
  SEARCHED_INVENTORY_PRODUCTS,
  SEARCHED_PROCESSES,
  SEARCHED_MEMBERS,
  SEARCHED_DEVICES,
  SEARCHED_APPS,
];

function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
