import { expect, test } from 'vitest';
import { replaceSpans } from './spans.ts';

const span = (from: number, to: number, replacement: string) => ({ from, to, replacement });

test.each([
  ['separate spans', [span(6, 8, 'B'), span(1, 3, 'A')], '0A345B89'],
  ['adjacent spans', [span(1, 3, 'A'), span(3, 5, 'B')], '0AB56789'],
  ['a span within a span', [span(3, 4, 'B'), span(1, 6, 'A')], '0A6789'],
  ['overlapping spans by the first', [span(3, 8, 'B'), span(1, 4, 'A')], '0A89'],
  ['spans at a position by the order', [span(1, 3, 'A'), span(1, 8, 'B')], '0A3456789'],
])('replaces %s', (_kind, spans, shown) => {
  expect(replaceSpans('0123456789', spans)).toBe(shown);
});

test('returns the same text without spans', () => {
  expect(replaceSpans('0123', [])).toBe('0123');
});
