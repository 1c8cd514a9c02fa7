// No cell is a formula, whatever a device calls its applications; and nothing is lost of what it says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell } from './download.ts';

test.each([
  ['=cmd|calc', `"'=cmd|calc"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  -1+1', `"'  -1+1"`],
  ['\t=1', `"'\t=1"`],
  ['plain, "quoted"', '"plain, ""quoted"""'],
])('%j', (name, cell) => {
  expect(csvCell(name)).toBe(cell);
});

test('a number stays one, nothing stays empty', () => {
  expect(csvCell(-3)).toBe('"-3"');
  expect(csvCell(null)).toBe('""');
});

test('any text comes back, and never begins like a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = csvCell(text).slice(1, -1).replaceAll('""', '"');
      expect([text, `'${text}`]).toContain(inside);
      expect(inside).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});
