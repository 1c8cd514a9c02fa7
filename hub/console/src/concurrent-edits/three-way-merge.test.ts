import { expect, it } from 'vitest';
import { merged } from './three-way-merge.ts';

it("updates untouched fields with another user's values, and keeps typed values", () => {
  const base = { name: 'a', text: 'old', tags: ['x'] };
  expect(merged(base, { ...base, name: 'mine' }, { ...base, text: 'theirs', tags: [] })).toEqual({
    values: { name: 'mine', text: 'theirs', tags: [] },
    both: [],
  });
});

it('names where both changed it, and not where they agree', () => {
  const base = { limits: { timeout: 10, rate: 1 }, name: 'a' };
  const mine = { limits: { timeout: 77, rate: 2 }, name: 'a' };
  const now = { limits: { timeout: 55, rate: 2, burst: 9 }, name: 'b' };
  expect(merged(base, mine, now)).toEqual({
    values: { limits: { timeout: 77, rate: 2, burst: 9 }, name: 'b' },
    both: [{ path: ['limits', 'timeout'], now: 55 }],
  });
});

it('keeps a removal of this user when another user changed the same value', () => {
  type Config = { map: Record<string, number> };
  const base: Config = { map: { a: 1, b: 2 } };
  expect(merged<Config>(base, { map: { b: 2 } }, { map: { a: 5, b: 3 } })).toEqual({
    values: { map: { b: 3 } },
    both: [{ path: ['map', 'a'], now: 5 }],
  });
  // A field that only the other user removed stays removed.
  expect(merged<Config>(base, { map: { a: 1, b: 7 } }, { map: { b: 2 } }).values).toEqual({
    map: { b: 7 },
  });
});

it('merges additions of both users to an empty value', () => {
  type Config = { limits?: Record<string, number> };
  expect(merged<Config>({}, { limits: { a: 1, b: 7 } }, { limits: { a: 5, c: 3 } })).toEqual({
    values: { limits: { a: 1, b: 7, c: 3 } },
    both: [{ path: ['limits', 'a'], now: 5 }],
  });
});
