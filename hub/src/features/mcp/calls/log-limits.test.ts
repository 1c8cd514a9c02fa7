import { expect, test } from 'vitest';
import { KEPT_CHARS, kept, keptText } from './log-limits.ts';

const long = 'x'.repeat(KEPT_CHARS);

test.each([
  ['a text', long],
  ['many small ones', Array.from({ length: 10 }, () => 'x'.repeat(KEPT_CHARS / 20))],
  ['names', { [long.slice(0, -10)]: 1 }],
])('keeps %s up to the limit', (_what, value) => {
  expect(kept(value).value).toBe(value);
});

test.each([
  ['a text', `${long}x`],
  ['a text deep inside', { content: [{ type: 'text', text: long }] }],
  ['many small ones', Array.from({ length: 30 }, () => 'x'.repeat(KEPT_CHARS / 20))],
  ['names', { [long]: 1 }],
  ['empty ones', Array.from({ length: KEPT_CHARS / 2 }, () => ({}))],
  ['numbers', Array.from({ length: KEPT_CHARS / 4 }, (_, i) => i)],
])('omits %s beyond the limit completely, with a note', (_what, value) => {
  expect(kept(value)).toEqual({
    value: `[not stored: longer than ${KEPT_CHARS} characters]`,
    chars: 0,
  });
});

test('notes that a long error is not stored', () => {
  expect(keptText('short')).toBe('short');
  expect(keptText('x'.repeat(10_000))).toBe('[not stored: longer than 8192 characters]');
});
