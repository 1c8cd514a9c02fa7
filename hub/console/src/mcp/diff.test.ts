import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareLines, printDefinition } from './diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

test('marks no lines that are equal on both sides, and keeps their order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const [left, right] = compareLines(before, after);
      const plain = (side: typeof left) =>
        side.filter((item) => !item.differs).map((item) => item.text);
      expect(plain(left)).toEqual(plain(right));
      expect(left.map((item) => item.text)).toEqual(before);
      expect(right.map((item) => item.text)).toEqual(after);
    }),
  );
});

test('equal sides have no mark, and the order of keys is no difference', () => {
  const item = printDefinition({ name: 'x', inputSchema: { type: 'object', required: ['a'] } });
  const same = printDefinition({ inputSchema: { required: ['a'], type: 'object' }, name: 'x' });
  expect(
    compareLines(item, same)
      .flat()
      .some((line) => line.differs),
  ).toBe(false);
});

test('marks a line with a changed word on both sides', () => {
  const [left, right] = compareLines(
    printDefinition({ name: 'x', description: 'Reads' }),
    printDefinition({ name: 'x', description: 'Reads and sends away' }),
  );
  expect(left.filter((item) => item.differs).map((item) => item.text.trim())).toEqual([
    '"description": "Reads",',
  ]);
  expect(right.filter((item) => item.differs)).toHaveLength(1);
});

test('prints invisible characters as code points, and marks their lines as different', () => {
  const hidden = printDefinition({ description: 'Reads\u{e0041}\u202e a file\nand more' });
  expect(hidden.join('')).toContain('Reads[U+E0041][U+202E] a file');
  const [left, right] = compareLines(
    printDefinition({ description: 'Reads' }),
    printDefinition({ description: 'Reads\u200b' }),
  );
  expect([left, right].map((side) => side.filter((item) => item.differs).length)).toEqual([1, 1]);
});
