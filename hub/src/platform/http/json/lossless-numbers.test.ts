// Lossless numbers are sent with the same digits as received, over any copies.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  copyDigits,
  exactDigits,
  hasLosslessNumbers,
  neighboringDoubles,
  parseLossless,
  stringifyLossless,
  withRawNumbers,
  withTextNumbers,
} from './lossless-numbers.ts';

const roundTrip = (text: string) => stringifyLossless(parseLossless(text));

test.each([
  '[12345678901234567890]',
  '{"a":{"b":[1,-9007199254740993,0.12345678901234567890123]}}',
  '{"a":1e400,"b":null}',
  '[1e-400]',
  '{"__proto__":12345678901234567890,"\\"":9007199254740993}',
  '9007199254740992',
])('preserves %s', (text) => {
  expect(roundTrip(text)).toBe(text);
});

test('reads values as doubles', () => {
  const value = parseLossless('{"a":9007199254740993,"b":[1e400]}') as Record<string, unknown>;
  expect(value.a).toBe(9007199254740992);
  expect(Object.keys(value)).toEqual(['a', 'b']);
  expect((value.b as number[])[0]).toBe(Number.POSITIVE_INFINITY);
});

test('keeps digits in a copy, and uses replaced values', () => {
  const value = parseLossless('{"a":9007199254740993,"b":9007199254740995}') as object;
  expect(stringifyLossless({ ...value, b: 7, c: 'x' })).toBe(
    '{"a":9007199254740993,"b":7,"c":"x"}',
  );
  const { a, ...rest } = value as { a: number };
  expect(exactDigits(value, 'a', a)).toBe('9007199254740993');
  expect(exactDigits(rest, 'b', 5)).toBe('5');
  expect(stringifyLossless(rest)).toBe('{"b":9007199254740995}');
  expect(stringifyLossless(copyDigits(value, { a: 'x', b: 9007199254740996 }))).toBe(
    '{"a":"x","b":9007199254740995}',
  );
});

test('logs raw numbers, texts for numbers beyond doubles, and shows texts to people', () => {
  const value = parseLossless('{"a":9007199254740993,"b":[1e400,1]}');
  expect(JSON.stringify(withRawNumbers(value))).toBe('{"a":9007199254740993,"b":["1e400",1]}');
  expect(withTextNumbers(value)).toEqual({ a: '9007199254740993', b: ['1e400', 1] });
  const plain = { a: 1 };
  expect(hasLosslessNumbers(value)).toBe(true);
  expect(hasLosslessNumbers(plain)).toBe(false);
  expect(withRawNumbers(plain)).toBe(plain);
});

test.each([
  '{"a":"x:1234567890123456',
  '{"a":12345678901234567890,"b":"',
  '{"a":012345678901234567890}',
  '{"a":12345678901234567890-5}',
  '{12345678901234567890:1}',
  `${' '.repeat(600)}{"a":"x:1234567890123456`,
])('rejects %s as JSON', (text) => {
  expect(() => parseLossless(text)).toThrow(SyntaxError);
});

test('keeps digits beside other values', () => {
  const value = parseLossless('{"a":9007199254740993,"b":[1e400,1e-400],"c":5}');
  expect(neighboringDoubles(value)).toEqual([
    { a: 9007199254740994, b: [Number.POSITIVE_INFINITY, 5e-324], c: 5 },
    { a: 9007199254740991, b: [Number.MAX_VALUE, -5e-324], c: 5 },
  ]);
  expect(neighboringDoubles({ a: 1 })).toEqual([]);
});

const number = fc
  .tuple(
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})$/),
    fc.constantFrom('', '.5', '.12345678901234567891'),
  )
  .map((parts) => parts.join(''));
const { document } = fc.letrec<{ document: string }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    number,
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('document'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .dictionary(fc.string(), tie('document'), { maxKeys: 4 })
      .map(
        (members) =>
          `{${Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`,
      ),
  ),
}));

test('preserves every number of any document', () => {
  // Serializes with the digits of the source text.
  const exactly = (text: string) =>
    JSON.stringify(
      (JSON.parse as (text: string, revive: unknown) => unknown)(
        text,
        (_name: string, value: unknown, { source }: { source?: string }) =>
          typeof value === 'number' ? plainOf(source ?? '') : value,
      ),
    );
  fc.assert(
    fc.property(document, (inner) => {
      const text = `[${inner}]`;
      expect(exactly(roundTrip(text))).toBe(exactly(text));
    }),
  );
});

function plainOf(source: string): string {
  if (/[eE]/.test(source)) return plainOf(Number(source).toLocaleString('en', FULL));
  const [whole = '', fraction = ''] = source.split('.');
  const significant = fraction.replace(/0+$/, '');
  const digits = significant === '' ? whole : `${whole}.${significant}`;
  return digits === '-0' ? '0' : digits;
}
const FULL = { useGrouping: false, maximumFractionDigits: 100 } as const;
