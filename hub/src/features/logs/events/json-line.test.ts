import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine } from './json-line.ts';

test('writes any text as a single line that reads back equal', () => {
  const odd = fc.string({
    unit: fc.constantFrom('a', '\n', '\r', '\u0085', '\u2028', '\u2029', '"', '\\', '\v'),
  });
  fc.assert(
    fc.property(fc.dictionary(odd, odd), (value) => {
      const line = jsonLine(value);
      expect(line).not.toMatch(/[\n\r\v\u0085\u2028\u2029]/);
      expect(JSON.parse(line)).toEqual({ ...value });
    }),
  );
});
