// A batch is read only as far as it is news. A page that is known byte for byte is not parsed at all: a rescan sends
// thousands of those. Of any other page only the entities are parsed whose very text is not known of this device.
import { hash } from 'node:crypto';
import { entityHashHex } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { parseJson } from '../../../platform/http/json/parse-json.ts';
import {
  addContent,
  ID_PREFIX_BYTES,
  isText,
  type Page,
  type Picture,
  placeOf,
  TEXT_BYTES,
} from './cache-entry.ts';
import { hashed, type SentEntity } from './merge.ts';

const MARK = Buffer.from('"entities":[');
const EMPTY_END = Buffer.from(']}');
/** How an entity begins. In valid JSON these bytes are never part of a text. */
const ENTITY = Buffer.from('{"entity_id":"');
const ID_LENGTH = 64;
const [COMMA, CLOSED] = [0x2c, 0x7d];

/** What is remembered of a device, if anything. */
export type Memory = (deviceId: string) => Readonly<Picture> | undefined;

/** The entities of a body that are known byte for byte. */
export interface KnownPart {
  /** Of the device's inventory, in which they stand so. */
  version: number;
  page: Page;
}

/** A body as it was read. */
export interface PageBody {
  /** Over the whole body; each byte is hashed once. */
  bodyHash: Buffer;
  /** What the route validates: the whole body, or without the entities that are known. */
  value: unknown;
  known: KnownPart | null;
  /** To remember the page by; empty where it is known already, or written in a way that cannot be cut. */
  pageHash: string;
  /** The entities that are not known, once the value is known to be valid. */
  news(): SentEntity[];
  /** All of them, each parsed: for where what was known no longer stands. */
  all(): SentEntity[];
  /** The whole body, parsed. */
  whole(): unknown;
}

/**
 * Reads a batch, with what is remembered of the device that it names. Throws like `parseJson`. What is known was parsed
 * and validated when it was remembered, and the same bytes give the same entities.
 */
export function readPageBody(bytes: Buffer, memory: Memory): PageBody {
  const cut = bytes.indexOf(MARK);
  const head = cut === -1 ? null : parseHead(bytes.subarray(0, cut + MARK.length));
  if (head === null) return readWhole(bytes, '', Buffer.from(hash('sha256', bytes), 'hex'));
  const start = cut + MARK.length;
  const pageHash = hash('sha256', bytes.subarray(start), 'base64url');
  const named = Buffer.concat([bytes.subarray(0, start), Buffer.from(pageHash)]);
  const bodyHash = Buffer.from(hash('sha256', named), 'hex');
  const picture = memory(head.device.device_id.toLowerCase());
  const whole = () => parseJson(bytes);
  const all = () =>
    readEntities(bytes, start, undefined)?.news.map(completed) ?? hashed(entitiesOf(whole()));
  const page = picture?.pages.get(pageHash)?.page;
  if (picture !== undefined && page !== undefined) {
    const known = { version: picture.version, page };
    return { value: head, known, pageHash: '', bodyHash, news: () => [], all, whole };
  }
  const read = readEntities(bytes, start, picture);
  if (read === null) {
    const body = readWhole(bytes, pageHash, bodyHash);
    return isCutRight(head, body.value) ? body : { ...body, pageHash: '' };
  }
  const { news, known } = read;
  return {
    value: { ...head, entities: news.map((entity) => entity.parsed) },
    known,
    pageHash,
    bodyHash,
    news: () => news.map(completed),
    all,
    whole,
  };
}

const entitiesOf = (body: unknown) => (body as { entities: WireEntity[] }).entities;

function readWhole(bytes: Buffer, pageHash: string, bodyHash: Buffer): PageBody {
  const value = parseJson(bytes);
  const all = () => hashed(entitiesOf(value));
  return { value, known: null, pageHash, bodyHash, news: all, all, whole: () => value };
}

interface NewEntity {
  id: string;
  textHash: string;
  parsed: WireEntity;
}

/**
 * The entities of a body from `start` on, each parsed by itself unless its text is known; null where the body cannot be
 * cut so, one stands twice or is no entity: parsed whole, it says what is wrong with it.
 */
function readEntities(
  bytes: Buffer,
  start: number,
  picture: Readonly<Picture> | undefined,
): { news: NewEntity[]; known: KnownPart | null } | null {
  const end = bytes.length - EMPTY_END.length;
  if (!bytes.subarray(end).equals(EMPTY_END)) return null;
  const ids = createPrefixes();
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
    const place = picture === undefined ? -1 : placeOf(picture, ids.bytes, idAt);
    if (picture !== undefined && place !== -1 && isText(picture, place, textHash)) {
      addContent(picture, place, known.contents);
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

/** The beginnings of the ids of one body, read one after the other. */
function createPrefixes() {
  const words = new Int32Array((BATCH_LIMIT * ID_PREFIX_BYTES) / Int32Array.BYTES_PER_ELEMENT);
  const bytes = Buffer.from(words.buffer);
  let count = 0;
  return {
    bytes,
    /** Of the id that stands there in hex; gives where it was put, or null where it is none, was there before or is one too many. */
    read(from: Uint8Array, at: number): number | null {
      if (count === BATCH_LIMIT) return null;
      const to = count * ID_PREFIX_BYTES;
      for (let i = 0; i < ID_PREFIX_BYTES; i++) {
        const value = (digitOf(from[at + 2 * i]) << 4) | digitOf(from[at + 2 * i + 1]);
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
function digitOf(code = -1): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function parseEntity(text: Buffer, id: string): WireEntity | null {
  try {
    const value = parseJson(text) as WireEntity | null;
    return value?.entity_id === id ? value : null;
  } catch {
    // Parsed whole, the body says where it is wrong.
    return null;
  }
}

const completed = ({ id, textHash, parsed }: NewEntity): SentEntity => ({
  id,
  textHash,
  contentHash: entityHashHex(parsed),
  isRemoval: parsed.removed === true,
  entity: parsed,
});

interface Head {
  device: { device_id: string };
  entities: [];
}

/** The body up to its entities, closed there; null where the mark was not at its top level. */
function parseHead(head: Buffer): Head | null {
  try {
    const value = parseJson(Buffer.concat([head, EMPTY_END])) as Partial<Head> | null;
    const isBatch = Array.isArray(value?.entities) && typeof value.device?.device_id === 'string';
    return isBatch ? (value as Head) : null;
  } catch {
    // Not to be cut here. Parsed whole, it says what is wrong with it.
    return null;
  }
}

/** True where nothing but the entities stood after the cut. */
function isCutRight(head: Head, value: unknown): boolean {
  const without = (body: unknown) => JSON.stringify({ ...(body as object), entities: null });
  return without(head) === without(value);
}
