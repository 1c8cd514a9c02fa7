// Cursors: opaque, authenticated, bound to what they list. A changed byte or another list is `invalid_cursor`.
import { hash, timingSafeEqual } from 'node:crypto';
import { HubError } from './errors.ts';

export interface CursorSealer {
  /** `binding` names collection, tenant and filters; the cursor opens only with the same. */
  seal(binding: readonly unknown[], position: unknown): string;
  /** The same for a list that makes a cursor for each of its rows. */
  sealing(binding: readonly unknown[]): (position: unknown) => string;
  /** Null when damaged, foreign or of another list. */
  open(binding: readonly unknown[], cursor: string): unknown;
}

const TAG_BYTES = 16;
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

export function createCursorSealer(key: Buffer): CursorSealer {
  const sealing = (binding: readonly unknown[]) => {
    const seal = sealerOf(key, binding);
    return (position: unknown) => seal(JSON.stringify(position));
  };
  return {
    sealing,
    seal: (binding, position) => sealing(binding)(position),
    open(binding, cursor) {
      const body = Buffer.from(cursor, 'base64url').toString('utf8', TAG_BYTES);
      // Only the exact text that we would make is ours: base64url decoding skips what it does not know.
      const own = Buffer.from(sealerOf(key, binding)(body));
      const sent = Buffer.from(cursor);
      if (own.length !== sent.length || !timingSafeEqual(own, sent)) return null;
      return JSON.parse(body) as unknown;
    },
  };
}

/**
 * Gives the cursor of a body: the first half of HMAC-SHA-256 (RFC 2104) over binding, NUL and body, then the body. Written
 * out as its two hashes, because an Hmac object costs three times as much and each exported row has a cursor.
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

/** The key as HMAC mixes it into a block. */
function padded(key: Buffer, pad: number): Buffer {
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [i, byte] of short.entries()) block[i] = byte ^ pad;
  return block;
}

/** Opens a list's cursor or throws `invalid_cursor`; undefined without one. */
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

export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}

/** Cuts `limit + 1` fetched rows to a page and makes the cursor that goes on after its last row. */
export function pageOf<Row>(fetched: Row[], limit: number, next: (last: Row) => string): Page<Row> {
  const items = fetched.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: fetched.length > limit && last !== undefined ? next(last) : null };
}

export const LIST_LIMIT_DEFAULT = 50;
export function listLimit(text: string | undefined): number {
  return text === undefined ? LIST_LIMIT_DEFAULT : Number(text);
}
