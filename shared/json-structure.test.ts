// hub/src/platform/http/json/duplicate-keys.test.ts has the spellings of duplicate keys.
import { expect, it } from 'vitest';
import { scanJsonStructure } from './json-structure.ts';

it('finds the path of a duplicate key', () => {
  const { duplicate } = scanJsonStructure('{"a":[1,{"b":2,"b":3}]}');
  expect(duplicate).toEqual(['a', 1, 'b']);
});

it.each([
  ['[[1]]', 2, false],
  ['[[[1]]]', 2, true],
  ['{"a":"[[["}', 1, false],
  ['{"a":{}}', 1, true],
])('reads the depth of %s against %i', (text, depthMax, isTooDeep) => {
  expect(scanJsonStructure(text, depthMax).isTooDeep).toBe(isTooDeep);
});

it('ends at a text that is no JSON', () => {
  expect(scanJsonStructure('{"a":"')).toEqual({ duplicate: null, isTooDeep: false });
});
