// All SQL of digests: the number of messages in a channel's current minute, and the alerts of each digest.
import { SEVERITIES, type Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import { NO_DEVICE } from './delivery-store.ts';
import type { Meter } from './digests.ts';

/**
 * The meters of these routes, locked until the transaction ends: whoever else has alerts for them waits. Always taken
 * before anything of the routes' deliveries.
 */
export async function lockMeters(
  tx: Tx,
  tenantId: string,
  routeIds: readonly string[],
): Promise<Map<string, { meter: Meter; now: Date }>> {
  const sorted = [...routeIds].sort();
  await sql`
    INSERT INTO alert_route_meters (tenant_id, route_id, window_started_at, alerts, gathers)
    SELECT ${tenantId}::uuid, route_id, to_timestamp(0), 0, false
    FROM unnest(${sorted}::uuid[]) AS route_id
    ON CONFLICT (tenant_id, route_id) DO NOTHING`.execute(tx);
  const records = await rows(
    tx,
    sql<{
      route_id: string;
      window_started_at: Date;
      alerts: number;
      gathers: boolean;
      digest_id: string | null;
      now: Date;
    }>`
      SELECT route_id, window_started_at, alerts, gathers, digest_id, clock_timestamp() AS now
      FROM alert_route_meters
      WHERE tenant_id = ${tenantId} AND route_id = ANY (${sorted}::uuid[])
      ORDER BY route_id FOR UPDATE`,
  );
  return new Map(
    records.map(({ route_id, window_started_at, alerts, gathers, digest_id, now }) => [
      route_id,
      {
        meter: { windowStartedAt: window_started_at, alerts, gathers, digestId: digest_id },
        now,
      },
    ]),
  );
}

export async function writeMeters(
  tx: Tx,
  tenantId: string,
  meters: readonly { routeId: string; meter: Meter }[],
): Promise<void> {
  const records = meters.map(({ routeId, meter }) => ({
    route_id: routeId,
    window_started_at: meter.windowStartedAt,
    alerts: meter.alerts,
    gathers: meter.gathers,
    digest_id: meter.digestId,
  }));
  await sql`
    UPDATE alert_route_meters m SET window_started_at = r.window_started_at, alerts = r.alerts,
      gathers = r.gathers, digest_id = r.digest_id
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(route_id uuid,
      window_started_at timestamptz, alerts integer, gathers boolean, digest_id uuid)
    WHERE m.tenant_id = ${tenantId} AND m.route_id = r.route_id`.execute(tx);
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
      SELECT delivery_id, digest_alerts FROM alert_deliveries
      WHERE tenant_id = ${tenantId} AND delivery_id = ANY (${digestIds}::uuid[])
        AND state = 'pending' AND attempts = 0
      ORDER BY delivery_id FOR UPDATE`,
  );
  return new Map(records.map((row) => [row.delivery_id, { alerts: row.digest_alerts }]));
}

export interface NewDigest {
  delivery_id: string;
  route_id: string;
  alerts: number;
  due_at: Date;
}

export async function insertDigests(
  tx: Tx,
  tenantId: string,
  digests: readonly NewDigest[],
): Promise<void> {
  if (digests.length === 0) return;
  await sql`
    INSERT INTO alert_deliveries
      (tenant_id, delivery_id, route_id, alert_id, device_id, is_test, state, created_at,
       next_attempt_at, digest_alerts)
    SELECT ${tenantId}::uuid, delivery_id, route_id, delivery_id, ${NO_DEVICE}::uuid, false,
      'pending', now(), date_trunc('milliseconds', due_at), alerts
    FROM json_to_recordset(${JSON.stringify(digests)}::json)
      AS made(delivery_id uuid, route_id uuid, alerts integer, due_at timestamptz)`.execute(tx);
}

/** More alerts come into digests that are open. */
export async function growDigests(
  tx: Tx,
  tenantId: string,
  grown: readonly { delivery_id: string; alerts: number }[],
): Promise<void> {
  if (grown.length === 0) return;
  await sql`
    UPDATE alert_deliveries d SET digest_alerts = d.digest_alerts + r.alerts
    FROM json_to_recordset(${JSON.stringify(grown)}::json) AS r(delivery_id uuid, alerts integer)
    WHERE d.tenant_id = ${tenantId} AND d.delivery_id = r.delivery_id`.execute(tx);
}

export interface DigestParts {
  counts: { severity: Severity; n: number }[];
  /** Worst first, then in the order of arrival. */
  first: { alert_id: string; device_id: string }[];
}

/** The content of a digest: counts of all alerts, and the first alerts. */
export async function selectDigest(
  db: Db,
  tenantId: string,
  digestId: string,
  most: number,
): Promise<DigestParts> {
  const counts = await rows(
    db,
    sql<{ severity: Severity; n: number }>`
      SELECT severity, count(*) AS n FROM alert_deliveries
      WHERE tenant_id = ${tenantId} AND digest_id = ${digestId} GROUP BY severity`,
  );
  const first = await rows(
    db,
    sql<{ alert_id: string; device_id: string }>`
      SELECT alert_id, device_id FROM alert_deliveries
      WHERE tenant_id = ${tenantId} AND digest_id = ${digestId}
      ORDER BY array_position(${[...SEVERITIES]}::text[], severity), created_at, delivery_id
      LIMIT ${most}`,
  );
  const order = (item: { severity: Severity }) => SEVERITIES.indexOf(item.severity);
  return { counts: counts.sort((a, b) => order(a) - order(b)), first };
}

/** Copies the state of a digest to each of its alerts. */
export async function finishParts(
  tx: Tx,
  tenantId: string,
  digestId: string,
  end: { state: 'delivered' | 'failed'; status: number | null; error: string | null },
): Promise<void> {
  const deliveredAt = end.state === 'delivered' ? sql`now()` : sql`NULL`;
  await sql`
    UPDATE alert_deliveries SET state = ${end.state}, delivered_at = ${deliveredAt},
      last_status = ${end.status}, last_error = ${end.error}
    WHERE tenant_id = ${tenantId} AND digest_id = ${digestId}`.execute(tx);
}

/** Deletes the counters of past minutes of all tenants, also of deleted channels. */
export async function deleteOldMeters(db: Db): Promise<void> {
  await sql`
    DELETE FROM alert_route_meters WHERE window_started_at < now() - interval '1 day'`.execute(db);
}
