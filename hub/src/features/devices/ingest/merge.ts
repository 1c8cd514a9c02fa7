// Computes the changes of a batch: entities as sent against rows as stored. Pure; the store writes the result.

import { EMPTY_INVENTORY, entityHashHex, xorHash } from '@gatewarden/shared/digests.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import type { WireEntity, WireInstance } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { DETAILS_MAX_BYTES } from '@gatewarden/shared/wire/sync/limits.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { canDrift } from '../drift/fingerprint.ts';

/** The columns of a stored entity that merging needs. */
export interface StoredEntity {
  entity_id: string;
  content_hash: string;
  scan_seq: number;
  kind: EntityKind;
  name: string;
  publisher: string | null;
  version: string | null;
  removed: boolean;
  launch_hash: string | null;
  instances: WireInstance[];
}

/** An entity as it came. */
export interface SentEntity {
  id: string;
  /** Hash of the canonical form, in hex. */
  contentHash: string;
  /** Of the very text it came in (see `Held`); null where that was not cut out. */
  textHash: string | null;
  isRemoval: boolean;
  entity: WireEntity;
}

/** Enough to take it away. */
export type PresentEntity = Omit<
  StoredEntity,
  'kind' | 'name' | 'publisher' | 'launch_hash' | 'instances'
>;

export interface EntityWrite {
  entity: WireEntity;
  contentHash: string;
  textHash: string | null;
  removed: boolean;
  /** No row exists, not even a removed one. */
  isNew: boolean;
}

/** Changes of a product's counts by device and by version, and the details that a device reported for the first time. */
export interface ProductDelta {
  devices: number;
  versions: Map<string, number>;
  isRenamed: boolean;
  /** How it is launched, or what it may do. */
  mayDrift: boolean;
}
export type ProductDeltas = Map<string, ProductDelta>;

export interface Merge {
  /** Rows to write whole. */
  writes: EntityWrite[];
  products: ProductDeltas;
  /** XOR to apply to the device's inventory hash. */
  hashChange: Buffer;
  entityCountChange: number;
  accepted: number;
  unchanged: number;
}

/** The questions of merging about an entity of the batch. */
export interface MergeContext {
  /** Whether the row is stored unchanged; then no other field is read. */
  isUnchanged(sent: SentEntity): boolean;
  findStored(entityId: string): StoredEntity | undefined;
  /** Whether a scan with a higher number has named the entity. */
  isMentionedByNewerScan(entityId: string): boolean;
  /** Whether a full scan with a higher number covered the entity's source and did not find it. */
  isRemovedByNewerScan(entity: WireEntity): boolean;
}

/** The hash of each entity, exactly as it was sent. */
export function hashEntities(entities: readonly WireEntity[]): SentEntity[] {
  return entities.map((entity) => ({
    id: entity.entity_id,
    contentHash: entityHashHex(entity),
    textHash: null,
    isRemoval: entity.removed === true,
    entity,
  }));
}

/** Validates what a schema cannot express: each entity once, and details within their limit. Throws 400 with a pointer. */
export function checkEntities(entities: readonly WireEntity[]): void {
  const seen = new Set<string>();
  entities.forEach((entity, i) => {
    if (seen.has(entity.entity_id)) {
      throw new HubError(
        'invalid_request',
        `/entities/${i}/entity_id is a duplicate in this batch`,
      );
    }
    seen.add(entity.entity_id);
    if (
      entity.details != null &&
      Buffer.byteLength(JSON.stringify(entity.details)) > DETAILS_MAX_BYTES
    ) {
      throw new HubError(
        'invalid_request',
        `/entities/${i}/details must not be larger than ${DETAILS_MAX_BYTES} bytes`,
      );
    }
    if (foldName(entity.name) === '') {
      throw new HubError('invalid_request', `/entities/${i}/name must not be blank`);
    }
  });
}

/**
 * Merges a batch of the scan with number `seq` into the stored rows. A scan with a lower number never changes what a
 * scan with a higher number wrote. The same content again is unchanged.
 */
export function mergeEntities(sent: readonly SentEntity[], seq: number, view: MergeContext): Merge {
  const merge = emptyMerge();
  for (const item of sent) {
    if (view.isUnchanged(item)) {
      merge.unchanged++;
      continue;
    }
    const { id, contentHash, textHash, entity } = item;
    const before = view.findStored(id);
    const isOlder = (before?.scan_seq ?? -1) > seq || view.isMentionedByNewerScan(id);
    const removed = item.isRemoval || (!isOlder && view.isRemovedByNewerScan(entity));
    const isSame =
      before === undefined || before.removed
        ? removed
        : !removed && before.content_hash === contentHash;
    if (isOlder || isSame) {
      merge.unchanged++;
      continue;
    }
    merge.accepted++;
    const isNew = before === undefined;
    merge.writes.push({ entity, contentHash, textHash, removed, isNew });
    if (before !== undefined && !before.removed) countRemoval(merge, before);
    if (removed) continue;
    countArrival(merge, entity, contentHash);
    const product = productDeltaOf(merge.products, id);
    if (before !== undefined && hasOtherName(before, entity)) product.isRenamed = true;
    if (canDrift(entity) && !(before !== undefined && canDrift(before))) product.mayDrift = true;
  }
  return merge;
}

/** Everything that the end of a full scan takes away. */
export function mergeRemovals(gone: readonly PresentEntity[]): Merge {
  const merge = emptyMerge();
  for (const entity of gone) countRemoval(merge, entity);
  return merge;
}

/** Adds the changes of a merge to the changes before it. */
export function addProductDeltas(sum: ProductDeltas, more: ProductDeltas): void {
  for (const [id, delta] of more) {
    const product = productDeltaOf(sum, id);
    product.devices += delta.devices;
    product.isRenamed ||= delta.isRenamed;
    product.mayDrift ||= delta.mayDrift;
    for (const [version, by] of delta.versions) {
      product.versions.set(version, (product.versions.get(version) ?? 0) + by);
    }
  }
}

function emptyMerge(): Merge {
  return {
    writes: [],
    products: new Map(),
    hashChange: EMPTY_INVENTORY,
    entityCountChange: 0,
    accepted: 0,
    unchanged: 0,
  };
}

function countArrival(merge: Merge, entity: WireEntity, contentHash: string): void {
  applyCount(merge, entity.entity_id, entity.version ?? null, contentHash, 1);
}

function countRemoval(merge: Merge, before: PresentEntity): void {
  applyCount(merge, before.entity_id, before.version, before.content_hash, -1);
}

function applyCount(
  merge: Merge,
  id: string,
  version: string | null,
  hash: string,
  by: 1 | -1,
): void {
  merge.hashChange = xorHash(merge.hashChange, Buffer.from(hash, 'hex'));
  merge.entityCountChange += by;
  const product = productDeltaOf(merge.products, id);
  product.devices += by;
  const key = version ?? '';
  product.versions.set(key, (product.versions.get(key) ?? 0) + by);
}

function productDeltaOf(products: ProductDeltas, id: string): ProductDelta {
  const found = products.get(id);
  if (found !== undefined) return found;
  const made: ProductDelta = {
    devices: 0,
    versions: new Map(),
    isRenamed: false,
    mayDrift: false,
  };
  products.set(id, made);
  return made;
}

/** True where two reports of a product do not agree in how it is called, or whose it is. */
export function hasOtherName(
  before: Pick<StoredEntity, 'name' | 'publisher'>,
  after: WireEntity,
): boolean {
  return before.name !== after.name || before.publisher !== (after.publisher ?? null);
}

/** Whether an override with further match fields can apply to only one of the two. */
export function hasOtherQualifiers(
  before: Pick<StoredEntity, 'kind' | 'publisher' | 'version'>,
  after: WireEntity,
): boolean {
  return (
    before.version !== (after.version ?? null) ||
    before.publisher !== (after.publisher ?? null) ||
    before.kind !== after.kind
  );
}
