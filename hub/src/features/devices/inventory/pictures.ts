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

/** What an entity holds: the hash of its canonical form in hex, and of the text it came in where that is known. */
export interface Held {
  contentHash: string;
  /** Its first 16 bytes in hex. */
  textHash: string | null;
}

export interface Pictures {
  /** The page as it stood when last looked at; whether it still holds, the version decides. */
  page(device: string, pageHash: string): Page | undefined;
  /** The content hash of an entity that was last sent in just this text; whether it still holds, the version decides. */
  contentOf(device: string, entityId: string, textHash: string): string | undefined;
  /** The version of which that is. */
  versionOf(device: string): number | null;
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
  /** What each entity holds now; null: no longer there. */
  entities: Iterable<readonly [string, Held | null]>;
  /** The device was enrolled with this: there is nothing but what is told. */
  isNew: boolean;
  page: { hash: string; page: Page } | null;
}

interface Picture {
  version: number;
  /** True: what has no place has no row. */
  isComplete: boolean;
  /** Which record is whose, by the beginning of the entity id. */
  places: Map<string, number>;
  records: Buffer;
  pages: Map<string, { page: Page; slot: number }>;
  /** The pages' hashes by slot; an entity stands in one page at most, and its record says in which. */
  slots: (string | undefined)[];
}

export const ID_PREFIX_BYTES = 8;
const PAGE_WEIGHT = 8;
/** 48 bits of a SHA-256 tell apart what one device holds. No longer: V8 would keep the whole text behind the piece. */
const SHORT = 12;
const short = (hex: string): string => hex.slice(0, SHORT);

// A record: 32 bytes of content hash (zeros: gone), 16 of the text's (zeros: not known), 2 of the page's slot.
const CONTENT_BYTES = 32;
export const TEXT_BYTES = 16;
const SLOT_AT = CONTENT_BYTES + TEXT_BYTES;
const RECORD_BYTES = SLOT_AT + 2;
const NO_SLOT = 0xff_ff;
const FIRST_RECORDS = 64;

/** Bounded by entities and pages together, each page counted as eight; the device that was not used for longest goes first. */
export function createPictures(maxEntities: number): Pictures {
  const pictures = new Map<string, Picture>();
  let held = 0;
  const weight = (picture: Picture) => picture.places.size + PAGE_WEIGHT * picture.pages.size;
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
      return picture.pages.get(pageHash)?.page;
    },
    contentOf(device, entityId, textHash) {
      const picture = pictures.get(device);
      const place = picture?.places.get(short(entityId));
      if (picture === undefined || place === undefined) return undefined;
      const at = place * RECORD_BYTES;
      const text = picture.records.toString('hex', at + CONTENT_BYTES, at + SLOT_AT);
      return text === textHash ? contentAt(picture, at) : undefined;
    },
    versionOf: (device) => pictures.get(device)?.version ?? null,
    holds(device, version, entityId, contentHash) {
      const picture = current(device, version);
      const place = picture?.places.get(short(entityId));
      if (picture === undefined || place === undefined) return false;
      return contentAt(picture, place * RECORD_BYTES) === contentHash;
    },
    lacks(device, version, entityId) {
      const picture = current(device, version);
      return picture?.isComplete === true && !picture.places.has(short(entityId));
    },
    holdsPage: (device, version, pageHash) =>
      current(device, version)?.pages.has(pageHash) === true,
    learn(device, change) {
      const known = pictures.get(device);
      if (known !== undefined) drop(device, known);
      const picture = known?.version === change.before ? known : emptyPicture(change.isNew);
      picture.version = change.after;
      for (const [entityId, now] of change.entities) write(picture, short(entityId), now);
      if (change.page !== null) keepPage(picture, change.page.hash, change.page.page);
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

function emptyPicture(isComplete: boolean): Picture {
  return {
    version: 0,
    isComplete,
    places: new Map(),
    records: Buffer.alloc(FIRST_RECORDS * RECORD_BYTES),
    pages: new Map(),
    slots: [],
  };
}

const contentAt = (picture: Picture, at: number): string =>
  picture.records.toString('hex', at, at + CONTENT_BYTES);

/** Stores what the entity holds; a page that named it with other content is no longer known. */
function write(picture: Picture, id: string, now: Held | null): void {
  const known = picture.places.get(id);
  const place = known ?? picture.places.size;
  const at = place * RECORD_BYTES;
  if (known === undefined) {
    picture.places.set(id, place);
    picture.records = grown(picture.records, at + RECORD_BYTES);
    picture.records.writeUInt16LE(NO_SLOT, at + SLOT_AT);
  } else if (now === null || contentAt(picture, at) !== now.contentHash) {
    forgetPageOf(picture, at);
  }
  if (now === null) {
    picture.records.fill(0, at, at + SLOT_AT);
    return;
  }
  picture.records.write(now.contentHash, at, CONTENT_BYTES, 'hex');
  if (now.textHash === null) picture.records.fill(0, at + CONTENT_BYTES, at + SLOT_AT);
  else picture.records.write(now.textHash, at + CONTENT_BYTES, TEXT_BYTES, 'hex');
}

function forgetPageOf(picture: Picture, at: number): void {
  const slot = picture.records.readUInt16LE(at + SLOT_AT);
  const hash = slot === NO_SLOT ? undefined : picture.slots[slot];
  if (hash === undefined) return;
  picture.pages.delete(hash);
  picture.slots[slot] = undefined;
}

/** Remembers a page. One that shares an entity with it, cut elsewhere by an earlier scan, is forgotten. */
function keepPage(picture: Picture, hash: string, page: Page): void {
  const before = picture.pages.get(hash);
  if (before !== undefined) return;
  const places: number[] = [];
  for (let i = 0; i < page.named.length; i += ID_PREFIX_BYTES) {
    const place = picture.places.get(page.named.toString('hex', i, i + SHORT / 2));
    if (place === undefined) return;
    places.push(place);
  }
  for (const place of places) forgetPageOf(picture, place * RECORD_BYTES);
  const free = picture.slots.indexOf(undefined);
  const slot = free === -1 ? picture.slots.length : free;
  if (slot >= NO_SLOT) return;
  picture.slots[slot] = hash;
  picture.pages.set(hash, { page, slot });
  for (const place of places) {
    picture.records.writeUInt16LE(slot, place * RECORD_BYTES + SLOT_AT);
  }
}

function grown(records: Buffer, bytes: number): Buffer {
  if (bytes <= records.length) return records;
  const more = Buffer.alloc(Math.ceil((records.length * 3) / 2 / RECORD_BYTES) * RECORD_BYTES);
  more.set(records);
  return more;
}
