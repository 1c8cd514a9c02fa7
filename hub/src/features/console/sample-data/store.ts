import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';
import { SAMPLE_DOMAIN } from './fleet.ts';

/** Returns the ids of a tenant's devices. */
export async function selectDeviceIds(tx: Tx, tenantId: string): Promise<string[]> {
  const found = await sql<{ device_id: string }>`
    SELECT device_id FROM devices WHERE tenant_id = ${tenantId}`.execute(tx);
  return found.rows.map(({ device_id }) => device_id);
}

/** Returns whether a tenant has neither devices nor gateway configuration nor policies. */
export async function isTenantEmpty(db: Db, tenantId: string): Promise<boolean> {
  const found = await row(
    db,
    sql<{ is_empty: boolean }>`
      SELECT NOT EXISTS (SELECT FROM devices WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT FROM overrides WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT FROM apps WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT FROM providers WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT FROM mcp_backends WHERE tenant_id = ${tenantId}) AS is_empty`,
  );
  return found?.is_empty === true;
}

/** Returns whether a tenant has devices of the sample data, and how many others. */
export async function selectSampleState(
  db: Db,
  tenantId: string,
): Promise<{ is_loaded: boolean; other_devices: number }> {
  const found = await row(
    db,
    sql<{ sample: number; other: number }>`
      SELECT count(*) FILTER (WHERE subscriber_id LIKE ${`%@${SAMPLE_DOMAIN}`})::int AS sample,
        count(*) FILTER (WHERE subscriber_id NOT LIKE ${`%@${SAMPLE_DOMAIN}`})::int AS other
      FROM devices WHERE tenant_id = ${tenantId}`,
  );
  return { is_loaded: (found?.sample ?? 0) > 0, other_devices: found?.other ?? 0 };
}
