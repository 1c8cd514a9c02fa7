import { expect, test } from 'vitest';
import { KEPT_CHARS, kept, keptText } from './kept.ts';

const long = 'x'.repeat(KEPT_CHARS);

test.each([
  ['a text', long],
  ['many small ones', Array.from({ length: 10 }, () => 'x'.repeat(KEPT_CHARS / 20))],
  ['names', { [long.slice(0, -10)]: 1 }],
])('%s up to the limit is kept as it is', (_what, value) => {
  expect(kept(value).value).toBe(value);
});

test.each([
  ['a text', `${long}x`],
  ['one deep inside', { content: [{ type: 'text', text: long }] }],
  ['many small ones', Array.from({ length: 30 }, () => 'x'.repeat(KEPT_CHARS / 20))],
  ['names', { [long]: 1 }],
  ['empty ones', Array.from({ length: KEPT_CHARS / 2 }, () => ({}))],
  ['numbers', Array.from({ length: KEPT_CHARS / 4 }, (_, i) => i)],
])('%s beyond it is left out as a whole, and said', (_what, value) => {
  expect(kept(value)).toEqual({
    value: `[not kept: longer than ${KEPT_CHARS} characters]`,
    chars: 0,
  });
});

test('an error of many words is said not to be kept', () => {
  expect(keptText('short')).toBe('short');
  expect(keptText('x'.repeat(10_000))).toBe('[not kept: longer than 8192 characters]');
});
