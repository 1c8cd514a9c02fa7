// Stores batches of one tenant in one transaction, in the stages lock -> deduplicate -> plan -> merge -> write ->
// closeScans -> detectDrift. Rows of devices and products are written last, because other transactions of the tenant wait
// for their locks. An error of a batch is its outcome; any other error is thrown and nothing is stored.

import { recordDrift } from '../drift/detect.ts';
import { selectPreviousFacets } from '../drift/drift-store.ts';
import { describedArrivals } from './arrivals.ts';
import {
  assertDefined,
  type BatchAck,
  type CommitBatch,
  type CommitDeps,
  type PendingBatch,
  type PlannedBatch,
  scanOf,
} from './batch-state.ts';
import { closeScans } from './close-scans.ts';
import { cacheChangesOf, changedDevicesOf, writeDevices } from './device-updates.ts';
import { applyProductDeltas, writeEntities } from './entity-store.ts';
import type { Outcome } from './group-commit.ts';
import type { InventoryCacheChange } from './inventory-cache.ts';
import { acknowledgeDuplicate, lockBatch } from './lock-batch.ts';
import { createPendingWrites, mergeBatchIntoDevice, type PendingWrites } from './merge-batch.ts';
import { detectDuplicateDeviceIds } from './observe-scan-sequence.ts';
import { planBatches } from './plan-batches.ts';
import { insertBatches, insertScans, pairKey, upsertCoverage } from './scan-store.ts';

export interface CommitResult {
  /** Results by index of the pending batches. */
  outcomes: Outcome<BatchAck>[];
  /** To be applied to the inventory cache after the commit, by tenant and device. */
  cacheChanges: [string, InventoryCacheChange][];
  /** Devices whose inventory or owner changed. */
  changedDevices: string[];
  /** Sends the last statements, without waiting for each in turn. */
  finish(): Promise<unknown>;
  hasDrifted: boolean;
  /** True if two machines were observed under one device id. */
  duplicateDeviceIdDetected: boolean;
}

/** Runs all stages in the caller's transaction. The caller awaits `finish` before it commits. */
export async function commitBatches(
  tx: CommitBatch['tx'],
  tenantId: string,
  pending: readonly PendingBatch[],
  deps: CommitDeps,
): Promise<CommitResult> {
  const locked = await lockBatch({ tx, tenantId, pending, deps, outcomes: [] });
  const planned = await planBatches(locked);
  const duplicateDeviceIdDetected = await detectDuplicateDeviceIds(
    tx,
    tenantId,
    planned.newScans,
    new Date(),
  );
  const writes = mergeBatches(planned);
  // Policies cover new apps before drift is recorded: launches that arrive with an app are covered by its policy.
  await deps.coverArrivals?.(tx, tenantId, describedArrivals(writes.described));
  const previousFacets = await selectPreviousFacets(
    tx,
    tenantId,
    writes.observations.filter((observation) => observation.isChanged),
  );
  const writing = startWrites(planned, writes);
  await closeScans(planned, writes.products);
  const { approvedAmong } = deps;
  const hasDrifted = await recordDrift(tx, tenantId, writes.observations, {
    approvedAmong,
    previousFacets,
  });
  return {
    outcomes: planned.outcomes.map(assertDefined),
    hasDrifted,
    duplicateDeviceIdDetected,
    cacheChanges: cacheChangesOf(planned),
    changedDevices: changedDevicesOf(planned),
    finish: () =>
      Promise.all([
        writing,
        writeDevices(planned),
        applyProductDeltas(tx, tenantId, writes.products, writes.described),
      ]),
  };
}

/** Merges batches in order of arrival, sets their outcomes, and returns the rows to write. */
function mergeBatches(planned: PlannedBatch): PendingWrites {
  const { pending, outcomes, duplicates, devices, contents, rejected, newerScans } = planned;
  const writes = createPendingWrites();
  for (const [i, batch] of pending.entries()) {
    if (outcomes[i] !== undefined) continue;
    const key = pairKey(batch.deviceId, batch.batchId);
    const duplicate = duplicates.get(key);
    outcomes[i] =
      duplicate === undefined ? rejected.get(batch) : acknowledgeDuplicate(batch, duplicate);
    if (outcomes[i] !== undefined) continue;
    const device = assertDefined(devices.get(batch.deviceId));
    // Rejected batches and duplicates do not define the device's name and owner.
    device.lastAcceptedBatch = batch;
    const content = assertDefined(contents.get(batch));
    const stored = mergeBatchIntoDevice(
      batch,
      { scan: scanOf(planned, batch), device, content, newer: newerScans.get(batch) },
      writes,
    );
    duplicates.set(key, stored.batch);
    outcomes[i] = { value: stored.ack };
  }
  return writes;
}

/** Sends the writes without waiting for them. A failure also fails every later statement of the transaction. */
function startWrites(
  { tx, tenantId, newScans, deps }: PlannedBatch,
  writes: PendingWrites,
): Promise<unknown> {
  const writing = Promise.all([
    insertScans(tx, tenantId, newScans),
    writeEntities(tx, tenantId, writes.rows, deps.isCautious),
    insertBatches(tx, tenantId, writes.batches),
    upsertCoverage(tx, tenantId, writes.coverage),
  ]);
  writing.catch(() => undefined);
  return writing;
}
