// Stage `closeScans`: ends scans whose batches have all arrived. A complete full scan removes entities that it did not mention.
import { xorHash } from '@gatewarden/shared/digests.ts';
import {
  assertDefined,
  mentionedAfter,
  type PendingBatch,
  type PlannedBatch,
  scanIdOf,
  scanOf,
} from './batch-state.ts';
import { closeScan } from './close-scan.ts';
import { addProductDeltas, type ProductDeltas } from './merge.ts';
import { isComplete, pairKey, type StoredScan } from './scan-store.ts';

interface ClosableScan {
  /** The last batch of the scan in this transaction. */
  batch: PendingBatch;
  scan: StoredScan;
}

/** Closes scans, those of a device in order and those of several devices concurrently. Adds removals to `products`. */
export async function closeScans(planned: PlannedBatch, products: ProductDeltas): Promise<void> {
  const perDevice = Map.groupBy(completeScans(planned), ({ batch }) => batch.deviceId);
  await Promise.all(
    [...perDevice.values()].map((scans) => closeScansOfDevice(planned, scans, products)),
  );
}

function completeScans(planned: PlannedBatch): ClosableScan[] {
  const open = planned.accepted.flatMap((batch) => {
    const scan = scanOf(planned, batch);
    const mayComplete = batch.scan.kind === 'full' || batch.scan.batch === batch.scan.batches - 1;
    return scan.finished_at === null && mayComplete ? [{ batch, scan }] : [];
  });
  const perScan = Map.groupBy(open, ({ batch }) => pairKey(batch.deviceId, scanIdOf(batch)));
  return [...perScan.values()].flatMap((parts) => {
    const last = assertDefined(parts.at(-1));
    const numbers = parts.map(({ batch }) => batch.scan.batch);
    return last.batch.scan.kind !== 'full' || isComplete(last.scan, numbers) ? [last] : [];
  });
}

async function closeScansOfDevice(
  { tx, tenantId, devices, newerScans }: PlannedBatch,
  scans: readonly ClosableScan[],
  products: ProductDeltas,
): Promise<void> {
  for (const { batch, scan } of scans) {
    const device = assertDefined(devices.get(batch.deviceId));
    const newer = newerScans.get(batch);
    device.scanEnded = true;
    const removals = await closeScan(tx, tenantId, {
      deviceId: batch.deviceId,
      scanId: scanIdOf(batch),
      removesMissing: batch.scan.kind === 'full' && newer?.isPruned !== true,
      seq: scan.seq,
      inventory: { hash: device.inventoryHash, count: device.entityCount },
      mentionedIdPrefixes: newer === undefined ? [] : mentionedAfter(device, scan.seq, newer),
    });
    if (removals === null) continue;
    for (const id of removals.ids) device.contents.set(id, null);
    addProductDeltas(products, removals.merge.products);
    device.inventoryHash = xorHash(device.inventoryHash, removals.merge.hashChange);
    device.entityCount += removals.merge.entityCountChange;
  }
}
