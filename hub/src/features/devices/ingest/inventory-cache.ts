// What this process remembers of devices' inventories, so that what has not changed costs no look-up and no parsing.
// A memory, never the truth: each picture carries the version of the device's inventory that it was taken at, and is used
// only where the locked row still has that version. So several hub processes may hold their own.
import {
  type CachedEntity,
  type CachedPage,
  cachePage,
  createCacheEntry,
  findSlot,
  ID_PREFIX_BYTES,
  type InventoryCacheEntry,
  idPrefixesOf,
  readContentHash,
  writeCachedEntity,
} from './cache-entry.ts';

export interface InventoryCache {
  /** The picture as it stands, to look a body's entities up in at once; whether it still holds, its version decides. */
  get(device: string): Readonly<InventoryCacheEntry> | undefined;
  /** True where this version holds the entity with this content. */
  hasEntity(device: string, version: number, entityId: string, contentHash: string): boolean;
  /** True where this version is known to have no row of the entity, not even of one that is gone. */
  isKnownAbsent(device: string, version: number, entityId: string): boolean;
  /** After a commit: moves the picture from one version to the next; what is not told stays as it was. */
  update(device: string, change: InventoryCacheChange): void;
  /** What is remembered, in entities. */
  size(): number;
}

export interface InventoryCacheChange {
  before: number;
  after: number;
  /** What each entity holds now; null: no longer there. */
  entities: ReadonlyMap<string, CachedEntity | null>;
  /** The device was enrolled with this: there is nothing but what is told. */
  isNew: boolean;
  page: { hash: string; page: CachedPage } | null;
}

/** What a page takes, and a device whatever is remembered of it, beside entities. */
const [PAGE_WEIGHT, DEVICE_WEIGHT] = [8, 16];

/**
 * Bounded by entities, pages and devices together, a page counted as eight and a device as sixteen; the device that was
 * not used for longest goes first.
 */
export function createInventoryCache(maxEntities: number): InventoryCache {
  const pictures = new Map<string, InventoryCacheEntry>();
  let totalWeight = 0;
  const weight = (picture: InventoryCacheEntry) =>
    DEVICE_WEIGHT + picture.count + PAGE_WEIGHT * picture.pages.size;
  const drop = (device: string, picture: InventoryCacheEntry) => {
    pictures.delete(device);
    totalWeight -= weight(picture);
  };
  const current = (device: string, version: number): InventoryCacheEntry | undefined => {
    const picture = pictures.get(device);
    return picture?.version === version ? picture : undefined;
  };
  return {
    get(device) {
      const picture = pictures.get(device);
      if (picture === undefined) return undefined;
      pictures.delete(device);
      pictures.set(device, picture);
      return picture;
    },
    hasEntity(device, version, entityId, contentHash) {
      const picture = current(device, version);
      if (picture === undefined) return false;
      const place = findSlot(picture, idPrefixesOf([entityId]), 0);
      return place !== -1 && readContentHash(picture, place) === contentHash;
    },
    isKnownAbsent(device, version, entityId) {
      const picture = current(device, version);
      return picture?.isComplete === true && findSlot(picture, idPrefixesOf([entityId]), 0) === -1;
    },
    update(device, change) {
      const known = pictures.get(device);
      if (known !== undefined) drop(device, known);
      const picture = known?.version === change.before ? known : createCacheEntry(change.isNew);
      picture.version = change.after;
      const ids = idPrefixesOf([...change.entities.keys()]);
      let at = 0;
      for (const now of change.entities.values()) {
        writeCachedEntity(picture, ids, at, now);
        at += ID_PREFIX_BYTES;
      }
      if (change.page !== null) cachePage(picture, change.page.hash, change.page.page);
      totalWeight += weight(picture);
      pictures.set(device, picture);
      for (const [oldest, item] of pictures) {
        if (totalWeight <= maxEntities || oldest === device) break;
        drop(oldest, item);
      }
    },
    size: () => totalWeight,
  };
}
