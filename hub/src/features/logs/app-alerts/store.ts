// SQL of app alerts: request counts, states and deliveries. A state changes by compare-and-swap on its version, and its
// deliveries are stored with it, so that a single hub process notifies.
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

export interface NewDelivery {
  delivery_id: string;
  kind: 'email' | 'webhook';
  target: string;
}

/** Stores the deliveries of an alert as due. */
export async function insertAppDeliveries(
  tx: Tx,
  app: { tenantId: string; appId: string },
  facts: AppAlertFacts,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await sql`
    INSERT INTO app_alert_deliveries
      (tenant_id, delivery_id, app_id, kind, target, facts, state, next_attempt_at)
    SELECT ${app.tenantId}::uuid, delivery_id, ${app.appId}::uuid, kind, target,
      ${JSON.stringify(facts)}::jsonb, 'pending', ${new Date()}::timestamptz
    FROM json_to_recordset(${JSON.stringify(deliveries)}::json)
      AS d (delivery_id uuid, kind text, target text)`.execute(tx);
}

export interface AppClaim extends NewDelivery {
  tenant_id: string;
  app_id: string;
  facts: AppAlertFacts;
  attempts: number;
  created_at: Date;
}

/** Longer than any attempt: after it the process that claimed the delivery counts as dead. */
const CLAIM_SECONDS = 45;

/** Claims a delivery and counts the attempt. Returns null if it is not due, or claimed by another process. */
export function claimAppDelivery(
  db: Db,
  tenantId: string,
  deliveryId: string,
): Promise<AppClaim | null> {
  const now = new Date();
  return row(
    db,
    sql<AppClaim>`
      UPDATE app_alert_deliveries SET attempts = attempts + 1,
        claimed_until = ${new Date(now.getTime() + CLAIM_SECONDS * 1000)}::timestamptz
      WHERE tenant_id = ${tenantId} AND delivery_id = ${deliveryId} AND state = 'pending'
        AND next_attempt_at <= ${now}::timestamptz
        AND (claimed_until IS NULL OR claimed_until < ${now}::timestamptz)
      RETURNING tenant_id, delivery_id, app_id, kind, target, facts, attempts, created_at`,
  );
}

/** Ends a claim without an attempt: another hub takes the delivery. Returns false if the claim was lost meanwhile. */
export async function releaseAppDelivery(tx: Tx, claim: AppClaim): Promise<boolean> {
  const released = await row(
    tx,
    sql`
      UPDATE app_alert_deliveries SET attempts = attempts - 1, claimed_until = NULL
      WHERE tenant_id = ${claim.tenant_id} AND delivery_id = ${claim.delivery_id}
        AND state = 'pending' AND attempts = ${claim.attempts}
      RETURNING 1`,
  );
  return released !== null;
}

/** Stores the result of an attempt; `nextAt` null ends the delivery. Returns false if the claim was lost meanwhile. */
export async function finishAppDelivery(
  tx: Tx,
  claim: AppClaim,
  end: {
    state: 'pending' | 'delivered' | 'failed';
    status: number | null;
    error: string | null;
    nextAt: Date | null;
  },
): Promise<boolean> {
  const updated = await row(
    tx,
    sql`
      UPDATE app_alert_deliveries SET state = ${end.state}, claimed_until = NULL,
        last_status = ${end.status}, last_error = ${end.error}, next_attempt_at = ${end.nextAt},
        ended_at = ${end.state === 'pending' ? null : new Date()}
      WHERE tenant_id = ${claim.tenant_id} AND delivery_id = ${claim.delivery_id}
        AND state = 'pending' AND attempts = ${claim.attempts}
      RETURNING 1`,
  );
  return updated !== null;
}

/** Returns deliveries that have been due for a minute without a claim: their job was lost. */
export function selectLostDeliveries(
  db: Db,
  limit: number,
): Promise<(NewDelivery & { tenant_id: string; app_id: string })[]> {
  return rows(
    db,
    sql<NewDelivery & { tenant_id: string; app_id: string }>`
      SELECT tenant_id, delivery_id, app_id, kind, target FROM app_alert_deliveries
      WHERE state = 'pending' AND next_attempt_at < now() - interval '1 minute'
        AND (claimed_until IS NULL OR claimed_until < now())
      ORDER BY next_attempt_at LIMIT ${limit}`,
  );
}

/** Deletes deliveries older than 30 days. */
export async function deleteOldAppDeliveries(db: Db): Promise<void> {
  await sql`
    DELETE FROM app_alert_deliveries WHERE created_at < now() - interval '30 days'`.execute(db);
}
