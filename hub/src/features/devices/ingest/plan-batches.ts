// Stage `plan`: decides which batches are stored, opens their scans and loads what newer scans mentioned.
import {
  assertDefined,
  type BatchAck,
  type LockedBatch,
  type PendingBatch,
  type PlannedBatch,
  scanOf,
} from './batch-state.ts';
import type { Outcome } from './group-commit.ts';
import { catchHubError, deduplicate } from './lock-batch.ts';
import { selectNewerScanSummary } from './newer-scans-store.ts';
import type { NewerScanSummary } from './scan-coverage.ts';
import { checkScan, type NewScan, openScan, pairKey } from './scan-store.ts';

/**
 * Plans batches in order of arrival. A batch that repeats a batch id of this transaction opens no scan and belongs to none.
 * The id of a rejected batch stays free. A batch that contradicts its scan gets the error of `checkScan`.
 */
export async function planBatches(locked: LockedBatch): Promise<PlannedBatch> {
  const takenIds = new Set<string>();
  const accepted: PendingBatch[] = [];
  const rejected = new Map<PendingBatch, Outcome<BatchAck>>();
  const newScans: NewScan[] = [];
  const highest = highestScansOf(locked);
  for (const batch of deduplicate(locked)) {
    const key = pairKey(batch.deviceId, batch.batchId);
    if (takenIds.has(key)) continue;
    const newScan = openScan(locked.scans, batch, highest);
    if (newScan !== null) newScans.push(newScan);
    const error = catchHubError(() => checkScan(scanOf(locked, batch), batch.scan));
    if (error !== undefined) {
      rejected.set(batch, error);
      continue;
    }
    takenIds.add(key);
    accepted.push(batch);
  }
  const newerScans = await loadNewerScanSummaries(locked, accepted);
  return { ...locked, accepted, rejected, newScans, newerScans };
}

const highestScansOf = ({ devices }: LockedBatch) => ({
  of: (deviceId: string) => assertDefined(devices.get(deviceId)).highestScan,
  base: (deviceId: string) => assertDefined(devices.get(deviceId)).row.scan_base,
  learn(deviceId: string, seq: number) {
    const device = assertDefined(devices.get(deviceId));
    device.highestScan = Math.max(device.highestScan, seq);
  },
});

async function loadNewerScanSummaries(
  locked: LockedBatch,
  accepted: readonly PendingBatch[],
): Promise<Map<PendingBatch, NewerScanSummary>> {
  const { tx, tenantId, devices } = locked;
  const summaries = new Map<PendingBatch, NewerScanSummary>();
  for (const batch of accepted) {
    const { seq } = scanOf(locked, batch);
    const { highestScan, row } = assertDefined(devices.get(batch.deviceId));
    if (highestScan <= seq) continue;
    const prunedThrough = row.forgotten_scan;
    summaries.set(
      batch,
      await selectNewerScanSummary(tx, tenantId, batch.deviceId, seq, prunedThrough),
    );
  }
  return summaries;
}
