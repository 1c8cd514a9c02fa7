// One batch of a group against what stands there and what the batches before it left: pure but for the sums it adds to.
import { xorHash, xorOfHex } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Sight } from '../drift/baseline.ts';
import { mayDrift } from '../drift/detect.ts';
import type { DriftedEntity, DriftRow } from '../drift/drift-store.ts';
import {
  type Content,
  ENDPOINT,
  type Item,
  type Stored,
  scanIdOf,
  spokenAfter,
  type Working,
} from './batch-state.ts';
import { ID_PREFIX_BYTES, keptPage, prefixesOfHex } from './cache-entry.ts';
import { prefixesOf } from './close-scan.ts';
import type { Described, EntityRow } from './entity-store.ts';
import {
  addProducts,
  isBoundOtherwise,
  isCalledOtherwise,
  type Merge,
  mergeBatch,
  type ProductDeltas,
  type SentEntity,
  type StoredEntity,
} from './merge.ts';
import { isSuperseded, type LaterWord } from './scan-coverage.ts';
import type { BatchWord, CoverageRow, NewBatch, StoredScan } from './scan-store.ts';

/** What the group will write, gathered batch by batch. */
export interface Written {
  rows: EntityRow[];
  batches: NewBatch[];
  coverage: CoverageRow[];
  products: ProductDeltas;
  described: Map<string, Described>;
  drifts: DriftRow[];
  /** Of what a device has for the first time, or in a version, of a publisher or kind, that an approval may be bound to. */
  firsts: Sight[];
}

/** Merges one batch into the device as its earlier batches left it, and adds what is to be written. */
export function mergeItem(
  item: Item,
  known: { scan: StoredScan; device: Working; content: Content; later: LaterWord | undefined },
  written: Written,
): { batch: NewBatch; answer: Stored } {
  const { scan, device, content, later } = known;
  const merged = content.sent.length === 0 ? null : mergeEntities(item, known, written);
  const word: BatchWord = {
    scanId: scanIdOf(item),
    scanSeq: scan.seq,
    scanBatch: item.scan.batch,
    coverage: item.scan.coverage ?? null,
    ...wordOf(content),
    gone: idsOf(content.sent.filter((entity) => entity.isRemoval)),
  };
  device.said.push({ seq: scan.seq, ids: Buffer.concat([word.named, word.gone]) });
  const isPage =
    content.isAlone &&
    item.pageHash !== '' &&
    later === undefined &&
    word.named.length > 0 &&
    word.gone.length === 0;
  if (isPage) {
    device.page = { hash: item.pageHash, page: keptPage(word.named, word.contents) };
  }
  const counts = {
    accepted: merged?.accepted ?? 0,
    unchanged: (merged?.unchanged ?? 0) + (content.known?.count ?? 0),
  };
  const batch: NewBatch = {
    endpoint: ENDPOINT,
    body_hash: item.bodyHash,
    ...counts,
    deviceId: item.deviceId,
    batchId: item.batchId,
    word,
  };
  written.batches.push(batch);
  if (item.scan.coverage !== undefined) {
    const { coverage } = item.scan;
    const { deviceId } = item;
    written.coverage.push({ deviceId, scanId: word.scanId, seq: scan.seq, coverage });
  }
  return { batch, answer: { ...counts, changed: counts.accepted > 0 || device.isNew } };
}

function mergeEntities(
  item: Item,
  known: {
    scan: StoredScan;
    device: Working;
    content: Content;
    later: LaterWord | undefined;
  },
  written: Written,
): Merge {
  const { scan, device, content, later } = known;
  const spoken = later === undefined ? null : prefixesOf(spokenAfter(device, scan.seq, later));
  const merge = mergeBatch(content.sent, scan.seq, {
    holds: (entity) => content.held.has(entity),
    stored: (id) => content.stored.get(id),
    isSpokenFor: (id) =>
      later?.forgotten === true || spoken?.has(id.slice(0, 2 * ID_PREFIX_BYTES)) === true,
    isGone: (entity) =>
      later !== undefined &&
      isSuperseded(later, {
        source: entity.source,
        owners: [...new Set((entity.instances ?? []).map((instance) => instance.owner ?? null))],
      }),
  });
  for (const write of merge.writes) {
    const { entity, contentHash, textHash, removed } = write;
    written.rows.push({ deviceId: item.deviceId, seq: scan.seq, write });
    if (write.drift !== null) {
      written.drifts.push({ found: onDevice(entity, item, device), drift: write.drift });
    }
    const before = content.stored.get(entity.entity_id);
    if (!removed && write.drift === null && mayDrift(entity)) {
      const found = onDevice(entity, item, device);
      // What comes back as it was went unseen where it was approved meanwhile.
      if (before === undefined || before.removed) written.firsts.push({ found, told: entity });
      else if (isBoundOtherwise(before, entity)) {
        written.firsts.push({ found, told: entity, before: asBefore(found, before) });
      }
    }
    device.contents.set(entity.entity_id, removed ? null : { contentHash, textHash });
    if (!removed) describe(written, entity, item.facts.platform);
    content.stored.set(
      entity.entity_id,
      removed && before !== undefined
        ? { ...before, scan_seq: scan.seq, removed }
        : {
            entity_id: entity.entity_id,
            content_hash: contentHash,
            scan_seq: scan.seq,
            kind: entity.kind,
            name: entity.name,
            publisher: entity.publisher ?? null,
            version: entity.version ?? null,
            removed,
            launch_hash: entity.launch_hash ?? null,
            instances: entity.instances ?? [],
          },
    );
  }
  if (later === undefined) {
    for (const entity of content.sent) {
      if (!entity.isRemoval && !content.held.has(entity)) device.contents.set(entity.id, entity);
    }
  }
  addProducts(written.products, merge.products);
  device.hash = xorHash(device.hash, merge.hashChange);
  device.count += merge.entityCountChange;
  return merge;
}

function onDevice(entity: WireEntity, item: Item, { row }: Working): DriftedEntity {
  return {
    device_id: item.deviceId,
    platform: item.facts.platform,
    subscriber_id: row.token_bound ? row.subscriber_id : item.agent.subscriberId,
    entity_id: entity.entity_id,
    kind: entity.kind,
    name: entity.name,
    version: entity.version ?? null,
    publisher: entity.publisher ?? null,
  };
}

const asBefore = (found: DriftedEntity, { kind, version, publisher }: StoredEntity) => ({
  ...found,
  kind,
  version,
  publisher,
});

function describe(written: Written, entity: WireEntity, platform: Platform): void {
  const { entity_id: id, name, publisher } = entity;
  const other = written.described.get(id);
  const isDoubted =
    other !== undefined &&
    (other.isDoubted || isCalledOtherwise({ name, publisher: publisher ?? null }, other.entity));
  written.described.set(id, { entity, platform, isDoubted });
}

const idsOf = (sent: readonly SentEntity[]): Buffer => prefixesOfHex(sent.map((entity) => entity.id));

function wordOf({ known, sent }: Content): { named: Buffer; contents: Buffer } {
  const present = sent.filter((entity) => !entity.isRemoval);
  const [named, contents] = [idsOf(present), xorOfHex(present.map((entity) => entity.contentHash))];
  if (known === null) return { named, contents };
  return {
    named: Buffer.concat([known.named, named]),
    contents: xorHash(known.contents, contents),
  };
}
