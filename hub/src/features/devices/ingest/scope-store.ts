// SQL of what is erased because the tenant no longer lets discovery look there.
import { xorHash } from '@gatewarden/shared/digests.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { NEW_EPOCH } from '../enrollment/index.ts';
import type { PresentEntity } from './merge.ts';

const CHUNK_SIZE = 500;

/** Returns devices of tenants with a discovery scope, if the inventory changed since its last comparison with the scope. */
export function selectDevicesToScope(db: Db): Promise<{ tenant_id: string; device_id: string }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; device_id: string }>`
      SELECT d.tenant_id, d.device_id FROM devices d JOIN tenants t ON t.tenant_id = d.tenant_id
      WHERE NOT (t.personal_homes AND t.browser_profiles)
        AND d.scoped_version IS DISTINCT FROM d.inventory_version
      ORDER BY d.tenant_id, d.device_id LIMIT ${CHUNK_SIZE}`,
  );
}

export interface OutOfScope {
  /** Found in places that are kept back, and nowhere else. */
  exclusive: PresentEntity[];
  /** The machine has them too, or had. */
  shared: PresentEntity[];
}

/** Locks the device; null where it is gone, or its tenant keeps nothing back any more. */
export async function selectOutOfScope(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<OutOfScope | null> {
  const locked = await row(
    tx,
    sql<{ personal_homes: boolean; browser_profiles: boolean }>`
      SELECT t.personal_homes, t.browser_profiles FROM devices d
      JOIN tenants t ON t.tenant_id = d.tenant_id
      WHERE d.tenant_id = ${tenantId} AND d.device_id = ${deviceId} FOR UPDATE OF d`,
  );
  if (locked === null || (locked.personal_homes && locked.browser_profiles)) return null;
  const records = await rows(
    tx,
    sql<PresentEntity & { whole: boolean }>`
      SELECT * FROM (
        SELECT encode(entity_id, 'hex') AS entity_id, encode(content_hash, 'hex') AS content_hash,
          scan_seq, version, removed_at IS NOT NULL AS removed,
          (NOT ${locked.browser_profiles}::boolean AND kind = 'browser_extension')
            OR (NOT ${locked.personal_homes}::boolean AND ${OWNED} = jsonb_array_length(instances))
            AS whole,
          NOT ${locked.personal_homes}::boolean AND ${OWNED} > 0 AS owned
        FROM entities WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
          AND (jsonb_array_length(instances) > 0 OR kind = 'browser_extension')) e
      WHERE (whole AND (owned OR NOT ${locked.browser_profiles}::boolean)) OR owned
      ORDER BY entity_id`,
  );
  return {
    exclusive: records.filter((entity) => entity.whole),
    shared: records.filter((entity) => !entity.whole),
  };
}

/** The number of an entity's instances in homes of users. */
const OWNED = sql`(
  SELECT count(*) FROM jsonb_array_elements(instances) i WHERE i ->> 'owner' IS NOT NULL)`;

export async function deleteOutOfScope(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const keys = ids.map((id) => Buffer.from(id, 'hex'));
  await sql`
    DELETE FROM entities WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
      AND entity_id = ANY (${keys})`.execute(tx);
  await sql`
    DELETE FROM product_drifts WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
      AND entity_id = ANY (${keys})`.execute(tx);
}

/** Removes the instances in homes from these entities. They count as removed until the device reports them again. */
export async function stripOwners(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const keys = ids.map((id) => Buffer.from(id, 'hex'));
  await sql`
    UPDATE entities SET removed_at = coalesce(removed_at, ${new Date()}::timestamptz),
      executables = '[]', install_path = NULL, details = NULL,
      instances = coalesce((SELECT jsonb_agg(i) FROM jsonb_array_elements(instances) i
        WHERE i ->> 'owner' IS NULL), '[]')
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
      AND entity_id = ANY (${keys})`.execute(tx);
  await sql`
    UPDATE product_drifts SET former = NULL
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
      AND entity_id = ANY (${keys})`.execute(tx);
}

/** Marks a device as scoped. A device with erased rows begins a new epoch, which makes it send its whole inventory. */
export async function markScoped(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  by: { isChanged: boolean; hashChange: Buffer; entityCountChange: number },
): Promise<void> {
  if (!by.isChanged) {
    await sql`
      UPDATE devices SET scoped_version = inventory_version
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
    return;
  }
  const before = await row(
    tx,
    sql<{ inventory_hash: Buffer }>`
      SELECT inventory_hash FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
  const hash = xorHash(before?.inventory_hash ?? Buffer.alloc(32), by.hashChange);
  await sql`
    UPDATE devices SET inventory_hash = ${hash}, inventory_version = inventory_version + 1,
      scoped_version = inventory_version + 1, ${NEW_EPOCH},
      entity_count = entity_count + ${by.entityCountChange}::integer
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}
