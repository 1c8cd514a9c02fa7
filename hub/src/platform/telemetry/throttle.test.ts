import { expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

it('returns true at once, and then periodically', () => {
  let now = 0;
  const isAllowed = createThrottle(1_000, () => now);
  const allowed = [0, 1, 999, 1_000, 1_500, 2_000, 9_000].filter((at) => {
    now = at;
    return isAllowed();
  });
  expect(allowed).toEqual([0, 1_000, 2_000, 9_000]);
});
