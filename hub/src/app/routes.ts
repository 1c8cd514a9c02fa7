// Registers the routes behind their authentication. One scope for devices, one for the console, the rest open.

import { join } from 'node:path';
import { ACTIVITY_DAYS, ALERT_DAYS } from '@gatewarden/shared/wire/console/retention.ts';
import type { PolicyAuthority } from '@gatewarden/shared/wire/management/apps.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { registerIdentityPages } from '../features/console/identity/index.ts';
import { registerMcpServerPages } from '../features/console/mcp-servers/index.ts';
import { registerSampleData } from '../features/console/sample-data/index.ts';
import { registerSearch } from '../features/console/search/index.ts';
import { registerSetup } from '../features/console/setup/index.ts';
import {
  registerAccessSync,
  registerRequestPages,
} from '../features/devices/access-requests/index.ts';
import { registerActivityPages, registerActivitySync } from '../features/devices/activity/index.ts';
import { registerAlertPages, registerAlertSync } from '../features/devices/alerts/index.ts';
import { registerWhy } from '../features/devices/decision-trace/index.ts';
import { registerDefaultPolicies } from '../features/devices/default-policies/index.ts';
import { type DriftMonitor, registerDriftPolicy } from '../features/devices/drift/index.ts';
import {
  type AgentToken,
  addDeviceGate,
  noticeClaims,
  type PolledDevice,
  registerAgentTokens,
  registerEnrolment,
  type Sightings,
  TOKEN_CACHE,
} from '../features/devices/enrollment/index.ts';
import { registerGroupPages, selectGroup } from '../features/devices/groups/index.ts';
import { registerIngest } from '../features/devices/ingest/index.ts';
import {
  type CoveredByName,
  registerInventoryPages,
  selectProductsWith,
} from '../features/devices/inventory/index.ts';
import { auditViews, registerDeviceLifecycle } from '../features/devices/lifecycle/index.ts';
import {
  coveredByName,
  describeGroupOverrides,
  loadApprovalAudience,
  registerBulkDecisions,
  registerDeviceDecisions,
  registerGovernancePages,
  selectApproved,
} from '../features/devices/overrides/index.ts';
import { registerOverview } from '../features/devices/overview/index.ts';
import {
  createProcessMaps,
  registerDeviceProcesses,
  registerProcessPages,
  registerProcessSync,
  registerRunningSync,
} from '../features/devices/processes/index.ts';
import {
  createArrivalPolicies,
  createPolicyCache,
  type PolicyCache,
  type ProductCounts,
  registerProductPages,
  registerProductPolicies,
  selectPolicyProductsForGroup,
} from '../features/devices/products/index.ts';
import { registerReleasePages, registerReleases } from '../features/devices/releases/index.ts';
import { registerRolloutPages } from '../features/devices/rollouts/index.ts';
import { registerOwnDevices, registerOwnRequests } from '../features/devices/self-service/index.ts';
import {
  DISCOVERY_SCOPE,
  registerDelta,
  registerEmergencyStop,
  registerSyncedSetting,
  type Snapshots,
  TRAY_SETTING,
} from '../features/devices/sync/index.ts';
import { registerTrends } from '../features/devices/trends/index.ts';
import type { BudgetAlerts } from '../features/logs/budgets/index.ts';
import type { ReadMarks } from '../features/logs/export-keys/index.ts';
import { POLICY_CACHE, selectPolicyAuthority } from '../features/management/catalogs/index.ts';
import { registerGuardrailTests } from '../features/management/guardrail-tests/index.ts';
import type { KeyUses } from '../features/management/keys/index.ts';
import type { CallLog } from '../features/mcp/calls/index.ts';
import { eraseUser } from '../features/mcp/erasure/index.ts';
import {
  createChannelSecrets,
  type NotificationService,
  registerChannels,
  selectChannelNamesOfGroup,
} from '../features/notifications/channels/index.ts';
import { registerAuditPages } from '../features/people/audit/index.ts';
import {
  adminTokenPolicy,
  createAdminTokenVerifier,
  createConsoleAuth,
  registerSessions,
  registerUserInvitations,
  registerUsers,
  sessionCookie,
} from '../features/people/identity/index.ts';
import { registerExpiringKeys } from '../features/people/key-expiry/index.ts';
import { registerLeakedKeys } from '../features/people/leaked-keys/index.ts';
import { registerSavedViews } from '../features/people/saved-views/index.ts';
import { registerScim, registerScimTokens } from '../features/people/scim/index.ts';
import type { AuditCheckpoints } from '../platform/audit-checkpoints.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import type { Database, StatementCounter } from '../platform/db/database.ts';
import type { Retention } from '../platform/db/partitions.ts';
import type { TransactPipelined } from '../platform/db/pipelined-transactions.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import { createNotifiedCache } from '../platform/feed/notified-cache.ts';
import type { PageEvents } from '../platform/feed/page-events.ts';
import type { FastPathRoute } from '../platform/http/limits/fast-path.ts';
import type { InFlightBytesLimiter } from '../platform/http/limits/in-flight-bytes.ts';
import type { LoadGauge } from '../platform/http/limits/load-gauge.ts';
import { CONSOLE_API } from '../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../platform/http/lists/cursors.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';
import type { App } from '../platform/http/server/app.ts';
import { registerConsoleFiles } from '../platform/http/server/console-files.ts';
import { registerDocsFiles } from '../platform/http/server/docs-files.ts';
import type { EventStreams } from '../platform/http/server/event-streams.ts';
import { createMetricsGuard } from '../platform/http/server/metrics-guard.ts';
import { bindRoutesToTenant } from '../platform/http/server/tenant-context.ts';
import type { Installation } from '../platform/installation.ts';
import type { Peers } from '../platform/peers.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { registerReference } from './api-reference.ts';
import { registerHubHealth } from './hub-health.ts';
import { ISSUED_KINDS } from './issued-keys.ts';
import { erasePersonsLogs, registerLogPages, registerLogs } from './logs.ts';
import {
  type ManagementParts,
  registerGatewayPages,
  registerManagement,
  registerNodes,
  resourceRoutes,
} from './management.ts';
import { registerMcp, registerMcpPages, usesOfGroups } from './mcp.ts';
import type { McpGateway } from './mcp-gateway.ts';
import { registerMcpOffer } from './mcp-offer.ts';
import { sampleDataDeps } from './sample-data.ts';
import { registerSignInRoutes } from './sign-in.ts';

export const CONSOLE_DIST = join(import.meta.dirname, '../../console/dist');
export const DOCS_DIST = join(import.meta.dirname, '../../site/dist');

export const activityRetention: readonly Retention[] = [
  { table: 'activity', ids: 'activity_ids', days: ACTIVITY_DAYS },
  { table: 'alerts', ids: 'alert_ids', days: ALERT_DAYS },
];

export interface RouteParts {
  config: Config;
  origin: string;
  localUrl: string;
  database: Database;
  databaseFreeBytes: Context['databaseFreeBytes'];
  pipelined: TransactPipelined;
  counter: StatementCounter;
  readMarks: ReadMarks;
  sealer: Sealer;
  installation: Installation;
  cursors: CursorSealer;
  notifications: Notifications;
  metrics: Metrics;
  pages: PageEvents;
  sightings: Sightings;
  streams: EventStreams;
  bodyBudget: InFlightBytesLimiter;
  load: LoadGauge;
  outbound: Outbound;
  peers: Peers;
  notificationService: NotificationService;
  budgetAlerts: BudgetAlerts;
  snapshots: Snapshots;
  driftMonitor: DriftMonitor;
  productCounts: ProductCounts;
  keyUses: KeyUses;
  auditCheckpoints: AuditCheckpoints;
  mcpGateway: McpGateway;
  callLog: CallLog;
  /** Aborted when the hub begins to stop: whoever waits for news is answered. */
  stopping: AbortSignal;
  log: Logger;
  /** Null when the hub can serve, else the reason. */
  readiness(): Promise<string | null>;
}

/** Registers every route of the hub. Returns the route that the listener can answer without the application. */
export async function serveRoutes(app: App, parts: RouteParts): Promise<FastPathRoute> {
  registerOperatorRoutes(app, parts);
  registerReference(app);
  const { notifications, database } = parts;
  const shared: Shared = {
    maps: createProcessMaps(database.db, notifications),
    policies: createPolicyCache(database.db, notifications),
  };
  const fastRoute = Promise.withResolvers<FastPathRoute>();
  await app.register(async (scope: App) => {
    fastRoute.resolve(registerDeviceRoutes(scope, parts, shared));
  });
  await registerLogs(app, parts);
  await registerPeople(app, parts, shared);
  await registerConsoleFiles(app, CONSOLE_DIST);
  await registerDocsFiles(app, DOCS_DIST);
  return fastRoute.promise;
}

interface Shared {
  maps: ReturnType<typeof createProcessMaps>;
  policies: PolicyCache;
}

function registerOperatorRoutes(app: App, parts: RouteParts): void {
  const Status = Type.Object({ status: Type.String() });
  app.get(
    '/healthz',
    {
      config: { takesAnyQuery: true },
      schema: {
        tags: ['operator'],
        summary: 'Check that the process runs',
        response: { 200: Status },
      },
    },
    () => ({
      status: 'ok',
    }),
  );
  app.get(
    '/readyz',
    {
      // The probe has no body, and is answered when the budget for bodies is exhausted.
      config: { bodies: 'own', takesAnyQuery: true },
      schema: {
        tags: ['operator'],
        summary: 'Check that the hub is ready; 503 while it starts, drains or has no database',
        response: {
          200: Status,
          503: Type.Object({ status: Type.String(), reason: Type.String() }),
        },
      },
    },
    async (_request, reply) => {
      const reason = await parts.readiness();
      if (reason === null) return { status: 'ready' };
      return reply.code(503).header('retry-after', 1).send({ status: 'not ready', reason });
    },
  );
  const guardMetrics = createMetricsGuard(parts.config);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    guardMetrics(request);
    return reply
      .type(parts.metrics.registry.contentType)
      .send(await parts.metrics.registry.metrics());
  });
}

function registerDeviceRoutes(scope: App, parts: RouteParts, shared: Shared): FastPathRoute {
  const { db } = parts.database;
  const { notifications, pages, metrics, cursors } = parts;
  const tokens = createNotifiedCache<AgentToken>({ name: TOKEN_CACHE, max: 50_000, notifications });
  const devices = createNotifiedCache<PolledDevice | 'unknown'>({
    name: 'device',
    max: 50_000,
    notifications,
  });
  const gate = addDeviceGate(scope, {
    db,
    tokens,
    budget: parts.bodyBudget,
    rates: { device: parts.config.deviceRate, token: parts.config.tokenRate },
  });
  noticeClaims(scope, db);
  registerEnrolment(scope, { db, pages });
  registerIngest(scope, {
    pipelined: parts.pipelined,
    hasUnread: gate.hasUnread,
    pages,
    metrics,
    sightings: parts.sightings,
    forgetDevice: devices.invalidate,
    approvedAmong: selectApproved,
    driftChanged: parts.driftMonitor.changed,
    arrivalPolicies: createArrivalPolicies(shared.policies),
    productsChanged: parts.productCounts.changed,
  });
  registerProcessSync(scope, { db, pages, cursors, maps: shared.maps });
  registerRunningSync(scope, { db, pages });
  registerActivitySync(scope, { db, pages, metrics });
  registerAccessSync(scope, {
    db,
    notifyReviewers: parts.notificationService.notifyOfAccessRequest,
  });
  registerAlertSync(scope, {
    db,
    metrics,
    notifyOfAlerts: parts.notificationService.notifyOfAlerts,
  });
  registerReleases(scope, { db });
  registerMcpOffer(scope, { ...parts.mcpGateway, db, origin: parts.origin });
  return registerDelta(scope, {
    db,
    devices,
    gate,
    cursors,
    snapshots: parts.snapshots,
    sightings: parts.sightings,
    installation: parts.installation,
    pollAfterSeconds: parts.load.pollIntervalSeconds,
  });
}

function registerInventory(
  scope: App,
  parts: RouteParts,
  shared: {
    covered: CoveredByName;
    policies: PolicyCache;
    mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
  },
): void {
  const { database, cursors, snapshots, pages } = parts;
  const { policies, mappingsOf } = shared;
  const deps = { db: database.db, cursors, coveredByName: shared.covered };
  registerInventoryPages(scope, {
    ...deps,
    meantFor: loadApprovalAudience,
    driftChanged: parts.driftMonitor.changed,
  });
  registerSampleData(scope, sampleDataDeps(deps.db));
  registerTrends(scope, { db: deps.db });
  registerProductPages(scope, { ...deps, snapshots });
  registerProductPolicies(scope, { ...deps, snapshots, pages, policies, mappingsOf });
}

/** Registers the routes of people: sign-in, MCP, the management API, gateway nodes, and the console's API. */
async function registerPeople(app: App, parts: RouteParts, shared: Shared): Promise<void> {
  const { db } = parts.database;
  const { origin } = parts;
  const cookie = sessionCookie(origin);
  const { signIn, signingKey } = await registerSignInRoutes(app, parts, cookie);
  await registerMcp(app, { ...parts, cookie, signIn });
  const rules = adminTokenPolicy(origin, parts.config.login, { signingKey, signIn });
  const verifyAdminToken = createAdminTokenVerifier(rules);
  const policies = createNotifiedCache<PolicyAuthority>({
    name: POLICY_CACHE,
    max: 10_000,
    notifications: parts.notifications,
  });
  const management: ManagementParts = {
    ...parts,
    db,
    verifyAdminToken,
    policyOf: (tenantId) => policies.get(tenantId, () => selectPolicyAuthority(db, tenantId)),
  };
  await registerScim(app, { db, origin, groups: usesOfGroups(parts.mcpGateway) });
  const gatewayRoutes = resourceRoutes(app, management);
  await registerManagement(app, management, gatewayRoutes);
  registerNodes(app, management);
  await app.register(
    async (scope: App) => {
      scope.decorateRequest('person', null);
      scope.addHook('onRequest', createConsoleAuth({ db, cookie, verifyAdminToken }));
      bindRoutesToTenant(scope, (request) => request.person?.tenantId);
      auditViews(scope, db);
      registerDevicePages(scope, parts, shared);
      registerUserPages(scope, parts);
      registerNotificationPages(scope, parts);
      registerActivityPages(scope, { db, cursors: parts.cursors });
      registerLogPages(scope, parts);
      registerGuardrailTests(scope, { db });
      registerMcpPages(scope, {
        ...parts,
        cookie,
        productsWith: (tenantId, servers) => selectProductsWith(db, tenantId, servers),
      });
      registerMcpServerPages(scope, { db, cursors: parts.cursors, checkUrl: parts.outbound.check });
      parts.streams.register(scope);
      await registerGatewayPages(scope, gatewayRoutes);
    },
    { prefix: `${CONSOLE_API}/tenants/:tenant_id` },
  );
}

function registerDevicePages(scope: App, parts: RouteParts, shared: Shared): void {
  const { db } = parts.database;
  const { cursors, pages, snapshots } = parts;
  const covered = coveredByName({ db, snapshots });
  const mappingsOf = async (tenantId: string) => (await shared.maps.of(tenantId)).answer.mappings;
  registerDeviceLifecycle(scope, {
    db,
    eraseLogs: erasePersonsLogs,
    eraseMcp: (tx, tenantId, who) => eraseUser(tx, parts.mcpGateway, tenantId, who),
    renewAudit: parts.auditCheckpoints.renew,
  });
  registerProcessPages(scope, { db, pages, cursors, maps: shared.maps });
  registerInventory(scope, parts, { covered, mappingsOf, policies: shared.policies });
  registerGovernancePages(scope, { db, cursors, pages, snapshots, mappingsOf });
  registerDeviceDecisions(scope, { db, cursors, snapshots });
  registerDeviceProcesses(scope, { db, cursors });
  registerBulkDecisions(scope, { db, cursors, pages, snapshots, mappingsOf });
  registerSyncedSetting(scope, { db, snapshots }, DISCOVERY_SCOPE);
  registerSyncedSetting(scope, { db, snapshots }, TRAY_SETTING);
  registerDriftPolicy(scope, { db, driftChanged: parts.driftMonitor.changed });
  registerDefaultPolicies(scope, { db, snapshots, mappingsOf });
  registerGroupPages(scope, {
    db,
    cursors,
    // A group in use cannot be deleted: what uses it would end without notice.
    usesOf: async (tx, tenantId, groupId) => [
      ...(await describeGroupOverrides(tx, tenantId, groupId)),
      ...(await selectChannelNamesOfGroup(tx, tenantId, groupId)),
      ...(await selectPolicyProductsForGroup(tx, tenantId, groupId)),
    ],
    notifyChange: snapshots.invalidate,
  });
  registerRolloutPages(scope, { db, notifyChange: snapshots.invalidate });
  registerEmergencyStop(scope, { db, snapshots });
  registerAlertPages(scope, { db, cursors });
  registerOverview(scope, { db, coveredByName: covered });
  registerReleasePages(scope, { db });
  registerOwnDevices(scope, { db, cursors, snapshots });
  registerWhy(scope, { db, snapshots, mappingsOf });
  registerRequestPages(scope, { db, cursors, snapshots });
}

function registerUserPages(scope: App, parts: RouteParts): void {
  const { db } = parts.database;
  const { cursors, origin } = parts;
  registerSavedViews(scope, { db });
  registerSearch(scope, { db });
  registerSetup(scope, { db });
  registerIdentityPages(scope, { db, cursors });
  registerLeakedKeys(scope, { db, kinds: ISSUED_KINDS });
  registerExpiringKeys(scope, { db, kinds: ISSUED_KINDS });
  registerAuditPages(scope, { db, cursors });
  registerUsers(scope, { db, cursors, origin, login: parts.config.login });
  registerUserInvitations(scope, { db, cursors, origin, mail: parts.config.mail });
  registerSessions(scope, { db, cursors });
  registerAgentTokens(scope, { db, cursors });
  registerScimTokens(scope, { db, cursors });
  registerHubHealth(scope, parts);
}

function registerNotificationPages(scope: App, parts: RouteParts): void {
  const { db } = parts.database;
  const { cursors, notificationService } = parts;
  registerOwnRequests(scope, {
    db,
    cursors,
    notifyReviewers: notificationService.notifyOfAccessRequest,
  });
  registerChannels(scope, {
    db,
    cursors,
    service: notificationService,
    hasGroup: async (tx, tenantId, groupId) => (await selectGroup(tx, tenantId, groupId)) !== null,
    tools: {
      secrets: createChannelSecrets(parts.sealer),
      checkUrl: parts.outbound.check,
      hasMail: parts.config.mail !== null,
    },
  });
}
