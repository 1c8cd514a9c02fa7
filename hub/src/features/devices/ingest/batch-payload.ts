// A batch is read only as far as it is news. A page that is known byte for byte is not parsed at all: a rescan sends
// thousands of those. Of any other page only the entities are parsed whose very text is not known of this device.
import { hash } from 'node:crypto';
import { entityHashHex } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { parseJson } from '../../../platform/http/json/parse-json.ts';
import {
  type CachedPage,
  findSlot,
  hasTextHash,
  ID_PREFIX_BYTES,
  type InventoryCacheEntry,
  TEXT_BYTES,
  xorContentHash,
} from './cache-entry.ts';
import { hashEntities, type SentEntity } from './merge.ts';

const MARK = Buffer.from('"entities":[');
const EMPTY_END = Buffer.from(']}');
/** How an entity begins. In valid JSON these bytes are never part of a text. */
const ENTITY = Buffer.from('{"entity_id":"');
const ID_LENGTH = 64;
const [COMMA, CLOSED] = [0x2c, 0x7d];

/** What is remembered of a device, if anything. */
export type CacheLookup = (deviceId: string) => Readonly<InventoryCacheEntry> | undefined;

/** The entities of a body that are known byte for byte. */
export interface CachedPart {
  /** The page of the device's inventory that stores these entities byte for byte. */
  version: number;
  page: CachedPage;
}

/** A body as it was read. */
export interface BatchPayload {
  /** Over the whole body; each byte is hashed once. */
  bodyHash: Buffer;
  /** The part that the route validates: the body, without the cached entities. */
  value: unknown;
  cachedPart: CachedPart | null;
  /** To remember the page by; empty where it is known already, or written in a way that cannot be cut. */
  pageHash: string;
  /** The entities that are not known, once the value is known to be valid. */
  readChangedEntities(): SentEntity[];
  /** Every entity, parsed: for batches whose cached pages are stale. */
  readAllEntities(): SentEntity[];
  /** The whole body, parsed. */
  parseWhole(): unknown;
}

/**
 * Reads a batch, with what is remembered of the device that it names. Throws like `parseJson`. What is known was parsed
 * and validated when it was remembered, and the same bytes give the same entities.
 */
export function readBatchPayload(bytes: Buffer, memory: CacheLookup): BatchPayload {
  const cut = bytes.indexOf(MARK);
  const head = cut === -1 ? null : parseHead(bytes.subarray(0, cut + MARK.length));
  if (head === null) return readWithoutCache(bytes, '', Buffer.from(hash('sha256', bytes), 'hex'));
  const start = cut + MARK.length;
  const pageHash = hash('sha256', bytes.subarray(start), 'base64url');
  const named = Buffer.concat([bytes.subarray(0, start), Buffer.from(pageHash)]);
  const bodyHash = Buffer.from(hash('sha256', named), 'hex');
  const picture = memory(head.device.device_id.toLowerCase());
  const whole = () => parseJson(bytes);
  const readAllEntities = () =>
    readEntities(bytes, start, undefined)?.news.map(toSentEntity) ??
    hashEntities(entitiesOf(whole()));
  const page = picture?.pages.get(pageHash)?.page;
  if (picture !== undefined && page !== undefined) {
    const known = { version: picture.version, page };
    return {
      value: head,
      cachedPart: known,
      pageHash: '',
      bodyHash,
      readChangedEntities: () => [],
      readAllEntities,
      parseWhole: whole,
    };
  }
  const read = readEntities(bytes, start, picture);
  if (read === null) {
    const body = readWithoutCache(bytes, pageHash, bodyHash);
    return endsWithEntities(head, body.value) ? body : { ...body, pageHash: '' };
  }
  const { news, known } = read;
  return {
    value: { ...head, entities: news.map((entity) => entity.parsed) },
    cachedPart: known,
    pageHash,
    bodyHash,
    readChangedEntities: () => news.map(toSentEntity),
    readAllEntities,
    parseWhole: whole,
  };
}

const entitiesOf = (body: unknown) => (body as { entities: WireEntity[] }).entities;

function readWithoutCache(bytes: Buffer, pageHash: string, bodyHash: Buffer): BatchPayload {
  const value = parseJson(bytes);
  const readAllEntities = () => hashEntities(entitiesOf(value));
  return {
    value,
    cachedPart: null,
    pageHash,
    bodyHash,
    readChangedEntities: readAllEntities,
    readAllEntities,
    parseWhole: () => value,
  };
}

interface NewEntity {
  id: string;
  textHash: string;
  parsed: WireEntity;
}

/**
 * The entities of a body from `start` on, each parsed by itself unless its text is known; null where the body cannot be
 * split this way has a duplicate or an invalid entity: parsing the body as a whole reports the error.
 */
function readEntities(
  bytes: Buffer,
  start: number,
  picture: Readonly<InventoryCacheEntry> | undefined,
): { news: NewEntity[]; known: CachedPart | null } | null {
  const end = bytes.length - EMPTY_END.length;
  if (!bytes.subarray(end).equals(EMPTY_END)) return null;
  const ids = createIdPrefixReader();
  const known = {
    named: Buffer.allocUnsafe(ids.bytes.length),
    contents: Buffer.alloc(32),
    count: 0,
  };
  const news: NewEntity[] = [];
  for (let at = start; at < end; ) {
    const next = bytes.indexOf(ENTITY, at + 1);
    const stop = next === -1 ? end : next - 1;
    if (bytes[stop - 1] !== CLOSED || (next !== -1 && bytes[stop] !== COMMA)) return null;
    const idAt = ids.read(bytes, at + ENTITY.length);
    if (idAt === null) return null;
    const text = bytes.subarray(at, stop);
    const textHash = hash('sha256', text, 'binary');
    const place = picture === undefined ? -1 : findSlot(picture, ids.bytes, idAt);
    if (picture !== undefined && place !== -1 && hasTextHash(picture, place, textHash)) {
      xorContentHash(picture, place, known.contents);
      for (let i = 0; i < ID_PREFIX_BYTES; i++) {
        known.named[known.count * ID_PREFIX_BYTES + i] = ids.bytes[idAt + i] ?? 0;
      }
      known.count++;
    } else {
      const id = text.toString('latin1', ENTITY.length, ENTITY.length + ID_LENGTH);
      const parsed = parseEntity(text, id);
      if (parsed === null) return null;
      news.push({ id, textHash: textHash.slice(0, TEXT_BYTES), parsed });
    }
    at = stop + 1;
  }
  if (picture === undefined || known.count === 0) {
    return news.length === 0 ? null : { news, known: null };
  }
  const named = known.named.subarray(0, known.count * ID_PREFIX_BYTES);
  return { news, known: { version: picture.version, page: { ...known, named } } };
}

/** The prefixes of a body's ids, in order. */
function createIdPrefixReader() {
  const words = new Int32Array((BATCH_LIMIT * ID_PREFIX_BYTES) / Int32Array.BYTES_PER_ELEMENT);
  const bytes = Buffer.from(words.buffer);
  let count = 0;
  return {
    bytes,
    /** Adds the id in hex. Returns its index, or null if it is invalid, a duplicate or above the limit. */
    read(from: Uint8Array, at: number): number | null {
      if (count === BATCH_LIMIT) return null;
      const to = count * ID_PREFIX_BYTES;
      for (let i = 0; i < ID_PREFIX_BYTES; i++) {
        const value = (hexDigitOf(from[at + 2 * i]) << 4) | hexDigitOf(from[at + 2 * i + 1]);
        if (value < 0) return null;
        bytes[to + i] = value;
      }
      const first = words[2 * count];
      const second = words[2 * count + 1];
      for (let i = 0; i < count; i++) {
        if (words[2 * i] === first && words[2 * i + 1] === second) return null;
      }
      count++;
      return to;
    },
  };
}

/** Negative where it is none. */
function hexDigitOf(code = -1): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function parseEntity(text: Buffer, id: string): WireEntity | null {
  try {
    const value = parseJson(text) as WireEntity | null;
    return value?.entity_id === id ? value : null;
  } catch {
    // Parsing the body as a whole reports the position of the error.
    return null;
  }
}

const toSentEntity = ({ id, textHash, parsed }: NewEntity): SentEntity => ({
  id,
  textHash,
  contentHash: entityHashHex(parsed),
  isRemoval: parsed.removed === true,
  entity: parsed,
});

interface PayloadHead {
  device: { device_id: string };
  entities: [];
}

/** The body up to its entities, closed there; null where the mark was not at its top level. */
function parseHead(head: Buffer): PayloadHead | null {
  try {
    const value = parseJson(Buffer.concat([head, EMPTY_END])) as Partial<PayloadHead> | null;
    const isBatch = Array.isArray(value?.entities) && typeof value.device?.device_id === 'string';
    return isBatch ? (value as PayloadHead) : null;
  } catch {
    // The body cannot be split here; parsing it as a whole reports the error.
    return null;
  }
}

/** Returns whether only entities followed the split. */
function endsWithEntities(head: PayloadHead, value: unknown): boolean {
  const without = (body: unknown) => JSON.stringify({ ...(body as object), entities: null });
  return without(head) === without(value);
}
