// What this process remembers of devices' inventories, so that what has not changed costs no look-up and no parsing.
// A memory, never the truth: each picture carries the version of the device's inventory that it was taken at, and is used
// only where the locked row still has that version. So several hub processes may hold their own.

/** A page of entities that is known byte for byte: all of them stand in the database just so. */
export interface Page {
  /** The first 8 bytes of each entity id. */
  named: Buffer;
  /** XOR of the content hashes. */
  contents: Buffer;
  count: number;
}

/** A page to remember: in memory of its own, for a slice of a shared one would keep all of that alive. */
export function keptPage(named: Buffer, contents: Buffer): Page {
  const bytes = Buffer.alloc(contents.length + named.length);
  bytes.set(contents);
  bytes.set(named, contents.length);
  return {
    named: bytes.subarray(contents.length),
    contents: bytes.subarray(0, contents.length),
    count: named.length / ID_PREFIX_BYTES,
  };
}

export interface Pictures {
  /** The page as it stood when last looked at; whether it still holds, the version decides. */
  page(device: string, pageHash: string): Page | undefined;
  /** True where this version holds the entity with this content. */
  holds(device: string, version: number, entityId: string, contentHash: string): boolean;
  /** True where this version is known to have no row of the entity, not even of one that is gone. */
  lacks(device: string, version: number, entityId: string): boolean;
  /** True where this version holds the whole page. */
  holdsPage(device: string, version: number, pageHash: string): boolean;
  /** After a commit: moves the picture from one version to the next; what is not told stays as it was. */
  learn(device: string, change: PictureChange): void;
  /** How many entities are remembered. */
  size(): number;
}

export interface PictureChange {
  before: number;
  after: number;
  /** Content by entity id; null: no longer there. */
  entities: Iterable<readonly [string, string | null]>;
  /** The device was enrolled with this: there is nothing but what is told. */
  isNew: boolean;
  page: { hash: string; page: Page } | null;
}

interface Picture {
  version: number;
  /** True: what is not in `contents` has no row. */
  isComplete: boolean;
  /** Empty: the entity is gone. */
  contents: Map<string, string>;
  pages: Map<string, Page>;
}

export const ID_PREFIX_BYTES = 8;
const GONE = '';
const PAGE_WEIGHT = 8;
/** 48 bits of a SHA-256 tell apart what one device holds. No longer: V8 would keep the whole text behind the piece. */
const SHORT = 12;
const short = (hex: string): string => hex.slice(0, SHORT);

/** Bounded by entities and pages together, each page counted as eight; the device that was not used for longest goes first. */
export function createPictures(maxEntities: number): Pictures {
  const pictures = new Map<string, Picture>();
  let held = 0;
  const weight = (picture: Picture) => picture.contents.size + PAGE_WEIGHT * picture.pages.size;
  const drop = (device: string, picture: Picture) => {
    pictures.delete(device);
    held -= weight(picture);
  };
  const current = (device: string, version: number): Picture | undefined => {
    const picture = pictures.get(device);
    return picture?.version === version ? picture : undefined;
  };
  return {
    page(device, pageHash) {
      const picture = pictures.get(device);
      if (picture === undefined) return undefined;
      pictures.delete(device);
      pictures.set(device, picture);
      return picture.pages.get(pageHash);
    },
    holds: (device, version, entityId, contentHash) =>
      current(device, version)?.contents.get(short(entityId)) === short(contentHash),
    lacks(device, version, entityId) {
      const picture = current(device, version);
      return picture?.isComplete === true && !picture.contents.has(short(entityId));
    },
    holdsPage: (device, version, pageHash) =>
      current(device, version)?.pages.has(pageHash) === true,
    learn(device, change) {
      const known = pictures.get(device);
      if (known !== undefined) drop(device, known);
      const picture =
        known?.version === change.before
          ? known
          : {
              version: 0,
              isComplete: change.isNew,
              contents: new Map<string, string>(),
              pages: new Map<string, Page>(),
            };
      picture.version = change.after;
      const touched = new Set<string>();
      for (const [entityId, contentHash] of change.entities) {
        const id = short(entityId);
        const content = contentHash === null ? GONE : short(contentHash);
        const before = picture.contents.get(id);
        if (before === content) continue;
        if (before !== undefined) touched.add(id);
        picture.contents.set(id, content);
      }
      if (touched.size > 0) forgetPages(picture, touched);
      if (change.page !== null) picture.pages.set(change.page.hash, change.page.page);
      held += weight(picture);
      pictures.set(device, picture);
      for (const [oldest, one] of pictures) {
        if (held <= maxEntities || oldest === device) break;
        drop(oldest, one);
      }
    },
    size: () => held,
  };
}

/** Pages that name an entity which is no longer as it was. */
function forgetPages(picture: Picture, touched: ReadonlySet<string>): void {
  const ids = [...touched].map((id) => Buffer.from(id, 'hex'));
  for (const [hash, page] of picture.pages) {
    // A match between two ids is possible and harmless: the page is only looked at once more.
    if (ids.some((id) => page.named.includes(id))) picture.pages.delete(hash);
  }
}
