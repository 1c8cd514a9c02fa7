import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { KeywordMatcher } from './keyword-matcher.ts';

const letters = (units: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength });
const keywords = fc.uniqueArray(letters(['-', 'p', ' ', 'a'], 5), { minLength: 1, maxLength: 6 });
const text = letters(['-', 'p', 'P', ' ', 'a', 'A', 'é', '日'], 20);

test('finds exactly the keywords that a text contains in any case', () => {
  fc.assert(
    fc.property(keywords, fc.array(text, { maxLength: 3 }), (words, texts) => {
      const matcher = new KeywordMatcher(words);
      for (const each of texts) {
        const matches = new Set<number>();
        matcher.match(each, (keyword) => matches.add(keyword));
        const contained = words.flatMap((word, i) =>
          each.toLowerCase().includes(word) ? [i] : [],
        );
        expect([...matches].sort()).toEqual(contained);
      }
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
