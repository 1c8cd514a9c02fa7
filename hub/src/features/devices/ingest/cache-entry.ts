// The cached inventory of a device: numbers in a few buffers, because a million entities as objects and
// texts would be gone through by each collection of the heap.
import { getRandomValues } from 'node:crypto';
import { addHash } from '@gatewarden/shared/digests.ts';

/** Entities that the database stores byte for byte as cached here. */
export interface CachedPage {
  /** The first 8 bytes of each entity id. */
  named: Buffer;
  /** XOR of the content hashes. */
  contents: Buffer;
  count: number;
}

/** What an entity holds: the hash of its canonical form in hex, and of the text it came in where that is known. */
export interface CachedEntity {
  contentHash: string;
  /** Its first 16 bytes, each a character. */
  textHash: string | null;
}

export interface InventoryCacheEntry {
  /** The version of the device's inventory that is cached. */
  version: number;
  /** True: what has no place has no row. */
  isComplete: boolean;
  /** How many entities have a place. */
  count: number;
  /** Their records by place. */
  records: Buffer;
  /** Hash table by the id prefix, with linear probing: the index plus 1; 0: free. */
  table: Int32Array;
  pages: Map<string, { page: CachedPage; slot: number }>;
  /** Hashes of the pages by slot. An entity is in at most one page, which its record names. */
  slots: (string | undefined)[];
}

/** 64 bits of a SHA-256 distinguish the entities of a single device. */
export const ID_PREFIX_BYTES = 8;
export const TEXT_BYTES = 16;
const CONTENT_BYTES = 32;

// A record: the id's beginning, the content hash (zeros: gone), the text's (zeros: not known), the page's slot.
const CONTENT_AT = ID_PREFIX_BYTES;
const TEXT_AT = CONTENT_AT + CONTENT_BYTES;
const SLOT_AT = TEXT_AT + TEXT_BYTES;
const RECORD_BYTES = SLOT_AT + 2;
const NO_SLOT = 0xff_ff;
const INITIAL_RECORDS = 8;

/** Tabulation hashing: without these secret numbers nobody can choose ids that collide. */
const MIXING = getRandomValues(new Int32Array(256 * ID_PREFIX_BYTES));

export function createCacheEntry(isComplete: boolean): InventoryCacheEntry {
  return {
    version: 0,
    isComplete,
    count: 0,
    records: Buffer.alloc(INITIAL_RECORDS * RECORD_BYTES),
    table: new Int32Array(2 * INITIAL_RECORDS),
    pages: new Map(),
    slots: [],
  };
}

/** Where the entity is remembered whose id begins with the 8 bytes at `at`; -1 where it is not. */
export function findSlot(
  { table, records }: InventoryCacheEntry,
  ids: Uint8Array,
  at: number,
): number {
  const mask = table.length - 1;
  for (let i = probeStart(ids, at, mask); ; i = (i + 1) & mask) {
    const place = (table[i] ?? 0) - 1;
    if (place === -1 || hasSamePrefix(records, place * RECORD_BYTES, ids, at)) return place;
  }
}

/** Returns the first slot of the search for an id in a table of `mask + 1` slots. */
export function probeStart(ids: Uint8Array, at: number, mask: number): number {
  let mixed = 0;
  for (let i = 0; i < ID_PREFIX_BYTES; i++) mixed ^= MIXING[256 * i + (ids[at + i] ?? 0)] ?? 0;
  return mixed & mask;
}

function hasSamePrefix(records: Uint8Array, from: number, ids: Uint8Array, at: number): boolean {
  for (let i = 0; i < ID_PREFIX_BYTES; i++) {
    if (records[from + i] !== ids[at + i]) return false;
  }
  return true;
}

/** True where the entity at this place came last in a text with this hash. */
export function hasTextHash(
  { records }: InventoryCacheEntry,
  place: number,
  textHash: string,
): boolean {
  const at = place * RECORD_BYTES + TEXT_AT;
  for (let i = 0; i < TEXT_BYTES; i++) {
    if (records[at + i] !== textHash.charCodeAt(i)) return false;
  }
  return true;
}

/** Adds the content hash at this place to the XOR of others. */
export function xorContentHash(
  { records }: InventoryCacheEntry,
  place: number,
  sum: Uint8Array,
): void {
  addHash(sum, records, place * RECORD_BYTES + CONTENT_AT);
}

/** In hex. */
export function readContentHash({ records }: InventoryCacheEntry, place: number): string {
  const at = place * RECORD_BYTES + CONTENT_AT;
  return records.toString('hex', at, at + CONTENT_BYTES);
}

/**
 * Stores what the entity holds whose id begins with the 8 bytes at `idAt`, null: it is gone. A page that named it with
 * other content is no longer known.
 */
export function writeCachedEntity(
  picture: InventoryCacheEntry,
  ids: Uint8Array,
  idAt: number,
  now: CachedEntity | null,
): void {
  const known = findSlot(picture, ids, idAt);
  const place = known === -1 ? appendRecord(picture, ids, idAt) : known;
  if (known !== -1 && (now === null || readContentHash(picture, place) !== now.contentHash)) {
    invalidatePageOf(picture, place);
  }
  const at = place * RECORD_BYTES;
  if (now === null) {
    picture.records.fill(0, at + CONTENT_AT, at + SLOT_AT);
    return;
  }
  picture.records.write(now.contentHash, at + CONTENT_AT, CONTENT_BYTES, 'hex');
  if (now.textHash === null) picture.records.fill(0, at + TEXT_AT, at + SLOT_AT);
  else picture.records.write(now.textHash, at + TEXT_AT, TEXT_BYTES, 'latin1');
}

function appendRecord(picture: InventoryCacheEntry, ids: Uint8Array, idAt: number): number {
  const place = picture.count++;
  const at = place * RECORD_BYTES;
  if (at + RECORD_BYTES > picture.records.length) {
    const places = Math.ceil((picture.count * 3) / 2);
    const more = Buffer.alloc(places * RECORD_BYTES);
    more.set(picture.records);
    picture.records = more;
  }
  picture.records.set(ids.subarray(idAt, idAt + ID_PREFIX_BYTES), at);
  picture.records.writeUInt16LE(NO_SLOT, at + SLOT_AT);
  if (2 * picture.count <= picture.table.length) insertIntoTable(picture, place);
  else {
    picture.table = new Int32Array(2 * picture.table.length);
    for (let i = 0; i < picture.count; i++) insertIntoTable(picture, i);
  }
  return place;
}

/** No id is entered twice. */
function insertIntoTable({ table, records }: InventoryCacheEntry, place: number): void {
  const mask = table.length - 1;
  let i = probeStart(records, place * RECORD_BYTES, mask);
  while (table[i] !== 0) i = (i + 1) & mask;
  table[i] = place + 1;
}

function invalidatePageOf(picture: InventoryCacheEntry, place: number): void {
  const slot = picture.records.readUInt16LE(place * RECORD_BYTES + SLOT_AT);
  const hash = slot === NO_SLOT ? undefined : picture.slots[slot];
  if (hash === undefined) return;
  picture.pages.delete(hash);
  picture.slots[slot] = undefined;
}

/** Remembers a page. One that shares an entity with it, cut elsewhere by an earlier scan, is forgotten. */
export function cachePage(picture: InventoryCacheEntry, hash: string, page: CachedPage): void {
  const before = picture.pages.get(hash);
  if (before !== undefined) return;
  const places: number[] = [];
  for (let at = 0; at < page.named.length; at += ID_PREFIX_BYTES) {
    const place = findSlot(picture, page.named, at);
    if (place === -1) return;
    places.push(place);
  }
  for (const place of places) invalidatePageOf(picture, place);
  const free = picture.slots.indexOf(undefined);
  const slot = free === -1 ? picture.slots.length : free;
  if (slot >= NO_SLOT) return;
  picture.slots[slot] = hash;
  picture.pages.set(hash, { page, slot });
  for (const place of places) {
    picture.records.writeUInt16LE(slot, place * RECORD_BYTES + SLOT_AT);
  }
}

/** Copies a page into memory of its own, because a slice would retain the shared buffer. */
export function copyPage(named: Buffer, contents: Buffer): CachedPage {
  const bytes = Buffer.alloc(contents.length + named.length);
  bytes.set(contents);
  bytes.set(named, contents.length);
  return {
    named: bytes.subarray(contents.length),
    contents: bytes.subarray(0, contents.length),
    count: named.length / ID_PREFIX_BYTES,
  };
}

/** Returns the concatenated prefixes of these ids, which are in hex. */
export function idPrefixesOf(ids: readonly string[]): Buffer {
  return Buffer.from(ids.map((id) => id.slice(0, 2 * ID_PREFIX_BYTES)).join(''), 'hex');
}
