// Ids increase strictly for any clock and random source.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUuid7 } from './uuid7.ts';

test('creates ids of version 7 with the time', () => {
  const id = createUuid7(() => 0x0192_3456_789a)();
  expect(id).toMatch(/^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('increases over any clock, also backwards', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2 }), (times) => {
      const left = [...times];
      const make = createUuid7(() => left.shift() ?? 0);
      const ids = times.map(() => make());
      expect(ids).toEqual([...new Set(ids)].sort());
    }),
  );
});

test('stays unique and ordered over a counter overflow within a millisecond', () => {
  const make = createUuid7(() => 1);
  let last = '';
  for (let i = 0; i < 20_000; i++) {
    const id = make();
    if (id <= last) expect.fail(`${id} after ${last}`);
    last = id;
  }
});
