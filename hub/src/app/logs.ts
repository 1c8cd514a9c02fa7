// Composes logs: ingest from gateway nodes, keys and export for collectors, and what each knows of apps and backends.
import { foldName } from '@gatewarden/shared/names.ts';
import type { AlertingApp, AppAlertDeps } from '../features/logs/app-alerts/index.ts';
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

import type { LoggedFor, ModelCost } from '../features/logs/events/index.ts';
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
import { selectPrices } from '../features/management/providers/index.ts';
import { backendsMeant, backendWith, selectBackendNames } from '../features/mcp/backends/index.ts';
import { authenticateNode, nodeNamed } from '../features/nodes/tokens/index.ts';
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

/** What alerting knows of apps. */
export function alertingSources(
  db: Db,
  sealer: Sealer,
): Pick<AppAlertDeps, 'alertingApps' | 'webhookOf'> {
  return {
    alertingApps: async () => (await alertingApps(db)) as AlertingApp[],
    webhookOf: (tenantId, appId, id) => webhookOf(db, sealer, tenantId, appId, id),
  };
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
}

/** Tells open pages; of what is in a person's name, theirs. */
export function announceLogs(
  pages: PageEvents,
  kind: 'llm-requests' | 'tool-calls',
  rows: readonly LoggedFor[],
): void {
  for (const { tenant_id: tenantId, user_email: email } of rows) {
    pages.announce(tenantId, kind, email ?? undefined);
  }
}

/** What nodes send and collectors fetch. */
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
    appsOf: (tenantId, named) => appsMeant(db, tenantId, named),
    costsOf: (tenantId) => pricesOf(db, tenantId),
    keysUsed: (tenantId, uses) => recordKeyUses(db, tenantId, uses),
    backendsOf: (tenantId, named) => backendsMeant(db, tenantId, named),
    onStored: (kind, rows) => announceLogs(parts.pages, kind, rows),
  };
  await registerLogIngest(app, ingest);
  await registerLogExport(app, exportDeps(parts));
}

/** Below the console's gate. */
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

/** Active: enabled, and with at least one key that works. */
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

/** A name that several legacy apps share names none of them. */
async function appsMeant(
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
    const meant = name === undefined ? [] : (byName.get(foldName(name)) ?? []);
    return meant.length === 1 ? (meant[0] ?? null) : null;
  };
}

/** By the provider's label, as the gateway knows it; else by its type, where only one has that. */
async function pricesOf(db: Db, tenantId: string) {
  const prices = await selectPrices(db, tenantId);
  return (provider: string | null, model: string | null): ModelCost | null => {
    if (model === null) return null;
    const byLabel = prices.find(({ label }) => label === provider);
    const byType = prices.filter((price) => price.provider_name === provider);
    const costs = (byLabel ?? (byType.length === 1 ? byType[0] : undefined))?.model_costs;
    return costs !== undefined && Object.hasOwn(costs, model) ? (costs[model] as ModelCost) : null;
  };
}
