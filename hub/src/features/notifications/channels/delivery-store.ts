// All SQL of deliveries. A delivery has a single target: a channel, or an address or webhook of a gateway app.
// States: pending → delivered, or pending again for a retry → failed. A process claims a delivery by counting an
// attempt, so that no two processes send it; a result is stored only while the claim is valid.
import { randomUUID } from 'node:crypto';
import type { DeliveryState } from '@gatewarden/shared/wire/console/notification-channels.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/db/list-conditions.ts';
import type { ChannelRecord } from './channel-store.ts';

export const NO_DEVICE = '00000000-0000-0000-0000-000000000000';
/** Longer than any attempt: after it the process that claimed the delivery counts as dead. */
const CLAIM_SECONDS = 45;

export type DeliverySubject = 'alert' | 'access_request' | 'app_alert' | 'budget_notice';

export interface NewDelivery {
  delivery_id: string;
  channel_id: string;
  /** The id of the alert or access request; a test has an id of its own. */
  alert_id: string;
  /** Null for a test. */
  severity: Severity | null;
  /** The digest that contains the alert; null for a message of its own. */
  digest_id: string | null;
}

export type InsertedDelivery = Pick<NewDelivery, 'delivery_id' | 'channel_id' | 'digest_id'>;

/** Stores deliveries to channels. Returns the new ones: an alert is delivered to a channel once. */
export function insertDeliveries(
  tx: Tx,
  key: { tenantId: string; deviceId: string; isTest: boolean; subject?: DeliverySubject },
  deliveries: readonly NewDelivery[],
): Promise<InsertedDelivery[]> {
  // An alert in a digest is never due: its digest is.
  const records = deliveries.map((delivery) => ({
    ...delivery,
    due_in: delivery.digest_id === null ? '0' : null,
  }));
  return rows(
    tx,
    sql<InsertedDelivery>`
      INSERT INTO notification_deliveries
        (tenant_id, delivery_id, channel_id, alert_id, device_id, is_test, state, created_at,
         next_attempt_at, severity, digest_id, subject)
      SELECT ${key.tenantId}::uuid, delivery_id, channel_id, alert_id, ${key.deviceId}::uuid,
        ${key.isTest}::boolean, 'pending', now(),
        date_trunc('milliseconds', now() + due_in), severity, digest_id,
        ${key.subject ?? 'alert'}::text
      FROM json_to_recordset(${JSON.stringify(records)}::json)
        AS sent(delivery_id uuid, channel_id uuid, alert_id uuid, severity text, digest_id uuid,
          due_in interval)
      ON CONFLICT (tenant_id, channel_id, alert_id, device_id) DO NOTHING
      RETURNING delivery_id, channel_id, digest_id`,
  );
}

/** Stores a test of a channel, due at once. Returns its id. */
export async function insertTest(tx: Tx, tenantId: string, channelId: string): Promise<string> {
  const id = randomUUID();
  const ids = { delivery_id: id, channel_id: channelId, alert_id: randomUUID() };
  await insertDeliveries(tx, { tenantId, deviceId: NO_DEVICE, isTest: true }, [
    { ...ids, severity: null, digest_id: null },
  ]);
  return id;
}

/** A target of an app: an e-mail address, or the id of a webhook in the app's configuration. */
export interface AppTarget {
  app_id: string;
  app_target_kind: 'email' | 'webhook';
  app_target: string;
}

type NoAppTarget = { [Column in keyof AppTarget]: null };

/** Stores deliveries to targets of an app as due. `facts`: the content of the message, as its formatter reads it. */
export async function insertAppDeliveries(
  tx: Tx,
  tenantId: string,
  facts: object,
  deliveries: readonly (AppTarget & { delivery_id: string })[],
): Promise<void> {
  await sql`
    INSERT INTO notification_deliveries
      (tenant_id, delivery_id, app_id, app_target_kind, app_target, facts, alert_id, device_id,
       is_test, state, created_at, next_attempt_at, subject)
    SELECT ${tenantId}::uuid, delivery_id, app_id, app_target_kind, app_target,
      ${JSON.stringify(facts)}::jsonb, delivery_id, ${NO_DEVICE}::uuid, false, 'pending', now(),
      date_trunc('milliseconds', now()), 'app_alert'
    FROM json_to_recordset(${JSON.stringify(deliveries)}::json)
      AS d (delivery_id uuid, app_id uuid, app_target_kind text, app_target text)`.execute(tx);
}

/** The target of a delivery to a channel. */
export type ChannelTarget = Pick<
  ChannelRecord,
  | 'channel_id'
  | 'kind'
  | 'format'
  | 'name'
  | 'url_sealed'
  | 'recipients'
  | 'secret_sealed'
  | 'previous_secret_sealed'
  | 'previous_secret_until'
>;

/** A claimed delivery with its target. */
export type Claim = ClaimedDelivery &
  ((ChannelTarget & NoAppTarget) | ({ channel_id: null } & AppTarget & { facts: object }));

export interface ClaimedDelivery {
  tenant_id: string;
  delivery_id: string;
  alert_id: string;
  device_id: string;
  is_test: boolean;
  subject: DeliverySubject;
  /** The number of alerts of a digest; null for every other delivery. */
  digest_alerts: number | null;
  attempts: number;
  /** The attempts before a user retried the delivery: the retry schedule began anew. */
  earlier_attempts: number;
  recipients_left: string[] | null;
  created_at: Date;
  /** The time of an earlier success; null unless a delivered message is replayed. */
  delivered_at: Date | null;
}

/** The delivery has no channel, or its channel is enabled. A test is sent through a disabled channel, too. */
const hasTarget = sql`
  (d.channel_id IS NULL OR EXISTS (
    SELECT 1 FROM notification_channels e
    WHERE e.tenant_id = d.tenant_id AND e.channel_id = d.channel_id AND (e.enabled OR d.is_test)))`;

/**
 * Claims a delivery and counts the attempt. Returns null for a delivery that is finished, not due, claimed by another
 * process, or of a disabled or deleted channel.
 */
export function claimDelivery(db: Db, tenantId: string, deliveryId: string): Promise<Claim | null> {
  return row(
    db,
    sql<Claim>`
      WITH claimed AS (
        UPDATE notification_deliveries d SET attempts = d.attempts + 1, last_attempt_at = now(),
          claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}::integer)
        WHERE d.tenant_id = ${tenantId} AND d.delivery_id = ${deliveryId} AND d.state = 'pending'
          AND d.next_attempt_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until <= now())
          AND ${hasTarget}
        RETURNING d.*)
      SELECT d.tenant_id, d.delivery_id, d.alert_id, d.device_id, d.is_test, d.subject,
        d.digest_alerts, d.attempts, d.earlier_attempts, d.recipients_left, d.created_at,
        d.delivered_at, d.channel_id, d.app_id, d.app_target_kind, d.app_target, d.facts,
        c.kind, c.format, c.name, c.url_sealed, c.recipients, c.secret_sealed,
        c.previous_secret_sealed, c.previous_secret_until
      FROM claimed d LEFT JOIN notification_channels c
        ON c.tenant_id = d.tenant_id AND c.channel_id = d.channel_id`,
  );
}

/** Stores a success. Returns false if the claim was lost meanwhile. */
export async function finishDelivered(
  tx: Tx,
  claim: Claim,
  end: { status: number | null; note: string | null },
): Promise<boolean> {
  const finished = await row(
    tx,
    sql<{ delivery_id: string }>`
      UPDATE notification_deliveries SET state = 'delivered', delivered_at = now(),
        next_attempt_at = NULL, claimed_until = NULL, recipients_left = NULL,
        last_status = ${end.status}, last_error = ${end.note}
      WHERE ${ownsClaim(claim)} RETURNING delivery_id`,
  );
  return finished !== null;
}

/** Ends a claim without an attempt: another hub takes the delivery. Returns false if the claim was lost meanwhile. */
export async function releaseDelivery(tx: Tx, claim: Claim): Promise<boolean> {
  const released = await row(
    tx,
    sql`
      UPDATE notification_deliveries SET attempts = attempts - 1, claimed_until = NULL
      WHERE ${ownsClaim(claim)} RETURNING 1`,
  );
  return released !== null;
}

/**
 * Stores a failure. `seconds` until the next attempt; null: the delivery has failed. Returns the time of the next
 * attempt, or undefined if the claim was lost meanwhile.
 */
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
  const finished = await row(
    tx,
    sql<{ next_attempt_at: Date | null }>`
      UPDATE notification_deliveries SET claimed_until = NULL, last_status = ${end.status},
        last_error = ${end.error}, recipients_left = ${left}::jsonb,
        state = CASE WHEN ${end.seconds}::float8 IS NULL THEN 'failed' ELSE 'pending' END,
        next_attempt_at = date_trunc('milliseconds',
          now() + make_interval(secs => ${end.seconds}::float8))
      WHERE ${ownsClaim(claim)} RETURNING next_attempt_at`,
  );
  return finished ?? undefined;
}

/** Returns a replayed delivery to its earlier success, with the reason that it was not sent again. */
export async function restoreDelivered(tx: Tx, claim: Claim, reason: string): Promise<void> {
  await sql`
    UPDATE notification_deliveries SET state = 'delivered', next_attempt_at = NULL,
      claimed_until = NULL, last_error = ${reason}
    WHERE ${ownsClaim(claim)}`.execute(tx);
}

const ownsClaim = (claim: Claim) => sql`
  tenant_id = ${claim.tenant_id} AND delivery_id = ${claim.delivery_id} AND state = 'pending'
  AND attempts = ${claim.attempts}`;

export interface DeliveryRecord {
  delivery_id: string;
  is_test: boolean;
  subject: DeliverySubject;
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
  last_attempt_at, next_attempt_at, delivered_at, severity, digest_alerts, digest_id, subject`;

/** Returns the deliveries of a channel, the newest first. */
export function selectDeliveries(
  db: Db,
  key: { tenantId: string; channelId: string },
  state: DeliveryState | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(DeliveryRecord & { sort_key: string })[]> {
  return rows(
    db,
    sql<DeliveryRecord & { sort_key: string }>`
      SELECT ${COLUMNS}, created_at::text AS sort_key FROM notification_deliveries
      WHERE tenant_id = ${key.tenantId} AND channel_id = ${key.channelId}
        AND ${state === undefined ? ANY : sql`state = ${state}`}
        AND ${newestFirst(after, 'created_at', 'delivery_id')}
      ORDER BY created_at DESC, delivery_id LIMIT ${limit}`,
  );
}

/** Returns a delivery of a channel, or null. */
export function selectDelivery(
  db: Db,
  key: { tenantId: string; channelId: string; deliveryId: string },
): Promise<DeliveryRecord | null> {
  return row(
    db,
    sql<DeliveryRecord>`
      SELECT ${COLUMNS} FROM notification_deliveries
      WHERE tenant_id = ${key.tenantId} AND channel_id = ${key.channelId}
        AND delivery_id = ${key.deliveryId}`,
  );
}

/**
 * Makes a delivery due. The retry schedule of a failed delivery begins anew, because a single attempt would be too few
 * for a target that recovers slowly. Returns null for a delivered message.
 */
export function requeueDelivery(
  tx: Tx,
  key: { tenantId: string; deliveryId: string },
): Promise<DeliveryRecord | null> {
  return row(
    tx,
    sql<DeliveryRecord>`
      UPDATE notification_deliveries
      SET state = 'pending', next_attempt_at = date_trunc('milliseconds', now()),
        earlier_attempts = CASE WHEN state = 'pending' THEN earlier_attempts ELSE attempts END
      WHERE tenant_id = ${key.tenantId} AND delivery_id = ${key.deliveryId}
        AND state <> 'delivered'
      RETURNING ${COLUMNS}`,
  );
}

/**
 * Makes failed deliveries of a period due, and delivered ones if `delivered`: the oldest `limit`, and all that were
 * created at the same time as the last. Tests and alerts in digests are excluded. `moreFrom`: the creation time of the
 * next delivery.
 */
export async function requeueDeliveries(
  tx: Tx,
  key: { tenantId: string; channelId: string },
  range: { from: string; to: string; delivered: boolean; limit: number },
): Promise<{ ids: string[]; moreFrom: string | null }> {
  const states = range.delivered ? ['failed', 'delivered'] : ['failed'];
  const matches = sql`
    tenant_id = ${key.tenantId} AND channel_id = ${key.channelId} AND state = ANY (${states}::text[])
    AND NOT is_test AND digest_id IS NULL AND created_at < ${range.to}::timestamptz`;
  const selected = await rows(
    tx,
    sql<{ delivery_id: string; created: string }>`
      SELECT delivery_id, created_at::text AS created FROM notification_deliveries
      WHERE ${matches} AND created_at >= ${range.from}::timestamptz
      ORDER BY created_at FETCH FIRST (${range.limit}::integer) ROWS WITH TIES`,
  );
  const last = selected.at(-1);
  if (last === undefined) return { ids: [], moreFrom: null };
  const next = await row(
    tx,
    sql<{ at: string | null }>`
      SELECT to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
      FROM notification_deliveries WHERE ${matches} AND created_at > ${last.created}::timestamptz`,
  );
  const ids = selected.map((record) => record.delivery_id);
  const due = await rows(
    tx,
    sql<{ delivery_id: string }>`
      UPDATE notification_deliveries
      SET state = 'pending', next_attempt_at = date_trunc('milliseconds', now()),
        earlier_attempts = attempts
      WHERE ${matches} AND delivery_id = ANY (${ids}::uuid[])
      RETURNING delivery_id`,
  );
  return { ids: due.map((record) => record.delivery_id), moreFrom: next?.at ?? null };
}

/** Returns the pending deliveries of a channel, at most 10,000. */
export function selectPendingDeliveries(
  tx: Tx,
  tenantId: string,
  channelId: string,
): Promise<{ delivery_id: string; next_attempt_at: Date }[]> {
  return rows(
    tx,
    sql<{ delivery_id: string; next_attempt_at: Date }>`
      SELECT delivery_id, next_attempt_at FROM notification_deliveries
      WHERE tenant_id = ${tenantId} AND channel_id = ${channelId} AND state = 'pending'
        AND digest_id IS NULL
      ORDER BY created_at LIMIT 10000`,
  );
}

/** The columns that identify the target of a delivery. */
export type TargetColumns =
  | ({ channel_id: string } & NoAppTarget)
  | ({ channel_id: null } & AppTarget);

export type LostDelivery = TargetColumns & { tenant_id: string; delivery_id: string };

/**
 * Returns deliveries of all tenants that have been due for 30 seconds without a claim: their job was lost. At most 50
 * for each target, the oldest first, so that a target with many deliveries hides no other target.
 */
export function selectLostDeliveries(tx: Tx, limit: number): Promise<LostDelivery[]> {
  return rows(
    tx,
    sql<LostDelivery>`
      SELECT tenant_id, delivery_id, channel_id, app_id, app_target_kind, app_target FROM (
        SELECT d.tenant_id, d.delivery_id, d.channel_id, d.app_id, d.app_target_kind, d.app_target,
          d.next_attempt_at, row_number() OVER
          (PARTITION BY d.tenant_id, d.channel_id, d.app_id, d.app_target_kind, d.app_target
           ORDER BY d.next_attempt_at) AS place
        FROM notification_deliveries d
        WHERE d.state = 'pending' AND d.next_attempt_at < now() - interval '30 seconds'
          AND (d.claimed_until IS NULL OR d.claimed_until < now()) AND ${hasTarget}
      ) AS due
      WHERE place <= 50 ORDER BY place, next_attempt_at LIMIT ${limit}`,
  );
}

/** Deletes deliveries of all tenants that are older than `days`, in any state. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await sql`
    DELETE FROM notification_deliveries
    WHERE created_at < now() - make_interval(days => ${days}::integer)`.execute(db);
}

export interface DeliveryCounts {
  waiting: number;
  oldest_waiting_at: Date | null;
  /** Failed in the last day. */
  failed: number;
}

/** Counts a tenant's deliveries to channels and apps, without tests; each count ends at `most`. */
export async function countDeliveries(
  db: Db,
  tenantId: string,
  most: number,
): Promise<DeliveryCounts> {
  const waiting = await row(
    db,
    sql<{ waiting: number; oldest: Date | null }>`
      SELECT count(*) AS waiting, min(created_at) AS oldest FROM (
        SELECT created_at FROM notification_deliveries
        WHERE tenant_id = ${tenantId} AND state = 'pending' AND NOT is_test
        ORDER BY created_at LIMIT ${most}) oldest`,
  );
  const failed = await row(
    db,
    sql<{ failed: number }>`
      SELECT count(*) AS failed FROM (
        SELECT 1 FROM notification_deliveries
        WHERE tenant_id = ${tenantId} AND state = 'failed' AND NOT is_test
          AND last_attempt_at > now() - interval '1 day' LIMIT ${most}) newest`,
  );
  return {
    waiting: waiting?.waiting ?? 0,
    oldest_waiting_at: waiting?.oldest ?? null,
    failed: failed?.failed ?? 0,
  };
}
