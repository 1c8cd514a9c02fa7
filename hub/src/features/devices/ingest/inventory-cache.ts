// A cache of devices' inventories: unchanged entities cost neither a query nor parsing.
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
  /** The cached inventory for lookups of a body's entities; its version decides whether it is still current. */
  get(device: string): Readonly<InventoryCacheEntry> | undefined;
  /** True where this version holds the entity with this content. */
  hasEntity(device: string, version: number, entityId: string, contentHash: string): boolean;
  /** Whether this version certainly has no row of the entity, not even a removed row. */
  isKnownAbsent(device: string, version: number, entityId: string): boolean;
  /** After a commit: moves the cached inventory to the next version; entities that are not passed stay the same. */
  update(device: string, change: InventoryCacheChange): void;
  /** The size of the cache in entities. */
  size(): number;
}

export interface InventoryCacheChange {
  before: number;
  after: number;
  /** The new content of each entity; null: removed. */
  entities: ReadonlyMap<string, CachedEntity | null>;
  /** The device was enrolled by this batch: its inventory is what is passed. */
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
