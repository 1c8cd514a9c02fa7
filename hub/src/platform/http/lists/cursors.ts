// Pagination cursors: opaque, authenticated by HMAC, and bound to their list.
// Main types: `CursorSealer`, `ListPage`.
// Invariant: a cursor with a changed byte, or of another list, tenant or filter, is `invalid_cursor`.
// Depends on node:crypto and the error list.
// Start reading at `openListCursor` and `cutPage`.
import { hash, timingSafeEqual } from 'node:crypto';
import { HubError } from '../errors/errors.ts';

export interface CursorSealer {
  /** Seals a position. `binding` names collection, tenant and filters; the cursor opens only with the same binding. */
  seal(binding: readonly unknown[], position: unknown): string;
  /** Returns a sealer for a list that has a cursor for each row. */
  createSealer(binding: readonly unknown[]): (position: unknown) => string;
  /** Returns the position, or null for a damaged cursor or another binding. */
  open(binding: readonly unknown[], cursor: string): unknown;
}

const TAG_BYTES = 16;
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

export function createCursorSealer(key: Buffer): CursorSealer {
  const createSealer = (binding: readonly unknown[]) => {
    const seal = sealerOf(key, binding);
    return (position: unknown) => seal(JSON.stringify(position));
  };
  return {
    createSealer,
    seal: (binding, position) => createSealer(binding)(position),
    open(binding, cursor) {
      const body = Buffer.from(cursor, 'base64url').toString('utf8', TAG_BYTES);
      // The text itself is compared: base64url decoding ignores invalid characters.
      const expected = Buffer.from(sealerOf(key, binding)(body));
      const sent = Buffer.from(cursor);
      if (expected.length !== sent.length || !timingSafeEqual(expected, sent)) return null;
      return JSON.parse(body) as unknown;
    },
  };
}

/**
 * Returns a function that returns the cursor of a body: the first half of HMAC-SHA-256 (RFC 2104) over binding, NUL and
 * body, then the body. The two hashes are written out, because an Hmac object costs three times as much and each exported
 * row has a cursor.
 */
function sealerOf(key: Buffer, binding: readonly unknown[]): (body: string) => string {
  const bound = Buffer.concat([padded(key, 0x36), Buffer.from(`${JSON.stringify(binding)}\0`)]);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)]);
  let message: Buffer = bound;
  let cursor = Buffer.alloc(TAG_BYTES);
  return (body) => {
    const most = body.length * 3;
    if (message.length < bound.length + most) {
      message = Buffer.concat([bound, Buffer.alloc(most)]);
      cursor = Buffer.alloc(TAG_BYTES + most);
    }
    const end = bound.length + message.write(body, bound.length);
    outer.write(hash('sha256', message.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    cursor.write(hash('sha256', outer, 'binary'), 0, TAG_BYTES, 'latin1');
    message.copy(cursor, TAG_BYTES, bound.length, end);
    return cursor.toString('base64url', 0, TAG_BYTES + end - bound.length);
  };
}

/** Returns the key XORed with a pad, as HMAC defines it. */
function padded(key: Buffer, pad: number): Buffer {
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [i, byte] of short.entries()) block[i] = byte ^ pad;
  return block;
}

/** Opens a list's cursor. Returns undefined without a cursor. Throws `invalid_cursor`. */
export function openListCursor<Position>(
  cursors: CursorSealer,
  binding: readonly unknown[],
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = cursors.open(binding, cursor);
  if (position === null) throw new HubError('invalid_cursor');
  return position as Position;
}

export interface ListPage<Row> {
  items: Row[];
  next_cursor: string | null;
}

/** Cuts `limit + 1` fetched rows to a page, with the cursor that continues after its last row. */
export function cutPage<Row>(
  fetched: Row[],
  limit: number,
  next: (last: Row) => string,
): ListPage<Row> {
  const items = fetched.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: fetched.length > limit && last !== undefined ? next(last) : null };
}

export const LIST_LIMIT_DEFAULT = 50;

/** Returns the page size of a query: its `limit`, or the default. */
export function parseListLimit(text: string | undefined): number {
  return text === undefined ? LIST_LIMIT_DEFAULT : Number(text);
}
