// How a product is called where devices do not agree.
import { expect, test } from 'vitest';
import { settledNames } from './product-upkeep.ts';

const current = { name: 'Editor', publisher: 'Example' };

test('the most common name and publisher win, each for itself', () => {
  const counts = [
    { ...current, devices: 2 },
    { name: 'Editor', publisher: null, devices: 3 },
    { name: 'Writer', publisher: null, devices: 4 },
  ];
  expect(settledNames(current, counts)).toEqual({ name: 'Editor', publisher: null });
});

test('as many on either side, or nobody: it stays', () => {
  const even = [
    { name: 'A', publisher: 'Example', devices: 1 },
    { ...current, devices: 1 },
  ];
  expect(settledNames(current, even)).toEqual(current);
  expect(settledNames(current, [])).toEqual(current);
});
