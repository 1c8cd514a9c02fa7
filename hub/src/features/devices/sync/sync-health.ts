// What the hub does about a device that does not follow: another inventory for longer than a scan takes begins a new
// epoch, at most once a day; other overrides than it should hold make it pull everything anew, at most once an hour. Both
// are stored in the device's row, so that they apply to all hub processes; a device in sync costs no statement.
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { PolledDevice } from '../enrollment/index.ts';
import { clearUnequal, markInventorySuspect, markReset, markUnequal } from './sync-health-store.ts';

/** Longer than a scan takes, and than the longest pause between two tries of an agent. */
const UNEQUAL_GRACE_MS = 30 * 60_000;
const SUSPECT_COOLDOWN_MS = 24 * 3_600_000;
const RESET_COOLDOWN_MS = 3_600_000;

/** The time from which an equal poll has to be evaluated again. */
export function recheckAt(device: PolledDevice | null, inventory: string | undefined): number {
  if (device === null || inventory === undefined || hasSameInventory(device, inventory)) {
    return Number.POSITIVE_INFINITY;
  }
  const { inventory_unequal_since: since, inventory_doubted_at: doubted } = device;
  if (since === null) return 0;
  // Once a day is enough: a mismatch that a new epoch did not repair is not repaired by another epoch.
  return Math.max(
    since.getTime() + UNEQUAL_GRACE_MS,
    (doubted?.getTime() ?? 0) + SUSPECT_COOLDOWN_MS,
  );
}

const hasSameInventory = (device: PolledDevice, inventory: string): boolean =>
  device.inventory_hash.toString('hex') === inventory;

/** The action that a poll with this inventory hash requires; `settled`: none. */
export function inventoryVerdict(
  device: PolledDevice,
  inventory: string,
  now: Date,
): 'settled' | 'equal' | 'unequal' {
  const same = hasSameInventory(device, inventory);
  const isSettled = same
    ? device.inventory_unequal_since === null
    : recheckAt(device, inventory) > now.getTime();
  if (isSettled) return 'settled';
  return same ? 'equal' : 'unequal';
}

/** True where an inventory that is another since then is doubted. */
export const isSuspect = (since: Date | null, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() >= UNEQUAL_GRACE_MS;

/** No second doubt, and no second reset, since then. */
export const suspectCooldownStart = (now: Date): Date =>
  new Date(now.getTime() - SUSPECT_COOLDOWN_MS);
export const resetCooldownStart = (now: Date): Date => new Date(now.getTime() - RESET_COOLDOWN_MS);

/**
 * Records whether a device's inventory equals the hub's; null if the poll did not report it. True if that changed the
 * device's row: then the caller loads it again, and every hub process was notified.
 */
export async function checkInventoryHash(
  db: Db,
  tenantId: string,
  device: PolledDevice,
  inventory: string | undefined,
  now: Date,
): Promise<boolean> {
  if (inventory === undefined) return false;
  const verdict = inventoryVerdict(device, inventory, now);
  if (verdict === 'settled') return false;
  const key = { tenantId, deviceId: device.device_id };
  return transact(db, async (tx) => {
    if (verdict === 'equal') await clearUnequal(tx, key);
    else {
      const first = await markUnequal(tx, key, Buffer.from(inventory, 'hex'), now);
      if (isSuspect(first, now))
        await markInventorySuspect(tx, key, now, suspectCooldownStart(now));
    }
    const keys = [`${tenantId}/${device.device_id}`];
    await notify(tx, { kind: 'forget', cache: 'device', keys });
    return true;
  });
}

/**
 * Whether the device, which holds other overrides than it should, is to pull everything anew now. Null where it was made
 * to lately; after true and false its row is to be read anew.
 */
export async function mayReset(
  db: Db,
  tenantId: string,
  device: PolledDevice,
  now: Date,
): Promise<boolean | null> {
  const notSince = resetCooldownStart(now);
  const last = device.governance_reset_at;
  if (last !== null && last >= notSince) return null;
  return markReset(db, { tenantId, deviceId: device.device_id }, now, notSince);
}
