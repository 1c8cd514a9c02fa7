// SQL of a tenant's opt-in to the management API.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';

export interface SettingsRow {
  enabled: boolean;
  version: number;
}

/** Returns the settings; version 1 without opt-in for a tenant that never chose. Null if there is no such tenant. */
export function selectSettings(db: Db, tenantId: string): Promise<SettingsRow | null> {
  return row(
    db,
    sql<SettingsRow>`
      SELECT coalesce(s.enabled, false) AS enabled, coalesce(s.version, 1) AS version
      FROM tenants t LEFT JOIN management_settings s ON s.tenant_id = t.tenant_id
      WHERE t.tenant_id = ${tenantId}`,
  );
}

/** Stores the settings. Returns null if another writer was faster. */
export function storeSettings(
  tx: Tx,
  tenantId: string,
  before: SettingsRow,
  enabled: boolean,
): Promise<SettingsRow | null> {
  return row(
    tx,
    sql<SettingsRow>`
      INSERT INTO management_settings AS s (tenant_id, enabled, version)
      VALUES (${tenantId}, ${enabled}, ${before.version + 1})
      ON CONFLICT (tenant_id) DO UPDATE SET enabled = excluded.enabled, version = excluded.version
      WHERE s.version = ${before.version}
      RETURNING enabled, version`,
  );
}
