// A product's name is chosen where devices disagree.
import { expect, test } from 'vitest';
import { mostCommonNames } from './product-upkeep.ts';

const current = { name: 'Editor', publisher: 'Example' };

test('selects the most common name and publisher independently', () => {
  const counts = [
    { ...current, devices: 2 },
    { name: 'Editor', publisher: null, devices: 3 },
    { name: 'Writer', publisher: null, devices: 4 },
  ];
  expect(mostCommonNames(current, counts)).toEqual({ name: 'Editor', publisher: null });
});

test('keeps the name on a tie or without devices', () => {
  const even = [
    { name: 'A', publisher: 'Example', devices: 1 },
    { ...current, devices: 1 },
  ];
  expect(mostCommonNames(current, even)).toEqual(current);
  expect(mostCommonNames(current, [])).toEqual(current);
});
