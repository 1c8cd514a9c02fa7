import { expect, test } from 'vitest';
import { standsAtTop } from './list-place.ts';

const list = { top: 200, height: 6000, firstShare: 0.5, sight: 800 };

test.each([
  ['the list begins in sight', list, true],
  ['the list is further down than anybody looks', { ...list, top: 900 }, true],
  ['scrolled by less than a row', { ...list, top: -20 }, true],
  ['scrolled into the list', { ...list, top: -300 }, false],
  ['scrolled past the list', { ...list, top: -6500 }, false],
  ['so tall a window that the second page is in sight', { ...list, sight: 4000 }, false],
])('%s', (_where, place, isAtTop) => {
  expect(standsAtTop(place)).toBe(isAtTop);
});
