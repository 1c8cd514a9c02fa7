// Cursors: opaque, authenticated, bound to what they list. A changed byte or another list is `invalid_cursor`.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { HubError } from './errors.ts';

export interface CursorSealer {
  /** `binding` names collection, tenant and filters; the cursor opens only with the same. */
  seal(binding: readonly unknown[], position: unknown): string;
  /** Null when damaged, foreign or of another list. */
  open(binding: readonly unknown[], cursor: string): unknown;
}

const TAG_BYTES = 16;

export function createCursorSealer(keyBytes: Buffer): CursorSealer {
  // Once: making one of the bytes costs more than the tag itself.
  const key = createSecretKey(keyBytes);
  const tagOf = (binding: readonly unknown[], body: Buffer) =>
    createHmac('sha256', key)
      .update(JSON.stringify(binding))
      .update('\0')
      .update(body)
      .digest()
      .subarray(0, TAG_BYTES);
  return {
    seal(binding, position) {
      const body = Buffer.from(JSON.stringify(position));
      return Buffer.concat([tagOf(binding, body), body]).toString('base64url');
    },
    open(binding, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // base64url decoding skips what it does not know; only the exact text we made is ours.
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
      const body = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(binding, body))) return null;
      return JSON.parse(body.toString('utf8')) as unknown;
    },
  };
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
