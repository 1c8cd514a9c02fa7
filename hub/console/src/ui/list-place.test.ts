import { expect, test } from 'vitest';
import { hasJumped, standsAtTop } from './list-place.ts';

const list = { top: 200, height: 6000, firstShare: 0.5, sight: 800 };

test.each([
  ['the list begins in sight', list, true],
  ['the list is further down than anybody looks', { ...list, top: 900 }, true],
  ['scrolled by less than a row', { ...list, top: -20 }, true],
  ['scrolled into the list', { ...list, top: -300 }, false],
  ['scrolled past the list', { ...list, top: -6500 }, false],
  ['a list of one page that ends in sight', { ...list, height: 300, firstShare: 1 }, true],
  ['so tall a window that the second page is in sight', { ...list, sight: 4000 }, false],
])('%s', (_where, place, isAtTop) => {
  expect(standsAtTop(place)).toBe(isAtTop);
});

test.each([
  ['at the reported position', { position: 500, known: 500, end: 9000 }, false],
  ['a part of a pixel beside', { position: 500.4, known: 500, end: 9000 }, false],
  ['at the top, before the event', { position: 0, known: 8900, end: 9000 }, true],
  ['at the end, before the event', { position: 9000, known: 300, end: 9000 }, true],
  ['at the end of a page that is still growing', { position: 9000, known: 9040, end: 9000 }, false],
])('%s: somebody who jumped, or not', (_where, page, jumped) => {
  expect(hasJumped(page)).toBe(jumped);
});
