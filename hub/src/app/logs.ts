// Composes the routes of logs: ingest from gateway nodes, keys and export for collectors, and their views in the console.

import { foldName } from '@gatewarden/shared/names.ts';
import type { Logger } from 'pino';
import {
  type AlertingApp,
  type AppAlertFacts,
  type AppAlerts,
  createAppAlerts,
  formatAppAlert,
} from '../features/logs/app-alerts/index.ts';
import { type BudgetAlerts, registerBudgets } from '../features/logs/budgets/index.ts';
import { registerLogViews } from '../features/logs/console/index.ts';
import {
  type ExportDeps,
  registerLogExport,
  registerMetricsPage,
  type ScopedResource,
} from '../features/logs/export/index.ts';
import {
  type ExportKeyRouteDeps,
  type ReadMarks,
  registerExportKeys,
} from '../features/logs/export-keys/index.ts';
import {
  type LogIngestDeps,
  type Naming,
  registerLogIngest,
} from '../features/logs/ingest/index.ts';
import { createRowStoring } from '../features/logs/retention/index.ts';
import { registerLlmTrace } from '../features/logs/trace/index.ts';

export { erasePersonsLogs } from '../features/logs/retention/index.ts';

import { costOf, type LoggedFor, type ModelCost } from '../features/logs/events/index.ts';
import { recordKeyUses, selectAppsWithKey } from '../features/management/app-keys/index.ts';
import {
  alertingApps,
  findApp,
  selectAppNames,
  selectAppsMeant,
  webhookOf,
} from '../features/management/apps/index.ts';
import { selectPolicyAuthority } from '../features/management/catalogs/index.ts';
import { configurationAt } from '../features/management/history/index.ts';
import {
  findPrice,
  registerPrices,
  selectPriceOverrides,
} from '../features/management/prices/index.ts';
import {
  registerProviderTests,
  selectProviderPrices,
} from '../features/management/providers/index.ts';
import { registerTestRequests } from '../features/management/test-requests/index.ts';
import { backendsMeant, backendWith, selectBackendNames } from '../features/mcp/backends/index.ts';
import { authenticateNode, nodeNamed } from '../features/nodes/tokens/index.ts';
import type {
  NotificationDeps,
  NotificationService,
} from '../features/notifications/channels/index.ts';
import { selectTenantsAmong } from '../features/people/tenants/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sealer } from '../platform/crypto/seal.ts';
import { createCopyReader } from '../platform/db/copy-reader.ts';
import type { Database, Db, StatementCounter } from '../platform/db/database.ts';
import type { PageEvents } from '../platform/feed/page-events.ts';
import type { InFlightBytesLimiter } from '../platform/http/limits/in-flight-bytes.ts';
import type { CursorSealer } from '../platform/http/lists/cursors.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';
import type { App } from '../platform/http/server/app.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** Returns how notifications read the webhooks of apps, and format their alerts. */
export function appAlertSources(
  db: Db,
  sealer: Sealer,
): Pick<NotificationDeps, 'loadAppWebhook' | 'formatAppAlert'> {
  return {
    loadAppWebhook: (tenantId, appId, id) => webhookOf(db, sealer, tenantId, appId, id),
    formatAppAlert: (tenantId, facts) => formatAppAlert(tenantId, facts as AppAlertFacts),
  };
}

/** Returns the evaluator of app alerts. */
export function openAppAlerts(
  db: Db,
  log: Logger,
  { notifyOfAppAlert }: NotificationService,
): AppAlerts {
  const loadApps = async () => (await alertingApps(db)) as AlertingApp[];
  return createAppAlerts({ db, log, notifyOfAppAlert, alertingApps: loadApps });
}

export interface LogParts {
  config: Config;
  database: Database;
  counter: StatementCounter;
  sealer: Sealer;
  cursors: CursorSealer;
  metrics: Metrics;
  bodyBudget: InFlightBytesLimiter;
  outbound: Outbound;
  readMarks: ReadMarks;
  pages: PageEvents;
  budgetAlerts: BudgetAlerts;
}

/** Notifies open pages of new rows. A row with a user also notifies the pages of that user. */
export function announceLogs(
  pages: PageEvents,
  kind: 'llm-requests' | 'tool-calls',
  rows: readonly LoggedFor[],
): void {
  for (const { tenant_id: tenantId, user_email: email } of rows) {
    pages.announce(tenantId, kind, email ?? undefined);
  }
}

/** Registers the routes of gateway nodes (ingest) and of collectors (export). */
export async function registerLogs(app: App, parts: LogParts): Promise<void> {
  const { db } = parts.database;
  const ingest: LogIngestDeps = {
    db,
    transact: createRowStoring(parts.database, parts.counter),
    budget: parts.bodyBudget,
    metrics: parts.metrics,
    rate: parts.config.nodeRate,
    nodeOf: (authorization) => authenticateNode(db, authorization),
    tenantsAmong: (ids) => selectTenantsAmong(db, ids),
    appsOf: (tenantId, named) => findApps(db, tenantId, named),
    costsOf: (tenantId) => pricesOf(db, tenantId),
    keysUsed: (tenantId, uses) => recordKeyUses(db, tenantId, uses),
    backendsOf: (tenantId, named) => backendsMeant(db, tenantId, named),
    onStored: (kind, rows) => announceLogs(parts.pages, kind, rows),
  };
  await registerLogIngest(app, ingest);
  await registerLogExport(app, exportDeps(parts));
}

/** Registers the views of logs in the console's API. Its requests are authenticated. */
export function registerLogPages(scope: App, parts: LogParts): void {
  const { db } = parts.database;
  const { cursors } = parts;
  registerLogViews(scope, {
    db,
    cursors,
    appsNamed: async (tenantId, name) => {
      const found = await selectAppsMeant(db, tenantId, { ids: [], folded: [foldName(name)] });
      return found.map((app) => app.app_id);
    },
  });
  registerLlmTrace(scope, {
    db,
    appWith: async (tenantId, appId) => {
      const [found] = await selectAppsMeant(db, tenantId, { ids: [appId], folded: [] });
      return found ?? null;
    },
    configurationAt: (tenantId, appId, at) => configurationAt(db, tenantId, appId, at),
    policyOf: (tenantId) => selectPolicyAuthority(db, tenantId),
    nodeNamed: (tenantId, nodeId) => nodeNamed(db, tenantId, nodeId),
  });
  registerPrices(scope, { db });
  registerProviderTests(scope, { db });
  registerBudgets(scope, {
    ...{ db, evaluate: parts.budgetAlerts.evaluate },
    appNames: async (tenantId) =>
      new Map((await selectAppNames(db, tenantId)).map(({ app_id, name }) => [app_id, name])),
  });
  registerTestRequests(scope, {
    ...{ db, outbound: parts.outbound, gatewayUrl: parts.config.llmGatewayUrl },
    costOf: async (tenantId, { provider, model, tokens }) => {
      const price = (await pricesOf(db, tenantId))(provider, model);
      return costOf({ ...tokens, cache_read: 0 }, price);
    },
  });
  registerMetricsPage(scope, exportDeps(parts));
  registerExportKeys(scope, exportKeyDeps(parts));
}

function exportDeps({ database, counter, cursors, readMarks }: LogParts): ExportDeps {
  const { db, pool } = database;
  return {
    db,
    read: createCopyReader(db, pool, counter),
    cursors,
    marks: readMarks,
    appsOf: (tenantId) => appStates(db, tenantId),
    backendsOf: async (tenantId) =>
      (await selectBackendNames(db, tenantId)).map((backendName) => ({
        id: backendName.backend_id,
        name: backendName.name,
        isActive: backendName.disabled_at === null,
      })),
  };
}

function exportKeyDeps({ database: { db }, sealer, cursors }: LogParts): ExportKeyRouteDeps {
  return {
    db,
    sealer,
    cursors,
    appNamed: (tenantId, name) => findApp(db, tenantId, name),
    backendWith: (tenantId, id) => backendWith(db, tenantId, id),
  };
}

/** Returns the apps of a tenant. An active app is enabled and has at least one valid key. */
async function appStates(db: Db, tenantId: string): Promise<ScopedResource[]> {
  const apps = await selectAppNames(db, tenantId);
  const withKey = await selectAppsWithKey(
    db,
    tenantId,
    apps.map(({ app_id }) => app_id),
  );
  return apps.map((app) => ({
    id: app.app_id,
    name: app.name,
    isActive: app.enabled && withKey.has(app.app_id),
  }));
}

/** Returns the lookup of apps by id or name. A name that several legacy apps share matches no app. */
async function findApps(
  db: Db,
  tenantId: string,
  named: { ids: readonly string[]; names: readonly string[] },
) {
  const found = await selectAppsMeant(db, tenantId, {
    ids: named.ids,
    folded: named.names.map(foldName),
  });
  const byId = new Map(found.map((app) => [app.app_id, app]));
  const byName = Map.groupBy(found, (app) => app.name_folded);
  return ({ id, name }: Naming) => {
    if (id !== undefined) return byId.get(id.toLowerCase()) ?? null;
    const matches = name === undefined ? [] : (byName.get(foldName(name)) ?? []);
    return matches.length === 1 ? (matches[0] ?? null) : null;
  };
}

/** Returns the lookup of prices by provider and model; see management/prices for their order. */
async function pricesOf(db: Db, tenantId: string) {
  const [providers, overrides] = await Promise.all([
    selectProviderPrices(db, tenantId),
    selectPriceOverrides(db, tenantId),
  ]);
  return (provider: string | null, model: string | null): ModelCost | null =>
    findPrice(providers, overrides, { provider, model });
}
