// A batch is read only as far as it is news. A page that is known byte for byte is not parsed at all: a rescan sends
// thousands of those. Of any other page only the entities are parsed whose very text is not known of this device.
import { hash } from 'node:crypto';
import { entityHashHex } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { parseJson } from '../../../platform/http/json.ts';
import { hashed, type SentEntity } from './merge.ts';
import { type Page, TEXT_BYTES } from './pictures.ts';

const MARK = Buffer.from('"entities":[');
const EMPTY_END = Buffer.from(']}');
/** How an entity begins. In valid JSON these bytes are never part of a text. */
const ENTITY = Buffer.from('{"entity_id":"');
const ID_LENGTH = 64;
const [COMMA, CLOSED] = [0x2c, 0x7d];

/** What is remembered of devices. */
export interface Memory {
  page(deviceId: string, pageHash: string): Page | undefined;
  contentOf(deviceId: string, entityId: string, textHash: string): string | undefined;
  /** Of which version of the device's inventory that is. */
  versionOf(deviceId: string): number | null;
}

/** A body as it was read. */
export interface PageBody {
  /** Over the whole body; each byte is hashed once. */
  bodyHash: Buffer;
  /** What the route validates: the whole body, or without the entities that are known. */
  value: unknown;
  /** Those of its entities whose text is known, by id. */
  known: ReadonlySet<string>;
  /** Names the page; empty where the body is written in a way that cannot be cut. */
  pageHash: string;
  page: Page | null;
  /** The entities in their order, once the value is known to be valid. */
  sent(): SentEntity[];
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
  const deviceId = head.device.device_id.toLowerCase();
  const pageHash = hash('sha256', bytes.subarray(start), 'base64url');
  const named = Buffer.concat([bytes.subarray(0, start), Buffer.from(pageHash)]);
  const bodyHash = Buffer.from(hash('sha256', named), 'hex');
  const page = memory.page(deviceId, pageHash);
  if (page !== undefined) {
    const whole = () => parseJson(bytes);
    // Asked only where the page no longer holds; then each of its entities is news.
    const sent = () =>
      readEntities(bytes, start, () => undefined)?.map((one) => completed(one, null)) ??
      hashed(entitiesOf(whole()));
    return { value: head, known: NONE, pageHash, bodyHash, page, sent, whole };
  }
  const entities = readEntities(bytes, start, (id, text) => memory.contentOf(deviceId, id, text));
  if (entities === null) {
    const read = readWhole(bytes, pageHash, bodyHash);
    return isCutRight(head, read.value) ? read : { ...read, pageHash: '' };
  }
  const version = memory.versionOf(deviceId);
  return {
    value: { ...head, entities: entities.flatMap((one) => one.parsed ?? []) },
    known: new Set(entities.flatMap((one) => (one.parsed === null ? one.id : []))),
    pageHash,
    bodyHash,
    page: null,
    sent: () => entities.map((one) => completed(one, version)),
    whole: () => parseJson(bytes),
  };
}

const NONE: ReadonlySet<string> = new Set();

const entitiesOf = (body: unknown) => (body as { entities: WireEntity[] }).entities;

function readWhole(bytes: Buffer, pageHash: string, bodyHash: Buffer): PageBody {
  const value = parseJson(bytes);
  const sent = () => hashed(entitiesOf(value));
  return { value, known: NONE, pageHash, bodyHash, page: null, sent, whole: () => value };
}

/** One entity of the page: parsed, or known with its content hash. */
type ReadEntity = { id: string; textHash: string } & (
  | { parsed: WireEntity; contentHash: null }
  | { parsed: null; contentHash: string; parse(): WireEntity }
);

/**
 * The entities of a body from `start` on, each parsed by itself unless it is known; null where the body cannot be cut
 * so, or one of them is no entity: parsed whole, it says what is wrong with it.
 */
function readEntities(
  bytes: Buffer,
  start: number,
  contentOf: (entityId: string, textHash: string) => string | undefined,
): ReadEntity[] | null {
  const end = bytes.length - EMPTY_END.length;
  if (!bytes.subarray(end).equals(EMPTY_END)) return null;
  const entities: ReadEntity[] = [];
  const seen = new Set<string>();
  for (let at = start; at < end; ) {
    const next = bytes.indexOf(ENTITY, at + 1);
    const stop = next === -1 ? end : next - 1;
    if (bytes[stop - 1] !== CLOSED || (next !== -1 && bytes[stop] !== COMMA)) return null;
    const text = bytes.subarray(at, stop);
    const id = text.toString('latin1', ENTITY.length, ENTITY.length + ID_LENGTH);
    // One twice is refused, whether it is known or not: parsed whole, the body says where.
    if (seen.has(id)) return null;
    seen.add(id);
    const textHash = hash('sha256', text).slice(0, 2 * TEXT_BYTES);
    const contentHash = contentOf(id, textHash);
    if (contentHash !== undefined) {
      const parse = () => parseJson(text) as WireEntity;
      entities.push({ id, textHash, contentHash, parsed: null, parse });
    } else {
      const parsed = parseEntity(text, id);
      if (parsed === null) return null;
      entities.push({ id, textHash, contentHash: null, parsed });
    }
    at = stop + 1;
  }
  return entities.length === 0 ? null : entities;
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

function completed(read: ReadEntity, version: number | null): SentEntity {
  const { id, textHash, parsed } = read;
  if (parsed !== null) {
    const contentHash = entityHashHex(parsed);
    const isRemoval = parsed.removed === true;
    return { id, textHash, contentHash, isRemoval, knownAt: null, entity: () => parsed };
  }
  // Only what stands there is known, so it is no removal.
  const { contentHash, parse } = read;
  return { id, textHash, contentHash, isRemoval: false, knownAt: version, entity: parse };
}

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
