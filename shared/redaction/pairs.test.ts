import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookAtPairs, pairsIn } from './pairs.ts';

const few = fc.string({ unit: fc.constantFrom('-', 'p', ' ', 'é', '日'), maxLength: 12 });

test("accepts a text with a word by the word's character pairs", () => {
  fc.assert(
    fc.property(few, few, few, (before, word, after) => {
      expect(lookAtPairs(before + word + after)(pairsIn(word))).toBe(true);
    }),
  );
});

test("finds no word in a text without the word's character pairs", () => {
  fc.assert(
    fc.property(few, few, (text, word) => {
      if (!lookAtPairs(text)(pairsIn(word))) expect(text).not.toContain(word);
    }),
  );
  expect(lookAtPairs('------')(pairsIn(' -p'))).toBe(false);
  expect(lookAtPairs('x -p y')(pairsIn(' -p'))).toBe(true);
});
