import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { compilePattern } from './regular-expressions.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each([
  // V8 compiles these wrongly without its optimizations: nodejs/node issue 60030.
  ['[\\[-](?-i:\\b(test|SAD|Hello)\\b)', 'i', ['-SAD', '[Hello'], ['-SAd', '-hello', '-TEST']],
  ['(?:a(?i:b)|(?i:c)d)e', '', ['abe', 'aBe', 'cde', 'Cde'], ['Abe', 'abE', 'cDe']],
  ['(?i:x(?-i:y(?i:z)))', '', ['xyz', 'XyZ'], ['xYz', 'XYZ']],
  ['^(?i:[^a-c])$', '', ['d', 'D', '1'], ['a', 'B']],
  ['^(?i:[-x])$', '', ['-', 'x', 'X'], ['Y', 'k', '[']],
  ['^(?i:[^-k])$', '', ['Y', 'a'], ['-', 'k', 'K']],
  ['^(?i:[\\w-]\\x61\\u00e4)$', '', ['-a\u00e4', '-A\u00c4'], ['-b\u00e4']],
  ['(?i:stra(?:\u00df|ss)e)', '', ['stra\u00dfe', 'STRASSE'], ['stra\u1e9ee']],
  ['(?i:\u043f\u0430\u0440\u043e\u043b\u044c)', '', ['\u041f\u0410\u0420\u041e\u041b\u042c'], ['']],
  ['(?i:a{2,3})', '', ['aAa', 'AA'], ['a']],
  ['(?<=(?i:key))=(?!(?i:none))', '', ['KEY=a', 'key=x'], ['Key=NONE', 'k=a']],
])('preserves inline modifiers of %s', (source, flags, yes, no) => {
  const form = compilePattern(source, flags);
  expect(form.source).not.toMatch(/\(\?-?i:/);
  expect(yes.filter((text) => !form.test(text))).toEqual([]);
  expect(no.filter((text) => form.test(text))).toEqual([]);
});

test('leaves a pattern without modifiers unchanged', () => {
  expect(compilePattern('a(?=b)[^c]', 'gi')).toEqual(/a(?=b)[^c]/gi);
});

/** A letter, a class, an escape, or a group of these. */
const piece = fc.letrec<{ piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...['a', 'B', 'k', 's', '\u00df', '\u00b5', '\u00ff', '1', '%', '\\.', '\\d']),
    fc.constantFrom('[a-f]', '[^xY]', '[-k\\s]', '[\\]A]', '\\x41', '\\u00e9', 'z{1,2}', '\\w'),
    fc.tuple(tie('piece'), tie('piece')).map((both) => both.join('')),
    fc.tuple(tie('piece'), tie('piece')).map((both) => `(?:${both.join('|')})`),
    tie('piece').map((inner) => `(?=${inner})`),
    tie('piece').map((inner) => `(?<!${inner})`),
    tie('piece').map((inner) => `(${inner})`),
  ),
})).piece;

test('matches a group with the modifier like a pattern with the flag', () => {
  const letter = fc.constantFrom(
    ...'aAbBkK\u212asS\u017f\u00df\u1e9e\u00b5\u039c\u03bc\u00ff\u0178xXyYzZlm1%. ]fe\u00e9\u00c9',
  );
  fc.assert(
    fc.property(piece, fc.array(letter, { maxLength: 8 }), (source, letters) => {
      const text = letters.join('');
      const whole = new RegExp(source, 'gi');
      const group = compilePattern(`(?i:${source})`, 'g');
      expect(text.replace(group, '<$&>')).toBe(text.replace(whole, '<$&>'));
    }),
    { numRuns: propertyRuns(3_000) },
  );
});

test('matches a group without the modifier like a pattern without the flag', () => {
  const letter = fc.constantFrom(...'aAbBkKsSxXyYzZlm1%. ]fe');
  fc.assert(
    fc.property(piece, fc.array(letter, { maxLength: 8 }), (source, letters) => {
      const text = letters.join('');
      expect(text.replace(compilePattern(`(?-i:${source})`, 'gi'), '<$&>')).toBe(
        text.replace(new RegExp(source, 'g'), '<$&>'),
      );
    }),
    { numRuns: propertyRuns(1_000) },
  );
});

const FOLDERS = [
  'shared',
  'hub/src',
  'hub/console/src',
  'agent/src',
  'agent/desktop/src',
  'collector',
];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !/node_modules/.test(name),
    )
    .map((name) => ({
      name: `${folder}/${name}`,
      text: readFileSync(join(ROOT, folder, name), 'utf8'),
    })),
);

const MODIFIER = /\(\?(?:-?[ims]+|[ims]+-[ims]+):/;
/** In redaction, all files that compile patterns themselves are checked; elsewhere only files with a modifier. */
const letsThrough = ({ name, text }: { name: string; text: string }) =>
  name.startsWith('shared/redaction/') ? text.includes('new RegExp(') : MODIFIER.test(text);

test('passes no modifier to V8', () => {
  expect(sources.length).toBeGreaterThan(500);
  const those = sources.filter(letsThrough).map(({ name }) => name);
  expect(those).toEqual(['shared/redaction/regular-expressions.ts']);
  expect(letsThrough({ name: 'hub/src/a.ts', text: 'const a = /x(?i:y)/g;' })).toBe(true);
  expect(letsThrough({ name: 'agent/src/a.ts', text: "'(?s-i:x)'" })).toBe(true);
  expect(letsThrough({ name: 'agent/src/a.ts', text: "'(?:x)(?=i:)'" })).toBe(false);
});

test('rejects a pattern that V8 would treat less strictly', () => {
  expect(() => compilePattern('a'.repeat(20_001))).toThrow(RangeError);
  expect(() => compilePattern(`(?i:${'a'.repeat(6_000)})`)).toThrow(RangeError);
});
