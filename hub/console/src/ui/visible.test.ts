// Names without invisible characters and changes of direction.
import { expect, test } from 'vitest';
import { searchable, visible, visibleLines, visibleText } from './visible.ts';

test.each([
  ['an override of direction', 'photo\u202egnp.exe', 'photo[U+202E]gnp.exe'],
  ['an isolate', '\u2066evil\u2069', '[U+2066]evil[U+2069]'],
  ['a zero-width space', 'Chr\u200bome', 'Chr[U+200B]ome'],
  ['a line break', 'one\ntwo', 'one[U+000A]two'],
  ['a tag character', 'a\u{e0041}', 'a[U+E0041]'],
  ['a Hangul filler', '\u3164', '[U+3164]'],
  ['one behind each letter', 'R\u{e0163}e\ufe0fa', 'R[U+E0163]e[U+FE0F]a'],
  ['a row of variation selectors', 'a\ufe01\u{e0141}', 'a[U+FE01][U+E0141]'],
  ['a grapheme joiner', 'a\u034fb', 'a[U+034F]b'],
  ['a joiner at an edge', '\u200dcurl', '[U+200D]curl'],
])('%s is written out', (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
  // Called twice, because a global pattern could keep state.
  expect(visible(text)).toBe(shown);
});

test.each([
  'Visual Studio Code',
  'Писатель',
  'مستعرض',
  'می\u200cخواهم',
  '👩\u200d💻',
  '❤\ufe0f\u200d🔥',
  '1\ufe0f\u20e3',
  '葛\u{e0100}飾',
  'é',
])('%s stays as it is', (text) => {
  expect(visible(text)).toBe(text);
});

test('marks names within a sentence, and keeps the other words', () => {
  expect(visibleText`Withdraw ${'a\u202eb'} \u2068(${2})\u2069`).toBe(
    'Withdraw a[U+202E]b \u2068(2)\u2069',
  );
});

test('preserves lines and tabs of a text', () => {
  expect(visibleLines('one\r\n\ttwo\u200b\n')).toBe('one\r\n\ttwo[U+200B]\n');
});

test('searches a shown name by its text before the first character that is written out', () => {
  expect(searchable(visible('lap\u200btop'))).toBe('lap');
  expect(searchable('plain [name]')).toBe('plain [name]');
});
