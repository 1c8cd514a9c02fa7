// SQL of what a tenant lets discovery look at.
import type { DiscoveryScopeInput } from '@gatewarden/shared/wire/console/discovery-scope.ts';
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';

export interface DiscoverySetting extends DiscoveryScopeInput {
  version: number;
}

const COLUMNS = sql`personal_homes, browser_profiles, discovery_version AS version`;

export function selectDiscovery(db: Db, tenantId: string): Promise<DiscoverySetting | null> {
  return row(
    db,
    sql<DiscoverySetting>`SELECT ${COLUMNS} FROM tenants WHERE tenant_id = ${tenantId}`,
  );
}

/** Null where another writer was faster. Every device's inventory is to be held against it anew. */
export async function updateDiscovery(
  tx: Tx,
  tenantId: string,
  version: number,
  scope: DiscoveryScopeInput,
): Promise<DiscoverySetting | null> {
  const stored = await row(
    tx,
    sql<DiscoverySetting>`
      UPDATE tenants SET personal_homes = ${scope.personal_homes},
        browser_profiles = ${scope.browser_profiles}, discovery_version = discovery_version + 1
      WHERE tenant_id = ${tenantId} AND discovery_version = ${version} RETURNING ${COLUMNS}`,
  );
  // Locks in the order of ingest, to prevent deadlocks.
  await sql`
    SELECT FROM devices WHERE tenant_id = ${tenantId} AND scoped_version IS NOT NULL
    ORDER BY device_id FOR NO KEY UPDATE`.execute(tx);
  await sql`
    UPDATE devices SET scoped_version = NULL
    WHERE tenant_id = ${tenantId} AND scoped_version IS NOT NULL`.execute(tx);
  return stored;
}
