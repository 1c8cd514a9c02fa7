// Keys of JSON objects are parsed as sent, whatever keys were parsed before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly } from './json-keys.ts';

/** Parses the text of another sender, after which V8 would misread later keys. */
const poison = () => {
  for (const name of ['\\', '\\n', '\\u', '\\u0041', 'a\\n', '\ue000\\']) {
    parseExactly(JSON.stringify({ 'k k': 1, [name]: 2 }));
    parseExactly(JSON.stringify({ [name]: 1 }));
  }
};

test('parses an escaped key after a key with a backslash in its place', () => {
  poison();
  for (const [text, name] of [
    [String.raw`{"k k":1,"\"":2}`, '"'],
    [String.raw`{"k k":1,"\n":2}`, '\n'],
    [String.raw`{"k k":1,"\u0041":2}`, 'A'],
    [String.raw`{"k k":1,"\\":2}`, '\\'],
    [String.raw`{"k k":1,"a\nb":2}`, 'a\nb'],
    [String.raw`{"k k":1,"\u005f_proto__":2}`, '__proto__'],
  ] as const) {
    for (const nested of [text, `[${text}]`, `{"a":[0,${text}]}`]) {
      const read = JSON.stringify(parseExactly(nested));
      expect(read).toContain(`{"k k":1,${JSON.stringify(name)}:2}`);
    }
  }
});

test('round-trips any keys with quotes, backslashes and the internal marker', () => {
  const name = fc.string({
    unit: fc.constantFrom('\\', '"', '\n', 'u', '0', '4', '1', 'a', ':', ' ', '\ue000', 'ä'),
    maxLength: 8,
  });
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      name,
      fc.integer(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(name, tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1), (sent, space) => {
      poison();
      expect(parseExactly(JSON.stringify(sent, null, space))).toEqual(sent);
    }),
  );
});

test('rejects invalid JSON like JSON.parse', () => {
  for (const text of ['', '{', String.raw`{"\":1}`, String.raw`{"\x":1}`, '{"a":1,}']) {
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  }
});
