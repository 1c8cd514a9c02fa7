// Duplicate keys are rejected in any spelling, and nothing else is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rejectDuplicateKeys } from './duplicate-keys.ts';

test.each([
  ['{"a":1,"a":2}', '/a is a duplicate'],
  ['{"a":[{},{"b":1,"c":{"x":1},"b":{}}]}', '/a/1/b is a duplicate'],
  ['[[],[1,2,{"a/b" : 1 , "a/b":2}]]', '/1/2/a~1b is a duplicate'],
  ['{"\\u0061":1,"a":2}', '/a is a duplicate'],
  ['{"":1,"":2}', '/ is a duplicate'],
  ['{"\\\\":1,"\\u005c":2}', '/\\ is a duplicate'],
  ['{"a":{"k":"a"},\n"a"\t:"x"}', '/a is a duplicate'],
])('rejects a duplicate in %s with its pointer', (text, message) => {
  expect(() => rejectDuplicateKeys(text)).toThrow(message);
});

test.each([
  '{"a":{"a":{"a":1}},"b":{"a":"a"}}',
  '[{"a":1},{"a":2},"a","a"]',
  '{"a":"\\"a\\":1,{","b":"a:","c":["a","a"]}',
  '"a"',
])('accepts %s', (text) => {
  expect(() => rejectDuplicateKeys(text)).not.toThrow();
});

test('accepts any serialized value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.nat(3), (text, indent) => {
      const spread = JSON.stringify(JSON.parse(text), null, indent);
      expect(() => rejectDuplicateKeys(spread)).not.toThrow();
    }),
  );
});
