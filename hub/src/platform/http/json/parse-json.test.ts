// Incoming JSON is accepted unchanged when it is well-formed, and otherwise rejected with a pointer.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { HubError } from '../errors/errors.ts';
import { checkDepth, parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));
const refused = (code: string, message: string | RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

test('parses valid JSON like JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      fc.pre(!/__proto__|constructor|\\u0000|\\ud[89a-f]/i.test(text));
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('answers any bytes with a value or a listed error', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        parseJson(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(HubError);
      }
    }),
  );
});

test.each([
  ['nothing', '', /empty/],
  ['blanks', ' \n', /empty/],
  ['no JSON', '{a:1}', /not valid JSON/],
  ['half a body', '{"a":[1,', /not valid JSON/],
  ['two values', '{} {}', /not valid JSON/],
  ['NaN', '{"a":NaN}', /not valid JSON/],
  ['a poisoned prototype', '{"a":{"__proto__":{"admin":true}}}', /^\/a\/__proto__ /],
  ['an escaped poisoned prototype', '{"\\u005f_proto__":1}', /^\/__proto__ /],
  ['a poisoned constructor', '{"constructor":{"prototype":{}}}', /^\/constructor /],
])('rejects %s', (_what, text, message) => {
  expect(() => parse(text)).toThrow(refused('invalid_json', message));
});

test('rejects bytes that are not UTF-8', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
    refused('invalid_json', /UTF-8/),
  );
});

test('counts brackets outside of texts only, however long and escaped these are', () => {
  const pieces = ['\\', '\\\\', '"', '[', ']', '{', '}', 'x', 'x'.repeat(40), '\u00e9', ','];
  const letter = fc.constantFrom(...pieces);
  const deepest = (text: string) => {
    let [depth, deepestLevel, isText] = [0, 0, false];
    for (let i = 0; i < text.length; i++) {
      const unit = text[i] ?? '';
      if (isText && unit === '\\') i++;
      else if (unit === '"') isText = !isText;
      else if (!isText && '[{'.includes(unit)) deepestLevel = Math.max(deepestLevel, ++depth);
      else if (!isText && ']}'.includes(unit)) depth--;
    }
    return deepestLevel;
  };
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 60 }), fc.nat(4), (parts, max) => {
      const text = parts.join('');
      const check = () => checkDepth(text, max);
      if (deepest(text) > max) expect(check).toThrow(refused('invalid_json', /nested deeper/));
      else expect(check).not.toThrow();
    }),
    { numRuns: propertyRuns(5_000) },
  );
});

test('accepts thirty-two levels and rejects thirty-three, ignoring brackets in texts', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(() => parse(nested(32))).not.toThrow();
  expect(() => parse(nested(33))).toThrow(refused('invalid_json', /nested deeper/));
  expect(() => parse('['.repeat(1_000_000))).toThrow(refused('invalid_json', /nested deeper/));
  expect(parse(JSON.stringify({ a: `\\"${'['.repeat(100)}` }))).toEqual({
    a: `\\"${'['.repeat(100)}`,
  });
});

test('rejects too many names before parsing, in an object and in total', () => {
  const object = (names: number) =>
    `{${Array.from({ length: names }, (_, i) => `"a longer name, number ${i}":1`).join(',')}}`;
  expect(Object.keys(parse(object(10_000)) as object)).toHaveLength(10_000);
  const many = refused('invalid_json', /too many names/);
  expect(() => parse(object(10_001))).toThrow(many);
  const list = (objects: number) =>
    `[${Array.from({ length: objects }, () => object(10)).join(',')}]`;
  expect(parse(list(10_000))).toHaveLength(10_000);
  expect(() => parse(list(10_001))).toThrow(many);
  // Colons in texts are no names.
  expect(() => parse(`[${'":::::::::",'.repeat(50_000)}"end"]`)).not.toThrow();
});

test('rejects too many values', () => {
  expect(() => parse(`[${'1,'.repeat(200_000)}1]`)).toThrow(
    refused('invalid_json', /too many values/),
  );
});

test.each([
  ['a NUL', '{"a":["x","b\\u0000"]}', '^/a/1 must not contain a NUL'],
  ['a lone high surrogate', '{"a":"\\ud800"}', '^/a must not contain a lone surrogate'],
  ['a lone low surrogate', '"\\udc00"', '^/ must not contain a lone surrogate'],
  ['a number too large', '{"a":{"b":1e999}}', '^/a/b is outside the supported number range'],
  ['a NUL in a key', '{"a":{"b\\u0000":1}}', '^/a must not contain a NUL'],
  ['a place whose name needs escapes', '{"a/b":{"~":"\\u0000"}}', '^/a~1b/~0 must not'],
])('rejects %s with its pointer', (_what, text, message) => {
  expect(() => parse(text)).toThrow(refused('invalid_request', new RegExp(message)));
});

test('accepts a surrogate pair', () => {
  expect(parse('"\\ud83e\\udd80"')).toBe('\u{1F980}');
});
