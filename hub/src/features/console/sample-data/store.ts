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
      SELECT NOT EXISTS (SELECT 1 FROM devices WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT 1 FROM overrides WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT 1 FROM apps WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT 1 FROM providers WHERE tenant_id = ${tenantId})
        AND NOT EXISTS (SELECT 1 FROM mcp_backends WHERE tenant_id = ${tenantId}) AS is_empty`,
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

/**
 * Deletes user groups with these names and only users of the sample data, the tokens of their devices, and the revoked tokens
 * named `tokenName`; also log export keys of single apps and MCP servers, which are removed with the sample data. Returns the
 * number of rows.
 */
export async function deleteSampleAccess(
  tx: Tx,
  tenantId: string,
  { groups, tokenName }: { groups: readonly string[]; tokenName: string },
): Promise<number> {
  const statements = [
    sql`DELETE FROM people_groups g
      WHERE tenant_id = ${tenantId} AND name = ANY (${[...groups]}::text[])
        AND NOT EXISTS (SELECT 1 FROM people_group_members m
          WHERE m.tenant_id = g.tenant_id AND m.group_id = g.group_id
            AND m.email_folded NOT LIKE ${`%@${SAMPLE_DOMAIN}`})`,
    sql`DELETE FROM people_group_members m WHERE tenant_id = ${tenantId}
      AND NOT EXISTS (SELECT 1 FROM people_groups g
        WHERE g.tenant_id = m.tenant_id AND g.group_id = m.group_id)`,
    sql`DELETE FROM agent_tokens WHERE tenant_id = ${tenantId}
      AND (subscriber_id LIKE ${`%@${SAMPLE_DOMAIN}`} OR (name = ${tokenName} AND revoked_at IS NOT NULL))`,
    sql`DELETE FROM node_tokens WHERE tenant_id = ${tenantId}
      AND name = ${tokenName} AND revoked_at IS NOT NULL`,
    sql`DELETE FROM log_export_keys WHERE tenant_id = ${tenantId} AND scope IN ('app', 'backend')`,
  ];
  let total = 0;
  for (const statement of statements) {
    const deleted = await statement.execute(tx);
    total += Number(deleted.numAffectedRows ?? 0n);
  }
  return total;
}
