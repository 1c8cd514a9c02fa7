import { TREND_DAYS, TREND_SERIES } from '@gatewarden/shared/wire/console/trends.ts';
import { sql } from 'kysely';
import { type Db, rows, transact } from '../../../platform/db/database.ts';
import { lockAgainstDeletion } from '../../../platform/db/tenant-rows.ts';
import { SEEN_TODAY } from '../inventory/index.ts';

/** A count of a tenant on a day; `day` is a date in UTC. */
export interface DailyCount {
  series: string;
  day: string;
  value: number;
}

/** Returns the counts of the last `days` days, oldest first. */
export function selectTrends(db: Db, tenantId: string, days: number): Promise<DailyCount[]> {
  return rows(
    db,
    sql<DailyCount>`
      SELECT series, to_char(day, 'YYYY-MM-DD') AS day, value FROM daily_counts
      WHERE tenant_id = ${tenantId} AND day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
      ORDER BY series, day`,
  );
}

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`;
const KEPT_DAYS = 400;
/** The series of a product's category. Citus sends a CASE with an operand to its workers without the operand's values. */
const SERIES_OF_CATEGORY = sql`CASE WHEN category = 'ai_tool' THEN 'ai_tools' ELSE 'mcp_servers' END`;

/** Stores the counts of every tenant with devices. */
export async function countDays(db: Db): Promise<void> {
  const tenants = await rows(
    db,
    sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM devices`,
  );
  for (const { tenant_id: tenantId } of tenants) await countDaysOf(db, tenantId);
}

/** Stores today's counts of a tenant, and those of earlier days for a series without counts. */
export function countDaysOf(db: Db, tenantId: string): Promise<void> {
  return transact(db, async (tx) => {
    if (await lockAgainstDeletion(tx, tenantId)) await storeDays(tx, tenantId);
  });
}

async function storeDays(db: Db, tenantId: string): Promise<void> {
  await backfillDays(db, tenantId);
  const ofTenant = sql`tenant_id = ${tenantId}::uuid`;
  await sql`
    INSERT INTO daily_counts (tenant_id, day, series, value)
    SELECT ${tenantId}::uuid, ${TODAY}, s.series, coalesce(c.value, 0)
    FROM unnest(${[...TREND_SERIES]}::text[]) AS s(series)
    LEFT JOIN (
      SELECT ${SERIES_OF_CATEGORY} AS series, count(*)::int AS value FROM inventory_products
      WHERE ${ofTenant} AND category IN ('ai_tool', 'mcp_server') AND device_count > 0 GROUP BY 1
      UNION ALL
      SELECT 'devices', count(*)::int FROM devices WHERE ${ofTenant} AND retired_at IS NULL
      UNION ALL
      SELECT 'devices_online', count(*)::int FROM devices
      WHERE ${ofTenant} AND retired_at IS NULL AND ${SEEN_TODAY}
      UNION ALL
      SELECT 'open_alerts', count(*)::int FROM alerts WHERE ${ofTenant} AND acknowledged_at IS NULL
    ) c ON c.series = s.series
    WHERE EXISTS (SELECT FROM devices WHERE ${ofTenant})
    ON CONFLICT (tenant_id, series, day) DO UPDATE SET value = excluded.value`.execute(db);
  await sql`
    DELETE FROM daily_counts
    WHERE ${ofTenant} AND day < ${TODAY} - ${KEPT_DAYS}::int`.execute(db);
}

/**
 * Stores the earlier days of series without a count yet, from stored times: the first installation of a product, the first
 * contact of a device, the arrival of an alert. Deleted objects are missing in them. Devices online have no earlier days,
 * because only the last contact of a device is stored.
 */
async function backfillDays(db: Db, tenantId: string): Promise<void> {
  await sql`
    INSERT INTO daily_counts (tenant_id, day, series, value)
    SELECT c.tenant_id, ${TODAY} - back, c.series, count(*)::int
    FROM (
      SELECT i.tenant_id, ${SERIES_OF_CATEGORY} AS series,
        least(i.first_seen_at, min(e.installed_at)) AS since, NULL::timestamptz AS until
      FROM inventory_products i
      JOIN products p ON p.tenant_id = i.tenant_id AND p.product_id = i.product_id
      JOIN entities e ON e.tenant_id = p.tenant_id AND e.entity_id = p.entity_id
        AND e.removed_at IS NULL
      WHERE i.tenant_id = ${tenantId} AND i.category IN ('ai_tool', 'mcp_server')
      GROUP BY i.tenant_id, i.product_id, i.category, i.first_seen_at
      UNION ALL
      SELECT tenant_id, 'devices', first_seen_at, retired_at FROM devices WHERE tenant_id = ${tenantId}
      UNION ALL
      SELECT tenant_id, 'open_alerts', received_at, acknowledged_at FROM alerts
      WHERE tenant_id = ${tenantId}) c
    JOIN generate_series(1, ${TREND_DAYS - 1}) AS back
      ON c.since < (${TODAY} - back + 1)::timestamp AT TIME ZONE 'UTC'
      AND (c.until IS NULL OR c.until >= (${TODAY} - back + 1)::timestamp AT TIME ZONE 'UTC')
    WHERE NOT EXISTS (SELECT FROM daily_counts d
      WHERE d.tenant_id = ${tenantId} AND d.series = c.series AND d.value > 0)
    GROUP BY 1, 2, 3
    ON CONFLICT DO NOTHING`.execute(db);
}
