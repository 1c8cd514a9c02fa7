// What a batch changes: entities as sent against rows as stored. Pure; the store writes what this says.

import { EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import {
  DETAILS_MAX_BYTES,
  type WireEntity,
} from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { HubError } from '../../../platform/http/errors.ts';

/** What must be known of a stored entity to merge another report of it. */
export interface StoredEntity {
  entity_id: string;
  content_hash: string;
  scan_seq: number;
  version: string | null;
  removed: boolean;
}

export interface EntityWrite {
  entity: WireEntity;
  contentHash: string;
  removed: boolean;
}

/** How the counts of a product move: by device and by version. */
export interface ProductDelta {
  entity_id: string;
  devices: number;
  versions: Map<string, number>;
}

export interface Merge {
  /** Rows to write whole, sorted by id so that locks are always taken in one order. */
  writes: EntityWrite[];
  /** Ids whose content stays but which a higher scan has now confirmed. */
  confirmed: string[];
  products: ProductDelta[];
  /** XOR to apply to the device's inventory hash. */
  hashChange: Buffer;
  entityCountChange: number;
  accepted: number;
  unchanged: number;
}

/** Checks what a schema cannot say: one entity once, details within their bound. Throws 400 with a pointer. */
export function checkEntities(entities: readonly WireEntity[]): void {
  const seen = new Set<string>();
  entities.forEach((entity, i) => {
    if (seen.has(entity.entity_id)) {
      throw new HubError('invalid_request', `/entities/${i}/entity_id stands twice in this batch`);
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
 * Merges a batch of the scan with number `seq` into what is stored. What a lower scan says never changes what a
 * higher one said: `isGone` tells of one that is not there whether a higher full scan has looked there and not found it.
 * The same content again is unchanged.
 */
export function mergeBatch(
  stored: ReadonlyMap<string, StoredEntity>,
  entities: readonly WireEntity[],
  seq: number,
  isGone: (entity: WireEntity) => boolean = () => false,
): Merge {
  const merge = emptyMerge();
  const sorted = [...entities].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1));
  for (const entity of sorted) {
    const before = stored.get(entity.entity_id);
    if (before !== undefined && before.scan_seq > seq) {
      merge.unchanged++;
      continue;
    }
    const removed = entity.removed === true;
    const contentHash = entityHash(entity).toString('hex');
    const isSame =
      before === undefined || before.removed
        ? removed || isGone(entity)
        : !removed && before.content_hash === contentHash;
    if (isSame) {
      merge.unchanged++;
      if (before !== undefined && before.scan_seq < seq) merge.confirmed.push(entity.entity_id);
      continue;
    }
    merge.accepted++;
    merge.writes.push({ entity, contentHash, removed });
    if (before !== undefined && !before.removed) leave(merge, before);
    if (!removed) enter(merge, entity, contentHash);
  }
  return merge;
}

/** Everything that the end of a full scan takes away. */
export function mergeRemovals(gone: readonly StoredEntity[]): Merge {
  const merge = emptyMerge();
  for (const entity of gone) leave(merge, entity);
  return merge;
}

function emptyMerge(): Merge {
  return {
    writes: [],
    confirmed: [],
    products: [],
    hashChange: EMPTY_INVENTORY,
    entityCountChange: 0,
    accepted: 0,
    unchanged: 0,
  };
}

function enter(merge: Merge, entity: WireEntity, contentHash: string): void {
  move(merge, entity.entity_id, entity.version ?? null, contentHash, 1);
}

function leave(merge: Merge, before: StoredEntity): void {
  move(merge, before.entity_id, before.version, before.content_hash, -1);
}

function move(merge: Merge, id: string, version: string | null, hash: string, by: 1 | -1): void {
  merge.hashChange = xorHash(merge.hashChange, Buffer.from(hash, 'hex'));
  merge.entityCountChange += by;
  let product = merge.products.find((one) => one.entity_id === id);
  if (product === undefined) {
    product = { entity_id: id, devices: 0, versions: new Map() };
    merge.products.push(product);
  }
  product.devices += by;
  const key = version ?? '';
  product.versions.set(key, (product.versions.get(key) ?? 0) + by);
}
