// Updates of device rows and of the inventory cache after batches were merged.
import { updateDevices } from '../enrollment/index.ts';
import type { DeviceMergeState, PendingBatch, PlannedBatch } from './batch-state.ts';
import type { InventoryCacheChange } from './inventory-cache.ts';
import { pairKey } from './scan-store.ts';

const DEVICE_FACTS = ['hostname', 'platform', 'os_version', 'arch', 'agent_version'] as const;

/** Writes the rows of devices that changed. */
export function writeDevices({ tx, tenantId, devices }: PlannedBatch): Promise<void> {
  return updateDevices(
    tx,
    tenantId,
    [...devices].flatMap(([id, device]) => {
      const batch = device.lastAcceptedBatch;
      if (batch === null || !isRowOutdated(device, batch)) return [];
      return {
        ...batch.deviceFacts,
        device_id: id,
        subscriber_id: batch.agent.subscriberId,
        inventory_hash: device.inventoryHash.toString('hex'),
        inventory_version: nextInventoryVersion(device),
        entity_count: device.entityCount,
        scan_ended: device.scanEnded,
      };
    }),
  );
}

/** Returns changes for the inventory cache, by tenant and device. */
export function cacheChangesOf({
  tenantId,
  devices,
}: PlannedBatch): [string, InventoryCacheChange][] {
  return [...devices]
    .filter(([, device]) => device.contents.size > 0 || device.page !== null)
    .map(([id, device]) => [
      pairKey(tenantId, id),
      {
        before: device.row.inventory_version,
        after: nextInventoryVersion(device),
        entities: device.contents,
        isNew: device.isNew,
        page: device.page,
      },
    ]);
}

/** Returns ids of devices that are new, or whose inventory or owner changed. */
export const changedDevicesOf = ({ devices }: PlannedBatch): string[] =>
  [...devices]
    .filter(([, device]) => device.isNew || hasInventoryChanged(device) || hasOwnerChanged(device))
    .map(([id]) => id);

const hasInventoryChanged = ({ row, inventoryHash }: DeviceMergeState): boolean =>
  !inventoryHash.equals(row.inventory_hash);

const nextInventoryVersion = (device: DeviceMergeState): number =>
  device.row.inventory_version + (hasInventoryChanged(device) ? 1 : 0);

const hasOwnerChanged = ({ row, lastAcceptedBatch }: DeviceMergeState): boolean =>
  lastAcceptedBatch !== null &&
  !row.token_bound &&
  lastAcceptedBatch.agent.subscriberId !== row.subscriber_id;

const isRowOutdated = (device: DeviceMergeState, { deviceFacts }: PendingBatch): boolean =>
  device.scanEnded ||
  hasInventoryChanged(device) ||
  hasOwnerChanged(device) ||
  DEVICE_FACTS.some((name) => deviceFacts[name] !== device.row[name]);
