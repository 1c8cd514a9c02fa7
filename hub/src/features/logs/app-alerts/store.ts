// SQL of app alerts: request counts and states. A state changes by compare-and-swap on its version, and its deliveries are
// stored in the same transaction, so that a single hub process notifies.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface ProviderCounts {
  provider: string | null;
  app_requests: number;
  app_failures: number;
  requests: number;
  failures: number;
}

/**
 * Returns the counts by provider, in the window of the app and in the window of its providers. Rows dated ahead of
 * `now`, as by a node's clock, count when their time has come: they would be in every window until then.
 */
export function selectCounts(
  db: Db,
  app: { tenantId: string; appId: string },
  since: { app: Date; provider: Date },
  now: Date,
): Promise<ProviderCounts[]> {
  const earliest = new Date(Math.min(since.app.getTime(), since.provider.getTime()));
  const inApp = sql`at >= ${since.app}::timestamptz`;
  const inProvider = sql`at >= ${since.provider}::timestamptz`;
  return rows(
    db,
    sql<ProviderCounts>`
      SELECT provider, count(*) FILTER (WHERE ${inApp}) AS app_requests,
        count(*) FILTER (WHERE ${inApp} AND is_failed) AS app_failures,
        count(*) FILTER (WHERE ${inProvider}) AS requests,
        count(*) FILTER (WHERE ${inProvider} AND is_failed) AS failures
      FROM llm_requests
      WHERE tenant_id = ${app.tenantId} AND app_id = ${app.appId}
        AND at >= ${earliest}::timestamptz AND at <= ${now}::timestamptz
      GROUP BY provider`,
  );
}

export interface StateRow {
  level: 'app' | 'provider';
  provider: string;
  is_failing: boolean;
  raised_at: Date;
  version: number;
}

/** Returns the states of an app and of its providers. */
export function selectStates(
  db: Db,
  app: { tenantId: string; appId: string },
): Promise<StateRow[]> {
  return rows(
    db,
    sql<StateRow>`
      SELECT level, provider, is_failing, raised_at, version FROM app_alert_states
      WHERE tenant_id = ${app.tenantId} AND app_id = ${app.appId}`,
  );
}

export interface FailingState extends StateRow {
  tenant_id: string;
  app_id: string;
}

/** Returns the failing states of all apps. */
export function selectFailing(db: Db): Promise<FailingState[]> {
  return rows(
    db,
    sql<FailingState>`
      SELECT tenant_id, app_id, level, provider, is_failing, raised_at, version
      FROM app_alert_states WHERE is_failing`,
  );
}

/** Stores a state. Returns false if another hub process was faster. */
export async function storeState(
  tx: Tx,
  app: { tenantId: string; appId: string },
  before: StateRow | null,
  after: Omit<StateRow, 'version'>,
): Promise<boolean> {
  const stored = await row(
    tx,
    before === null
      ? sql`
          INSERT INTO app_alert_states
            (tenant_id, app_id, level, provider, is_failing, changed_at, raised_at)
          VALUES (${app.tenantId}, ${app.appId}, ${after.level}, ${after.provider},
            ${after.is_failing}, now(), ${after.raised_at})
          ON CONFLICT (tenant_id, app_id, level, provider) DO NOTHING RETURNING 1`
      : sql`
          UPDATE app_alert_states SET is_failing = ${after.is_failing},
            changed_at = ${new Date()}::timestamptz, raised_at = ${after.raised_at},
            version = version + 1
          WHERE tenant_id = ${app.tenantId} AND app_id = ${app.appId} AND level = ${after.level}
            AND provider = ${after.provider} AND version = ${before.version}
          RETURNING 1`,
  );
  return stored !== null;
}

export interface AppAlertFacts {
  event: 'failing' | 'recovered';
  app: { id: string; name: string };
  level: 'app' | 'provider';
  provider: string | null;
  requests: number;
  failures: number;
  failure_rate: number;
  threshold: number;
  window_minutes: number;
  at: string;
}
