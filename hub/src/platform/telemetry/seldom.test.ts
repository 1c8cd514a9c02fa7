import { expect, it } from 'vitest';
import { seldom } from './seldom.ts';

it('returns true at once, and then periodically', () => {
  let now = 0;
  const tells = seldom(1_000, () => now);
  const told = [0, 1, 999, 1_000, 1_500, 2_000, 9_000].filter((at) => {
    now = at;
    return tells();
  });
  expect(told).toEqual([0, 1_000, 2_000, 9_000]);
});
