// Names as people must see them: nothing hidden, nothing turned round.
import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test.each([
  ['an override of direction', 'photo\u202egnp.exe', 'photo[U+202E]gnp.exe'],
  ['an isolate', '\u2066evil\u2069', '[U+2066]evil[U+2069]'],
  ['a zero-width space', 'Chr\u200bome', 'Chr[U+200B]ome'],
  ['a line break', 'one\ntwo', 'one[U+000A]two'],
  ['a tag character', 'a\u{e0041}', 'a[U+E0041]'],
  ['a Hangul filler', '\u3164', '[U+3164]'],
  ['a joiner at an edge', '\u200dcurl', '[U+200D]curl'],
])('%s is written out', (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
  // Asked twice: the pattern keeps no state.
  expect(visible(text)).toBe(shown);
});

test.each(['Visual Studio Code', 'Писатель', 'مستعرض', 'می\u200cخواهم', '👩\u200d💻', 'é'])(
  '%s stays as it is',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);
