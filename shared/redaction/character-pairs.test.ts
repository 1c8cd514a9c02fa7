import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterPairs, indexCharacterPairs } from './character-pairs.ts';

const few = fc.string({ unit: fc.constantFrom('-', 'p', ' ', 'é', '日'), maxLength: 12 });

test("accepts a text with a word by the word's character pairs", () => {
  fc.assert(
    fc.property(few, few, few, (before, word, after) => {
      expect(indexCharacterPairs(before + word + after)(characterPairs(word))).toBe(true);
    }),
  );
});

test("finds no word in a text without the word's character pairs", () => {
  fc.assert(
    fc.property(few, few, (text, word) => {
      if (!indexCharacterPairs(text)(characterPairs(word))) expect(text).not.toContain(word);
    }),
  );
  expect(indexCharacterPairs('------')(characterPairs(' -p'))).toBe(false);
  expect(indexCharacterPairs('x -p y')(characterPairs(' -p'))).toBe(true);
});
