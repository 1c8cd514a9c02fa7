// Stage `merge`: merges a batch into its device as earlier batches left it. Pure, except that it updates the given states.
import { xorHash, xorOfHex } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { LaunchObservation } from '../drift/baseline-store.ts';
import type { DriftedEntity } from '../drift/drift-store.ts';
import { canDrift, hasNewFacts } from '../drift/fingerprint.ts';
import {
  type BatchAck,
  type BatchContent,
  type DeviceMergeState,
  ENDPOINT,
  mentionedAfter,
  type PendingBatch,
  scanIdOf,
} from './batch-state.ts';
import { copyPage, ID_PREFIX_BYTES, idPrefixesOf } from './cache-entry.ts';
import { readIdPrefixes } from './close-scan.ts';
import type { EntityRow, ProductDescription } from './entity-store.ts';
import {
  addProductDeltas,
  type EntityWrite,
  hasOtherName,
  hasOtherQualifiers,
  type Merge,
  mergeEntities,
  type ProductDeltas,
  type SentEntity,
  type StoredEntity,
} from './merge.ts';
import { isSuperseded, type NewerScanSummary } from './scan-coverage.ts';
import type { BatchMentions, CoverageRow, NewBatch, StoredScan } from './scan-store.ts';

/** Rows to write for all batches of a transaction. */
export interface PendingWrites {
  rows: EntityRow[];
  batches: NewBatch[];
  coverage: CoverageRow[];
  products: ProductDeltas;
  described: Map<string, ProductDescription>;
  /** Apps that a device reports for the first time, with a new launch or permission, or with other fields of a match. */
  observations: LaunchObservation[];
}

/** Returns no writes. */
export const createPendingWrites = (): PendingWrites => ({
  rows: [],
  batches: [],
  coverage: [],
  products: new Map(),
  described: new Map(),
  observations: [],
});

interface MergeInput {
  scan: StoredScan;
  device: DeviceMergeState;
  content: BatchContent;
  /** Set if a newer scan of the device exists. */
  newer: NewerScanSummary | undefined;
}

/** Merges a batch and adds its rows to `writes`. */
export function mergeBatchIntoDevice(
  batch: PendingBatch,
  input: MergeInput,
  writes: PendingWrites,
): { batch: NewBatch; ack: BatchAck } {
  const { scan, device, content } = input;
  const merge = content.sent.length === 0 ? null : mergeContent(batch, input, writes);
  const mentions: BatchMentions = {
    scanId: scanIdOf(batch),
    scanSeq: scan.seq,
    scanBatch: batch.scan.batch,
    coverage: batch.scan.coverage ?? null,
    ...presentIn(content),
    removedIds: idsOf(content.sent.filter((entity) => entity.isRemoval)),
  };
  const { mentionedIds, removedIds, contents } = mentions;
  device.mentioned.push({ seq: scan.seq, ids: Buffer.concat([mentionedIds, removedIds]) });
  if (isCacheable(batch, input, mentions)) {
    device.page = { hash: batch.pageHash, page: copyPage(mentionedIds, contents) };
  }
  const counts = {
    accepted: merge?.accepted ?? 0,
    unchanged: (merge?.unchanged ?? 0) + (content.knownPage?.count ?? 0),
  };
  const stored: NewBatch = {
    endpoint: ENDPOINT,
    body_hash: batch.bodyHash,
    ...counts,
    deviceId: batch.deviceId,
    batchId: batch.batchId,
    mentions,
  };
  writes.batches.push(stored);
  if (batch.scan.coverage !== undefined) {
    const { coverage } = batch.scan;
    const { deviceId } = batch;
    writes.coverage.push({ deviceId, scanId: mentions.scanId, seq: scan.seq, coverage });
  }
  return { batch: stored, ack: { ...counts, changed: counts.accepted > 0 || device.isNew } };
}

const isCacheable = (
  batch: PendingBatch,
  { content, newer }: MergeInput,
  { mentionedIds, removedIds }: BatchMentions,
): boolean =>
  content.isOnlyBatchOfDevice &&
  batch.pageHash !== '' &&
  newer === undefined &&
  mentionedIds.length > 0 &&
  removedIds.length === 0;

function mergeContent(batch: PendingBatch, input: MergeInput, writes: PendingWrites): Merge {
  const { scan, device, content, newer } = input;
  const merge = mergeEntities(content.sent, scan.seq, mergeContext(input));
  for (const write of merge.writes) {
    const { entity, contentHash, textHash, removed } = write;
    writes.rows.push({ deviceId: batch.deviceId, seq: scan.seq, write });
    const before = content.stored.get(entity.entity_id);
    collectObservation(write, before, entityOnDevice(entity, batch, device), writes);
    device.contents.set(entity.entity_id, removed ? null : { contentHash, textHash });
    if (!removed) describeProduct(writes, entity, batch.deviceFacts.platform);
    content.stored.set(entity.entity_id, storedAfter(write, before, scan.seq));
  }
  if (newer === undefined) {
    for (const entity of content.sent) {
      const isMerged = entity.isRemoval || content.unchanged.has(entity);
      if (!isMerged) device.contents.set(entity.id, entity);
    }
  }
  addProductDeltas(writes.products, merge.products);
  device.inventoryHash = xorHash(device.inventoryHash, merge.hashChange);
  device.entityCount += merge.entityCountChange;
  return merge;
}

function mergeContext({ scan, device, content, newer }: MergeInput) {
  const mentioned =
    newer === undefined ? null : readIdPrefixes(mentionedAfter(device, scan.seq, newer));
  return {
    isUnchanged: (entity: SentEntity) => content.unchanged.has(entity),
    findStored: (id: string) => content.stored.get(id),
    isMentionedByNewerScan: (id: string) =>
      newer?.isPruned === true || mentioned?.has(id.slice(0, 2 * ID_PREFIX_BYTES)) === true,
    isRemovedByNewerScan: (entity: WireEntity) =>
      newer !== undefined &&
      isSuperseded(newer, {
        source: entity.source,
        owners: [...new Set((entity.instances ?? []).map((instance) => instance.owner ?? null))],
      }),
  };
}

/** Adds an observation of an app that an approval may not cover as the device reports it now. */
function collectObservation(
  { entity: reported, removed }: EntityWrite,
  before: StoredEntity | undefined,
  entity: DriftedEntity,
  writes: PendingWrites,
): void {
  if (removed || !canDrift(reported)) return;
  const isChanged = before !== undefined && hasNewFacts(before, reported);
  // An app that returns unchanged may have been approved while it was removed.
  const isNew = before === undefined || before.removed;
  if (isNew || isChanged || hasOtherQualifiers(before, reported)) {
    writes.observations.push({ entity, reported, isChanged });
  }
}

const storedAfter = (
  { entity, contentHash, removed }: EntityWrite,
  before: StoredEntity | undefined,
  seq: number,
): StoredEntity =>
  removed && before !== undefined
    ? { ...before, scan_seq: seq, removed }
    : {
        entity_id: entity.entity_id,
        content_hash: contentHash,
        scan_seq: seq,
        kind: entity.kind,
        name: entity.name,
        publisher: entity.publisher ?? null,
        version: entity.version ?? null,
        removed,
        launch_hash: entity.launch_hash ?? null,
        instances: entity.instances ?? [],
      };

const entityOnDevice = (
  entity: WireEntity,
  batch: PendingBatch,
  { row }: DeviceMergeState,
): DriftedEntity => ({
  device_id: batch.deviceId,
  platform: batch.deviceFacts.platform,
  subscriber_id: row.token_bound ? row.subscriber_id : batch.agent.subscriberId,
  entity_id: entity.entity_id,
  kind: entity.kind,
  name: entity.name,
  version: entity.version ?? null,
  publisher: entity.publisher ?? null,
});

function describeProduct(writes: PendingWrites, entity: WireEntity, platform: Platform): void {
  const { entity_id: id, name, publisher } = entity;
  const earlier = writes.described.get(id);
  const hasNameConflict =
    earlier !== undefined &&
    (earlier.hasNameConflict ||
      hasOtherName({ name, publisher: publisher ?? null }, earlier.entity));
  writes.described.set(id, { entity, platform, hasNameConflict });
}

const idsOf = (sent: readonly SentEntity[]): Buffer =>
  idPrefixesOf(sent.map((entity) => entity.id));

function presentIn({
  knownPage,
  sent,
}: BatchContent): Pick<BatchMentions, 'mentionedIds' | 'contents'> {
  const present = sent.filter((entity) => !entity.isRemoval);
  const mentionedIds = idsOf(present);
  const contents = xorOfHex(present.map((entity) => entity.contentHash));
  if (knownPage === null) return { mentionedIds, contents };
  return {
    mentionedIds: Buffer.concat([knownPage.named, mentionedIds]),
    contents: xorHash(knownPage.contents, contents),
  };
}
