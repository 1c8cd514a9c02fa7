// Writes a batch of the inventory into the records, by the hub's own rules: each batch is a single transaction.
import { createHash } from 'node:crypto';
import {
  type DeviceMergeState,
  mentionedAfter,
  type PendingBatch,
  startMerge,
} from '@gatewarden/hub/src/features/devices/ingest/batch-state.ts';
import {
  coverageOf,
  selectMissing,
} from '@gatewarden/hub/src/features/devices/ingest/close-scan.ts';
import { acknowledgeDuplicate } from '@gatewarden/hub/src/features/devices/ingest/lock-batch.ts';
import {
  checkEntities,
  hashEntities,
  mergeRemovals,
} from '@gatewarden/hub/src/features/devices/ingest/merge.ts';
import {
  createPendingWrites,
  mergeBatchIntoDevice,
} from '@gatewarden/hub/src/features/devices/ingest/merge-batch.ts';
import type { NewerScanSummary } from '@gatewarden/hub/src/features/devices/ingest/scan-coverage.ts';
import {
  checkScan,
  openScan,
  pairKey,
  type StoredScan,
} from '@gatewarden/hub/src/features/devices/ingest/scan-store.ts';
import type { AgentPrincipal } from '@gatewarden/hub/src/platform/auth/agent.ts';
import { xorHash } from '@gatewarden/shared/digests.ts';
import type { DiscoveredAppsRequest } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { DeviceRecord, Records } from './records.ts';

export interface Counts {
  accepted: number;
  unchanged: number;
}

/** Stores the batch, or repeats the answer to an earlier delivery. Throws as the hub does, and then stores nothing. */
export function storeBatch(
  records: Records,
  agent: AgentPrincipal,
  batch: DiscoveredAppsRequest,
  body: string,
  forgetsIds: boolean,
): Counts {
  const row = records.device as DeviceRecord;
  checkEntities(batch.entities);
  const sent = hashEntities(batch.entities);
  const item: PendingBatch = {
    agent,
    deviceFacts: batch.device,
    deviceId: batch.device.device_id.toLowerCase(),
    batchId: batch.batch_id.toLowerCase(),
    bodyHash: createHash('sha256').update(body).digest(),
    scan: batch.scan,
    pageHash: '',
    knownPart: null,
    changedEntities: sent,
    readAllEntities: () => sent,
  };
  const batchKey = pairKey(item.deviceId, item.batchId);
  const before = forgetsIds ? undefined : records.batches.get(batchKey);
  if (before !== undefined) {
    const outcome = acknowledgeDuplicate(item, before);
    if ('error' in outcome) throw outcome.error;
    return { accepted: outcome.value.accepted, unchanged: outcome.value.unchanged };
  }
  const scanKey = pairKey(item.deviceId, item.scan.scan_id.toLowerCase());
  const known = records.scans.get(scanKey);
  if (known !== undefined) checkScan(known, item.scan);
  openScan(records.scans, item, {
    of: () => row.highest_scan,
    base: () => row.scan_base,
    learn: (_device, seq) => {
      row.highest_scan = Math.max(row.highest_scan, seq);
    },
  });
  const scan = records.scans.get(scanKey) as StoredScan;
  const device = startMerge(row, false);
  const later = row.highest_scan > scan.seq ? records.laterThan(scan.seq) : undefined;
  const stored = new Map(
    sent.flatMap(({ id }) => {
      const entity = records.entities.get(id);
      return entity === undefined ? [] : [[id, entity] as const];
    }),
  );
  const content = {
    knownPage: null,
    sent,
    unchanged: new Set<never>(),
    stored,
    isOnlyBatchOfDevice: true,
  };
  const written = createPendingWrites();
  const { ack } = mergeBatchIntoDevice(item, { scan, device, content, newer: later }, written);
  for (const { seq, write } of written.rows) {
    const { entity, contentHash, removed } = write;
    const old = records.entities.get(entity.entity_id);
    records.put(entity, {
      entity_id: entity.entity_id,
      content_hash: removed && old !== undefined ? old.content_hash : contentHash,
      scan_seq: seq,
      kind: entity.kind,
      name: entity.name,
      publisher: entity.publisher ?? null,
      version: removed && old !== undefined ? old.version : (entity.version ?? null),
      removed,
      launch_hash: entity.launch_hash ?? null,
    });
  }
  for (const batch of written.batches) records.batches.set(batchKey, batch);
  endIfComplete(records, { item, scan, device, later });
  row.inventory_version += device.inventoryHash.equals(row.inventory_hash) ? 0 : 1;
  row.inventory_hash = device.inventoryHash;
  row.entity_count = device.entityCount;
  return { accepted: ack.accepted, unchanged: ack.unchanged };
}

function endIfComplete(
  records: Records,
  ending: {
    item: PendingBatch;
    scan: StoredScan;
    device: DeviceMergeState;
    later: NewerScanSummary | undefined;
  },
): void {
  const { item, scan, device, later } = ending;
  if (scan.finished_at !== null) return;
  const scanId = item.scan.scan_id.toLowerCase();
  if (item.scan.kind !== 'full') {
    if (item.scan.batch === item.scan.batches - 1) scan.finished_at = new Date(0);
    return;
  }
  const parts = records.partsOf(scanId);
  if (new Set(parts.map((part) => part.scan_batch)).size < scan.batches) return;
  scan.finished_at = new Date(0);
  const spoken = later === undefined ? [] : mentionedAfter(device, scan.seq, later);
  const missing = selectMissing(
    { seq: scan.seq, mentionedIdPrefixes: spoken },
    parts,
    coverageOf(parts),
    records.present(),
  );
  const removals = mergeRemovals(missing);
  for (const entity of missing) entity.removed = true;
  device.inventoryHash = xorHash(device.inventoryHash, removals.hashChange);
  device.entityCount += removals.entityCountChange;
}
