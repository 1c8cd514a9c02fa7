// A batch whose page of entities is known byte for byte needs no parsing of it: a rescan sends thousands of those.
import { createHash, hash } from 'node:crypto';
import { parseJson } from '../../../platform/http/json.ts';
import type { Page } from './pictures.ts';

const MARK = Buffer.from('"entities":[');
const EMPTY_END = Buffer.from(']}');

/** A body as it was read. */
export interface PageBody {
  /** Over the whole body; each byte is hashed once. */
  bodyHash: Buffer;
  /** What the route validates: the whole body, or without its entities where the page is known. */
  value: unknown;
  /** Names the page; empty where the body is written in a way that cannot be cut. */
  pageHash: string;
  page: Page | null;
  /** The whole body, parsed. */
  whole(): unknown;
}

/**
 * Reads a batch. `find` looks a page up for the device that the body names. Throws like `parseJson`. What was found was
 * parsed and validated when it was remembered, and the same bytes give the same entities.
 */
export function readPageBody(
  bytes: Buffer,
  find: (deviceId: string, pageHash: string) => Page | undefined,
): PageBody {
  const cut = bytes.indexOf(MARK);
  const head = cut === -1 ? null : parseHead(bytes.subarray(0, cut + MARK.length));
  if (head === null) {
    return whole(bytes, '', createHash('sha256').update(bytes).digest());
  }
  const pageHash = hash('sha256', bytes.subarray(cut + MARK.length), 'base64url');
  const bodyHash = createHash('sha256')
    .update(bytes.subarray(0, cut + MARK.length))
    .update(pageHash)
    .digest();
  const page = find(head.device.device_id.toLowerCase(), pageHash);
  if (page !== undefined) {
    return { value: head, pageHash, bodyHash, page, whole: () => parseJson(bytes) };
  }
  const read = whole(bytes, pageHash, bodyHash);
  return isCutRight(head, read.value) ? read : { ...read, pageHash: '' };
}

function whole(bytes: Buffer, pageHash: string, bodyHash: Buffer): PageBody {
  const value = parseJson(bytes);
  return { value, pageHash, bodyHash, page: null, whole: () => value };
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
