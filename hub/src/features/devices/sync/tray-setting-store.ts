// SQL of what people may do in the tray app.
import type { TraySettingInput } from '@gatewarden/shared/wire/console/tray-setting.ts';
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';

export interface StoredTraySetting extends TraySettingInput {
  version: number;
}

const COLUMNS = sql`
  tray_pause_minutes AS pause_minutes, tray_contact AS contact, tray_version AS version`;

export function selectTraySetting(db: Db, tenantId: string): Promise<StoredTraySetting | null> {
  return row(
    db,
    sql<StoredTraySetting>`SELECT ${COLUMNS} FROM tenants WHERE tenant_id = ${tenantId}`,
  );
}

/** Null where another writer was faster. */
export function updateTraySetting(
  tx: Tx,
  tenantId: string,
  version: number,
  wanted: TraySettingInput,
): Promise<StoredTraySetting | null> {
  return row(
    tx,
    sql<StoredTraySetting>`
      UPDATE tenants SET tray_pause_minutes = ${wanted.pause_minutes},
        tray_contact = ${wanted.contact}, tray_version = tray_version + 1
      WHERE tenant_id = ${tenantId} AND tray_version = ${version} RETURNING ${COLUMNS}`,
  );
}
