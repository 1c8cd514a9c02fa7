// An exact name is the first option.
import { expect, test } from 'vitest';
import { nearestFirst } from './nearest-first.ts';

const NAMES = ['person-124', 'a person-12', 'person-12', 'Person-1', 'other'];

test.each([
  ['person-12', ['person-12', 'person-124', 'a person-12', 'Person-1', 'other']],
  [' PERSON-1 ', ['Person-1', 'person-124', 'person-12', 'a person-12', 'other']],
  ['', NAMES],
])('%j', (typed, wanted) => {
  expect(nearestFirst(NAMES, typed, (item) => item)).toEqual(wanted);
});
