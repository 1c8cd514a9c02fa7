// A cursor is valid only unchanged and for its own list.
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createCursorSealer,
  cutPage,
  type ListPage,
  openListCursor,
  parseListLimit,
} from './cursors.ts';

const cursors = createCursorSealer(randomBytes(32));
const BINDING = ['devices', 'tenant-1', { q: 'x' }];
const CURSOR = cursors.seal(BINDING, ['2026-11-20T10:00:00.000001Z', 'id']);

test('decodes any position unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (position) => {
      fc.pre(position !== null);
      const sealed = cursors.seal(BINDING, position);
      expect(sealed).toMatch(/^[\w-]+$/);
      expect(cursors.open(BINDING, sealed)).toEqual(JSON.parse(JSON.stringify(position)));
    }),
  );
});

test('signs a cursor by HMAC-SHA-256 for any key and body length, and accepts those of every release', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      fc.array(fc.string({ unit: 'binary', maxLength: 3_000 }), { minLength: 1 }),
      (bytes, bodies) => {
        const key = Buffer.from(bytes);
        const seal = createCursorSealer(key).createSealer(BINDING);
        for (const position of bodies) {
          const body = Buffer.from(JSON.stringify(position));
          const tag = createHmac('sha256', key)
            .update(`${JSON.stringify(BINDING)}\0`)
            .update(body)
            .digest()
            .subarray(0, 16);
          expect(seal(position)).toBe(Buffer.concat([tag, body]).toString('base64url'));
        }
      },
    ),
  );
});

test('rejects any flipped bit', () => {
  const bytes = Buffer.from(CURSOR, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(cursors.open(BINDING, damaged.toString('base64url'))).toBeNull();
  }
});

test('rejects any other text, also a text that decodes to the same bytes', () => {
  for (const text of ['', 'x', `${CURSOR}=`, ` ${CURSOR}`, CURSOR.slice(0, -1), `${CURSOR}A`]) {
    expect(cursors.open(BINDING, text)).toBeNull();
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(cursors.open(BINDING, text)).toBeNull();
    }),
  );
});

test.each([
  ['another collection', ['alerts', 'tenant-1', { q: 'x' }]],
  ['another tenant', ['devices', 'tenant-2', { q: 'x' }]],
  ['another filter', ['devices', 'tenant-1', { q: 'y' }]],
  ['fewer parts', ['devices', 'tenant-1']],
])('rejects a cursor for %s', (_what, binding) => {
  expect(cursors.open(binding, CURSOR)).toBeNull();
});

test('rejects a cursor of another installation', () => {
  expect(createCursorSealer(randomBytes(32)).open(BINDING, CURSOR)).toBeNull();
});

test('starts a list without a cursor at its beginning, and rejects an invalid cursor', () => {
  expect(openListCursor(cursors, BINDING, undefined)).toBeUndefined();
  expect(() => openListCursor(cursors, BINDING, `${CURSOR}A`)).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }),
  );
});

test('returns every row once over pages of any size, the last without a cursor', () => {
  fc.assert(
    fc.property(fc.nat({ max: 30 }), fc.integer({ min: 1, max: 7 }), (total, limit) => {
      const all = Array.from({ length: total }, (_, i) => i);
      const seen: number[] = [];
      let from: string | null = '0';
      while (from !== null) {
        const page: ListPage<number> = cutPage(
          all.slice(Number(from), Number(from) + limit + 1),
          limit,
          (last) => String(last + 1),
        );
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items);
        from = page.next_cursor;
      }
      expect(seen).toEqual(all);
    }),
  );
});

test('returns fifty rows per page by default', () => {
  expect([parseListLimit(undefined), parseListLimit('7')]).toEqual([50, 7]);
});
