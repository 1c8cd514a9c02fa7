// SQL of a device's sync health: stored in its row, because any hub process can receive the next poll.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../../../platform/db/database.ts';
import { NEW_EPOCH } from '../enrollment/index.ts';

interface Key {
  tenantId: string;
  deviceId: string;
}

/** Start of the current inventory mismatch; null if the inventories are equal now. */
export async function markUnequal(
  tx: Tx,
  { tenantId, deviceId }: Key,
  inventory: Buffer,
  now: Date,
): Promise<Date | null> {
  const marked = await row(
    tx,
    sql<{ since: Date }>`
      UPDATE devices
      SET inventory_unequal_since = coalesce(inventory_unequal_since, ${now}::timestamptz)
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND inventory_hash <> ${inventory}
      RETURNING inventory_unequal_since AS since`,
  );
  return marked?.since ?? null;
}

export async function clearUnequal(tx: Tx, { tenantId, deviceId }: Key): Promise<void> {
  await sql`
    UPDATE devices SET inventory_unequal_since = NULL
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}

/** Begins a new epoch, unless a mismatch began an epoch since `notSince`. */
export async function markInventorySuspect(
  tx: Tx,
  { tenantId, deviceId }: Key,
  now: Date,
  notSince: Date,
): Promise<void> {
  await sql`
      UPDATE devices SET ${NEW_EPOCH}, inventory_doubted_at = ${now},
        inventory_unequal_since = NULL
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND (inventory_doubted_at IS NULL OR inventory_doubted_at < ${notSince})`.execute(tx);
}

/** Notes that the device is made to pull everything anew, unless it was since `notSince`; true where it was noted. */
export async function markReset(
  db: Db,
  { tenantId, deviceId }: Key,
  now: Date,
  notSince: Date,
): Promise<boolean> {
  const marked = await row(
    db,
    sql`
      UPDATE devices SET governance_reset_at = ${now}
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND (governance_reset_at IS NULL OR governance_reset_at < ${notSince})
      RETURNING 1`,
  );
  return marked !== null;
}
