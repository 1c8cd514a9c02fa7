// All SQL of digests: the number of messages in a channel's current minute, and the alerts of each digest.
import { SEVERITIES, type Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import { NO_DEVICE } from './delivery-store.ts';
import type { Meter } from './digests.ts';

/**
 * Returns the meters of channels, locked until the transaction ends. The locks are taken before those of deliveries, so
 * that no two transactions wait for each other.
 */
export async function lockMeters(
  tx: Tx,
  tenantId: string,
  channelIds: readonly string[],
): Promise<Map<string, { meter: Meter; now: Date }>> {
  const sorted = [...channelIds].sort();
  await sql`
    INSERT INTO channel_meters (tenant_id, channel_id, window_started_at, alerts, is_batching)
    SELECT ${tenantId}::uuid, channel_id, to_timestamp(0), 0, false
    FROM unnest(${sorted}::uuid[]) AS channel_id
    ON CONFLICT (tenant_id, channel_id) DO NOTHING`.execute(tx);
  const records = await rows(
    tx,
    sql<{
      channel_id: string;
      window_started_at: Date;
      alerts: number;
      is_batching: boolean;
      digest_id: string | null;
      now: Date;
    }>`
      SELECT channel_id, window_started_at, alerts, is_batching, digest_id, clock_timestamp() AS now
      FROM channel_meters
      WHERE tenant_id = ${tenantId} AND channel_id = ANY (${sorted}::uuid[])
      ORDER BY channel_id FOR UPDATE`,
  );
  return new Map(
    records.map(({ channel_id, window_started_at, alerts, is_batching, digest_id, now }) => [
      channel_id,
      {
        meter: {
          windowStartedAt: window_started_at,
          alerts,
          isBatching: is_batching,
          digestId: digest_id,
        },
        now,
      },
    ]),
  );
}

/** Stores meters that this transaction has locked. */
export async function writeMeters(
  tx: Tx,
  tenantId: string,
  meters: readonly { channelId: string; meter: Meter }[],
): Promise<void> {
  const records = meters.map(({ channelId, meter }) => ({
    channel_id: channelId,
    window_started_at: meter.windowStartedAt,
    alerts: meter.alerts,
    is_batching: meter.isBatching,
    digest_id: meter.digestId,
  }));
  await sql`
    UPDATE channel_meters m SET window_started_at = r.window_started_at, alerts = r.alerts,
      is_batching = r.is_batching, digest_id = r.digest_id
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(channel_id uuid,
      window_started_at timestamptz, alerts integer, is_batching boolean, digest_id uuid)
    WHERE m.tenant_id = ${tenantId} AND m.channel_id = r.channel_id`.execute(tx);
}

/** Returns and locks the digests without a delivery attempt, with the number of their alerts. */
export async function lockOpenDigests(
  tx: Tx,
  tenantId: string,
  digestIds: readonly string[],
): Promise<Map<string, { alerts: number }>> {
  if (digestIds.length === 0) return new Map();
  const records = await rows(
    tx,
    sql<{ delivery_id: string; digest_alerts: number }>`
      SELECT delivery_id, digest_alerts FROM notification_deliveries
      WHERE tenant_id = ${tenantId} AND delivery_id = ANY (${digestIds}::uuid[])
        AND state = 'pending' AND attempts = 0
      ORDER BY delivery_id FOR UPDATE`,
  );
  return new Map(records.map((row) => [row.delivery_id, { alerts: row.digest_alerts }]));
}

export interface NewDigest {
  delivery_id: string;
  channel_id: string;
  alerts: number;
  due_at: Date;
}

/** Stores digests as due at the end of their window. */
export async function insertDigests(
  tx: Tx,
  tenantId: string,
  digests: readonly NewDigest[],
): Promise<void> {
  if (digests.length === 0) return;
  await sql`
    INSERT INTO notification_deliveries
      (tenant_id, delivery_id, channel_id, alert_id, device_id, is_test, state, created_at,
       next_attempt_at, digest_alerts)
    SELECT ${tenantId}::uuid, delivery_id, channel_id, delivery_id, ${NO_DEVICE}::uuid, false,
      'pending', now(), date_trunc('milliseconds', due_at), alerts
    FROM json_to_recordset(${JSON.stringify(digests)}::json)
      AS digest(delivery_id uuid, channel_id uuid, alerts integer, due_at timestamptz)`.execute(tx);
}

/** Raises the number of alerts of open digests. */
export async function addToDigests(
  tx: Tx,
  tenantId: string,
  additions: readonly { delivery_id: string; alerts: number }[],
): Promise<void> {
  if (additions.length === 0) return;
  await sql`
    UPDATE notification_deliveries d SET digest_alerts = d.digest_alerts + r.alerts
    FROM json_to_recordset(${JSON.stringify(additions)}::json) AS r(delivery_id uuid, alerts integer)
    WHERE d.tenant_id = ${tenantId} AND d.delivery_id = r.delivery_id`.execute(tx);
}

export interface DigestContent {
  counts: { severity: Severity; n: number }[];
  /** The most severe first, then in the order of arrival. */
  first: { alert_id: string; device_id: string }[];
}

/** Returns the counts of all alerts of a digest, and its first `most` alerts. */
export async function selectDigest(
  db: Db,
  tenantId: string,
  digestId: string,
  most: number,
): Promise<DigestContent> {
  const counts = await rows(
    db,
    sql<{ severity: Severity; n: number }>`
      SELECT severity, count(*) AS n FROM notification_deliveries
      WHERE tenant_id = ${tenantId} AND digest_id = ${digestId} GROUP BY severity`,
  );
  const first = await rows(
    db,
    sql<{ alert_id: string; device_id: string }>`
      SELECT alert_id, device_id FROM notification_deliveries
      WHERE tenant_id = ${tenantId} AND digest_id = ${digestId}
      ORDER BY array_position(${[...SEVERITIES]}::text[], severity), created_at, delivery_id
      LIMIT ${most}`,
  );
  const order = (item: { severity: Severity }) => SEVERITIES.indexOf(item.severity);
  return { counts: counts.sort((a, b) => order(a) - order(b)), first };
}

/** Copies the state of a digest to each of its alerts. */
export async function finishDigestAlerts(
  tx: Tx,
  tenantId: string,
  digestId: string,
  end: { state: 'delivered' | 'failed'; status: number | null; error: string | null },
): Promise<void> {
  const deliveredAt = end.state === 'delivered' ? sql`now()` : sql`NULL`;
  await sql`
    UPDATE notification_deliveries SET state = ${end.state}, delivered_at = ${deliveredAt},
      last_status = ${end.status}, last_error = ${end.error}
    WHERE tenant_id = ${tenantId} AND digest_id = ${digestId}`.execute(tx);
}

/** Deletes the counters of past minutes of all tenants, also of deleted channels. */
export async function deleteOldMeters(db: Db): Promise<void> {
  await sql`
    DELETE FROM channel_meters WHERE window_started_at < now() - interval '1 day'`.execute(db);
}
