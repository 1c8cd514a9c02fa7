// A batch of the inventory into the records, by the hub's own rules: one batch, one transaction.
import { createHash } from 'node:crypto';
import {
  type Item,
  spokenAfter,
  type Working,
  workingOn,
} from '@gatewarden/hub/src/features/devices/ingest/batch-state.ts';
import { coverageOf, goneAtEnd } from '@gatewarden/hub/src/features/devices/ingest/close-scan.ts';
import { repeated } from '@gatewarden/hub/src/features/devices/ingest/commit-batch.ts';
import {
  checkEntities,
  hashed,
  mergeRemovals,
} from '@gatewarden/hub/src/features/devices/ingest/merge.ts';
import {
  mergeItem,
  type Written,
} from '@gatewarden/hub/src/features/devices/ingest/merge-batch.ts';
import type { LaterWord } from '@gatewarden/hub/src/features/devices/ingest/scan-coverage.ts';
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

/** Stores it, or says again what was said. Throws as the hub does, and then nothing is stored. */
export function storeBatch(
  records: Records,
  agent: AgentPrincipal,
  batch: DiscoveredAppsRequest,
  body: string,
  forgetsIds: boolean,
): Counts {
  const row = records.device as DeviceRecord;
  checkEntities(batch.entities);
  const sent = hashed(batch.entities);
  const item: Item = {
    agent,
    facts: batch.device,
    deviceId: batch.device.device_id.toLowerCase(),
    batchId: batch.batch_id.toLowerCase(),
    bodyHash: createHash('sha256').update(body).digest(),
    scan: batch.scan,
    pageHash: '',
    known: null,
    news: sent,
    all: () => sent,
  };
  const batchKey = pairKey(item.deviceId, item.batchId);
  const before = forgetsIds ? undefined : records.batches.get(batchKey);
  if (before !== undefined) {
    const outcome = repeated(item, before);
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
  const device = workingOn(row, false);
  const later = row.highest_scan > scan.seq ? records.laterThan(scan.seq) : undefined;
  const stored = new Map(
    sent.flatMap(({ id }) => {
      const entity = records.entities.get(id);
      return entity === undefined ? [] : [[id, entity] as const];
    }),
  );
  const content = { known: null, sent, held: new Set<never>(), stored, isAlone: true };
  const written: Written = {
    ...{ rows: [], batches: [], coverage: [], drifts: [], firsts: [] },
    products: new Map(),
    described: new Map(),
  };
  const { answer } = mergeItem(item, { scan, device, content, later }, written);
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
  for (const one of written.batches) records.batches.set(batchKey, one);
  endIfComplete(records, { item, scan, device, later });
  row.inventory_version += device.hash.equals(row.inventory_hash) ? 0 : 1;
  row.inventory_hash = device.hash;
  row.entity_count = device.count;
  return { accepted: answer.accepted, unchanged: answer.unchanged };
}

function endIfComplete(
  records: Records,
  ending: { item: Item; scan: StoredScan; device: Working; later: LaterWord | undefined },
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
  const spoken = later === undefined ? [] : spokenAfter(device, scan.seq, later);
  const gone = goneAtEnd({ seq: scan.seq, spoken }, parts, coverageOf(parts), records.present());
  const removals = mergeRemovals(gone);
  for (const one of gone) one.removed = true;
  device.hash = xorHash(device.hash, removals.hashChange);
  device.count += removals.entityCountChange;
}
