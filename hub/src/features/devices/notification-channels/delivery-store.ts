// All SQL of deliveries. A delivery is pending until it is delivered or given up; who sends it has claimed it by a
// change of its row, so that no two hub processes do, and what a process finishes counts only while its claim is valid.
import type { DeliveryState } from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/http/lists/console-lists.ts';
import type { RouteRecord } from './store.ts';

export const NO_DEVICE = '00000000-0000-0000-0000-000000000000';
/** Longer than any attempt takes: past it the process that claimed counts as dead. */
const CLAIM_SECONDS = 45;

export type DeliveryAbout = 'alert' | 'access_request' | 'budget_notice';

export interface NewDelivery {
  delivery_id: string;
  route_id: string;
  /** The id of the alert or other subject. */
  alert_id: string;
  /** Null for a test. */
  severity: Severity | null;
  /** The digest that contains the alert; null where it goes out by itself. */
  digest_id: string | null;
}

export type MadeDelivery = Pick<NewDelivery, 'delivery_id' | 'route_id' | 'digest_id'>;

/** Gives those that were new; the same alert goes to a route once. */
export function insertDeliveries(
  tx: Tx,
  key: { tenantId: string; deviceId: string; isTest: boolean; about?: DeliveryAbout },
  deliveries: readonly NewDelivery[],
): Promise<MadeDelivery[]> {
  // An alert in a digest is never due by itself.
  const records = deliveries.map((delivery) => ({
    ...delivery,
    due_in: delivery.digest_id === null ? '0' : null,
  }));
  return rows(
    tx,
    sql<MadeDelivery>`
      INSERT INTO alert_deliveries
        (tenant_id, delivery_id, route_id, alert_id, device_id, is_test, state, created_at,
         next_attempt_at, severity, digest_id, about)
      SELECT ${key.tenantId}::uuid, delivery_id, route_id, alert_id, ${key.deviceId}::uuid,
        ${key.isTest}::boolean, 'pending', now(),
        date_trunc('milliseconds', now() + due_in), severity, digest_id,
        ${key.about ?? 'alert'}::text
      FROM json_to_recordset(${JSON.stringify(records)}::json)
        AS sent(delivery_id uuid, route_id uuid, alert_id uuid, severity text, digest_id uuid,
          due_in interval)
      ON CONFLICT (tenant_id, route_id, alert_id, device_id) DO NOTHING
      RETURNING delivery_id, route_id, digest_id`,
  );
}

/** The data for an attempt, as read when the delivery was claimed. */
export interface Claim
  extends Pick<
    RouteRecord,
    | 'route_id'
    | 'kind'
    | 'format'
    | 'name'
    | 'url_sealed'
    | 'recipients'
    | 'secret_sealed'
    | 'previous_secret_sealed'
    | 'previous_secret_until'
  > {
  tenant_id: string;
  delivery_id: string;
  alert_id: string;
  device_id: string;
  is_test: boolean;
  about: DeliveryAbout;
  /** Set: it is a digest, of so many alerts. */
  digest_alerts: number | null;
  attempts: number;
  /** So many of them were before a person had it sent again: the tries, and their times, began anew. */
  earlier_attempts: number;
  recipients_left: string[] | null;
  created_at: Date;
  /** Set: it had arrived, and a person has it sent again. */
  delivered_at: Date | null;
}

/** Null where there is nothing to do: done, not due, claimed by another, or its route disabled or deleted. */
export function claimDelivery(db: Db, tenantId: string, deliveryId: string): Promise<Claim | null> {
  return row(
    db,
    sql<Claim>`
      UPDATE alert_deliveries d SET attempts = d.attempts + 1, last_attempt_at = now(),
        claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}::integer)
      FROM alert_routes r
      WHERE d.tenant_id = ${tenantId} AND d.delivery_id = ${deliveryId} AND d.state = 'pending'
        AND d.next_attempt_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until <= now())
        AND r.tenant_id = d.tenant_id AND r.route_id = d.route_id AND (r.enabled OR d.is_test)
      RETURNING d.tenant_id, d.delivery_id, d.alert_id, d.device_id, d.is_test, d.about, d.digest_alerts, d.attempts,
        d.earlier_attempts, d.recipients_left, d.created_at, d.delivered_at,
        r.route_id, r.kind, r.format, r.name, r.url_sealed, r.recipients, r.secret_sealed,
        r.previous_secret_sealed, r.previous_secret_until`,
  );
}

/** False where the claim was lost meanwhile. */
export async function finishDelivered(
  tx: Tx,
  claim: Claim,
  end: { status: number | null; note: string | null },
): Promise<boolean> {
  const done = await row(
    tx,
    sql<{ delivery_id: string }>`
      UPDATE alert_deliveries SET state = 'delivered', delivered_at = now(),
        next_attempt_at = NULL, claimed_until = NULL, recipients_left = NULL,
        last_status = ${end.status}, last_error = ${end.note}
      WHERE ${ownsClaim(claim)} RETURNING delivery_id`,
  );
  return done !== null;
}

/** Ends a claim without an attempt: another hub takes the delivery. False where the claim was lost meanwhile. */
export async function releaseDelivery(tx: Tx, claim: Claim): Promise<boolean> {
  const released = await row(
    tx,
    sql`
      UPDATE alert_deliveries SET attempts = attempts - 1, claimed_until = NULL
      WHERE ${ownsClaim(claim)} RETURNING 1`,
  );
  return released !== null;
}

/** Null seconds: given up. Gives when it is due again, or undefined where the claim was lost meanwhile. */
export async function finishFailed(
  tx: Tx,
  claim: Claim,
  end: {
    status: number | null;
    error: string;
    seconds: number | null;
    recipientsLeft: string[] | null;
  },
): Promise<{ next_attempt_at: Date | null } | undefined> {
  const left = end.recipientsLeft === null ? null : JSON.stringify(end.recipientsLeft);
  const done = await row(
    tx,
    sql<{ next_attempt_at: Date | null }>`
      UPDATE alert_deliveries SET claimed_until = NULL, last_status = ${end.status},
        last_error = ${end.error}, recipients_left = ${left}::jsonb,
        state = CASE WHEN ${end.seconds}::float8 IS NULL THEN 'failed' ELSE 'pending' END,
        next_attempt_at = date_trunc('milliseconds',
          now() + make_interval(secs => ${end.seconds}::float8))
      WHERE ${ownsClaim(claim)} RETURNING next_attempt_at`,
  );
  return done ?? undefined;
}

/** Of what had arrived before and cannot be sent again that stays true; why not is kept with it. */
export async function finishAsBefore(tx: Tx, claim: Claim, why: string): Promise<void> {
  await sql`
    UPDATE alert_deliveries SET state = 'delivered', next_attempt_at = NULL, claimed_until = NULL,
      last_error = ${why}
    WHERE ${ownsClaim(claim)}`.execute(tx);
}

const ownsClaim = (claim: Claim) => sql`
  tenant_id = ${claim.tenant_id} AND delivery_id = ${claim.delivery_id} AND state = 'pending'
  AND attempts = ${claim.attempts}`;

export interface DeliveryRecord {
  delivery_id: string;
  is_test: boolean;
  about: DeliveryAbout;
  alert_id: string;
  device_id: string;
  severity: Severity | null;
  digest_alerts: number | null;
  digest_id: string | null;
  state: DeliveryState;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
}

const COLUMNS = sql`
  delivery_id, is_test, alert_id, device_id, state, attempts, last_status, last_error, created_at,
  last_attempt_at, next_attempt_at, delivered_at, severity, digest_alerts, digest_id, about`;

export function selectDeliveries(
  db: Db,
  key: { tenantId: string; routeId: string },
  state: DeliveryState | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(DeliveryRecord & { sort_key: string })[]> {
  return rows(
    db,
    sql<DeliveryRecord & { sort_key: string }>`
      SELECT ${COLUMNS}, created_at::text AS sort_key FROM alert_deliveries
      WHERE tenant_id = ${key.tenantId} AND route_id = ${key.routeId}
        AND ${state === undefined ? ANY : sql`state = ${state}`}
        AND ${newestFirst(after, 'created_at', 'delivery_id')}
      ORDER BY created_at DESC, delivery_id LIMIT ${limit}`,
  );
}

export function selectDelivery(
  db: Db,
  key: { tenantId: string; routeId: string; deliveryId: string },
): Promise<DeliveryRecord | null> {
  return row(
    db,
    sql<DeliveryRecord>`
      SELECT ${COLUMNS} FROM alert_deliveries
      WHERE tenant_id = ${key.tenantId} AND route_id = ${key.routeId}
        AND delivery_id = ${key.deliveryId}`,
  );
}

/**
 * Makes it due at once, also one that was given up: that one is tried as often as a new one, or a target that is still
 * weak would have a single chance. Null where it is delivered already.
 */
export function makeDue(
  tx: Tx,
  key: { tenantId: string; deliveryId: string },
): Promise<DeliveryRecord | null> {
  return row(
    tx,
    sql<DeliveryRecord>`
      UPDATE alert_deliveries
      SET state = 'pending', next_attempt_at = date_trunc('milliseconds', now()),
        earlier_attempts = CASE WHEN state = 'pending' THEN earlier_attempts ELSE attempts END
      WHERE tenant_id = ${key.tenantId} AND delivery_id = ${key.deliveryId}
        AND state <> 'delivered'
      RETURNING ${COLUMNS}`,
  );
}

/**
 * Makes due what was given up in a time, or also what arrived: the oldest `limit`, with those of the last one's very
 * moment. Tests and alerts in digests are excluded. `moreFrom`: when the next one was made.
 */
export async function makeDueBetween(
  tx: Tx,
  key: { tenantId: string; routeId: string },
  range: { from: string; to: string; delivered: boolean; limit: number },
): Promise<{ ids: string[]; moreFrom: string | null }> {
  const states = range.delivered ? ['failed', 'delivered'] : ['failed'];
  const fitting = sql`
    tenant_id = ${key.tenantId} AND route_id = ${key.routeId} AND state = ANY (${states}::text[])
    AND NOT is_test AND digest_id IS NULL AND created_at < ${range.to}::timestamptz`;
  const chosen = await rows(
    tx,
    sql<{ delivery_id: string; made: string }>`
      SELECT delivery_id, created_at::text AS made FROM alert_deliveries
      WHERE ${fitting} AND created_at >= ${range.from}::timestamptz
      ORDER BY created_at FETCH FIRST (${range.limit}::integer) ROWS WITH TIES`,
  );
  const last = chosen.at(-1);
  if (last === undefined) return { ids: [], moreFrom: null };
  const next = await row(
    tx,
    sql<{ at: string | null }>`
      SELECT to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
      FROM alert_deliveries WHERE ${fitting} AND created_at > ${last.made}::timestamptz`,
  );
  const due = await rows(
    tx,
    sql<{ delivery_id: string }>`
      UPDATE alert_deliveries
      SET state = 'pending', next_attempt_at = date_trunc('milliseconds', now()),
        earlier_attempts = attempts
      WHERE ${fitting} AND delivery_id = ANY (${chosen.map((record) => record.delivery_id)}::uuid[])
      RETURNING delivery_id`,
  );
  return { ids: due.map((record) => record.delivery_id), moreFrom: next?.at ?? null };
}

/** Returns the deliveries that wait at a channel that was enabled again. */
export function selectWaiting(
  tx: Tx,
  tenantId: string,
  routeId: string,
): Promise<{ delivery_id: string; next_attempt_at: Date }[]> {
  return rows(
    tx,
    sql<{ delivery_id: string; next_attempt_at: Date }>`
      SELECT delivery_id, next_attempt_at FROM alert_deliveries
      WHERE tenant_id = ${tenantId} AND route_id = ${routeId} AND state = 'pending'
        AND digest_id IS NULL
      ORDER BY created_at LIMIT 10000`,
  );
}

/**
 * Due for a while, claimed by nobody: their job may be lost. Of all tenants; of each route the oldest, so that one with
 * a long queue hides no other.
 */
export function selectForgotten(
  tx: Tx,
  limit: number,
): Promise<{ tenant_id: string; route_id: string; delivery_id: string }[]> {
  return rows(
    tx,
    sql<{ tenant_id: string; route_id: string; delivery_id: string }>`
      SELECT tenant_id, route_id, delivery_id FROM (
        SELECT d.tenant_id, d.route_id, d.delivery_id, d.next_attempt_at, row_number() OVER
          (PARTITION BY d.tenant_id, d.route_id ORDER BY d.next_attempt_at) AS place
        FROM alert_deliveries d
        JOIN alert_routes r ON r.tenant_id = d.tenant_id AND r.route_id = d.route_id
        WHERE d.state = 'pending' AND d.next_attempt_at < now() - interval '30 seconds'
          AND (d.claimed_until IS NULL OR d.claimed_until < now()) AND (r.enabled OR d.is_test)
      ) AS due
      WHERE place <= 50 ORDER BY place, next_attempt_at LIMIT ${limit}`,
  );
}

/** Deletes old deliveries of all tenants, in any state. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await sql`
    DELETE FROM alert_deliveries
    WHERE created_at < now() - make_interval(days => ${days}::integer)`.execute(db);
}

export interface DeliveryCounts {
  waiting: number;
  oldest_waiting_at: Date | null;
  /** Given up in the last day. */
  failed: number;
}

/** How the tenant's deliveries are, tests left out; counting ends at `most`. */
export async function countDeliveries(
  db: Db,
  tenantId: string,
  most: number,
): Promise<DeliveryCounts> {
  const waiting = await row(
    db,
    sql<{ waiting: number; oldest: Date | null }>`
      SELECT count(*) AS waiting, min(created_at) AS oldest FROM (
        SELECT created_at FROM alert_deliveries
        WHERE tenant_id = ${tenantId} AND state = 'pending' AND NOT is_test
        ORDER BY created_at LIMIT ${most}) oldest`,
  );
  const failed = await row(
    db,
    sql<{ failed: number }>`
      SELECT count(*) AS failed FROM (
        SELECT 1 FROM alert_deliveries
        WHERE tenant_id = ${tenantId} AND state = 'failed' AND NOT is_test
          AND last_attempt_at > now() - interval '1 day' LIMIT ${most}) newest`,
  );
  return {
    waiting: waiting?.waiting ?? 0,
    oldest_waiting_at: waiting?.oldest ?? null,
    failed: failed?.failed ?? 0,
  };
}
