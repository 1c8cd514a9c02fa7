// Numbers are serialized as written, and nothing else changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly, parseWithNumbers } from './json-keys.ts';
import { mayRound, parseKeeping } from './json-numbers.ts';

const again = (text: string) => JSON.stringify(parseWithNumbers(text));

test.each([
  '[12345678901234567890]',
  '[9007199254740993,-9007199254740993]',
  '{"a":0.12345678901234567890123}',
  '{"a":1e-400,"__proto__":12345678901234567890}',
  '{"a":[{"b":[ 12345678901234567890]}]}'.replace(' ', ''),
  '{"\\\\":12345678901234567890,"\\"":1}',
  '{"rawJSON":"12345678901234567890"}',
])('keeps %s', (text) => {
  expect(again(text)).toBe(text);
});

test.each([
  ['[1e400]', '["1e400"]'],
  ['[-1.5E+999]', '["-1.5E+999"]'],
  ['[1000000000000000000000]', '[1e+21]'],
  ['[0.1000000000000000000000, 1e100, 1E0100]', '[0.1,1e+100,1e+100]'],
  ['[0.0000000000000000, -0e999]', '[0,0]'],
  ['{"a":12345678901234567890,"a":1}', '{"a":1}'],
])('reads %s as %s', (text, read) => {
  expect(again(text)).toBe(read);
});

test('reads numbers and strings of megabytes, and limits conflicting numbers', () => {
  const digits = '1'.repeat(2_000_000);
  expect(again(`["${digits}",${digits.slice(0, 300)}]`)).toBe(
    `["${digits}",${digits.slice(0, 300)}]`,
  );
  expect(again(`[${digits}]`)).toBe(`["${digits}"]`);
  const many = again(`[${'12345678901234567890,'.repeat(25_000)}1]`);
  expect(many.split('12345678901234567890').length - 1).toBe(20_000);
  expect(many.split('12345678901234567000').length - 1).toBe(5_000);
});

test('keeps texts that look like numbers as texts, after any string', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.bigInt(), (strings, number) => {
      const text = `[${strings.map((string) => `${JSON.stringify(string)},`).join('')}${number},":${number}"]`;
      const kept = parseKeeping(text, parseExactly) as unknown[];
      expect(kept.slice(0, strings.length)).toEqual(strings);
      // The value is raw text or the double that equals it.
      const serialized = JSON.stringify(kept[strings.length]);
      expect(serialized.includes('e') ? BigInt(Number(serialized)) : BigInt(serialized)).toBe(
        number,
      );
      expect(kept.at(-1)).toBe(`:${number}`);
    }),
  );
});

test('keeps all text without special numbers', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/),
      (number) => {
        if (mayRound(`[${number}]`)) return;
        const [digits = ''] = number.replace(/^-/, '').split(/e/i);
        const significant = digits.replace('.', '').replace(/^0+/, '');
        expect(significant.length).toBeLessThanOrEqual(15);
        expect(Number.isFinite(Number(number))).toBe(true);
      },
    ),
  );
});
