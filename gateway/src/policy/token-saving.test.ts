import { describe, expect, it } from 'vitest';
import type { TokenSavingSettings } from './settings.ts';
import { saveTokens } from './token-saving.ts';

const ALL: TokenSavingSettings = {
  smart_json_compression: true,
  html_to_text: true,
  markdown_to_text: true,
  text_compression: true,
};

describe.each<[keyof TokenSavingSettings, [string, string, string][]]>([
  [
    'smart_json_compression',
    [
      ['removes blanks of an object', '{\n  "a": 1.0,\n  "b": [1, 2]\n}', '{"a":1.0,"b":[1,2]}'],
      ['keeps blanks in strings', '{ "a b": "c  \\" d" }', '{"a b":"c  \\" d"}'],
      ['keeps the text around', 'See: { "a": [ 1 ] } end', 'See: {"a":[1]} end'],
      ['keeps large numbers', '{ "id": 12345678901234567890 }', '{"id":12345678901234567890}'],
      ['keeps braces that are no JSON', 'use { x; y } and [ 1 ]', 'use { x; y } and [ 1 ]'],
      ['keeps a text with an open brace', 'if { "a": 1', 'if { "a": 1'],
    ],
  ],
  [
    'html_to_text',
    [
      ['keeps the text of elements', '<p class="x">One</p><p>Two</p>', 'One\n\nTwo'],
      ['removes scripts and styles', '<style>p{}</style><p>A</p><script>b()</script>', 'A'],
      ['removes comments', '<p>A<!-- hidden --></p>', 'A'],
      ['writes lists', '<ul><li>A</li><li>B</li></ul>', '- A\n- B'],
      ['writes table rows', '<table><tr><td>A</td><td>B</td></tr></table>', 'A | B'],
      ['decodes entities', '<p>A &amp; B &#233; &#x41; &unknown;</p>', 'A & B é A &unknown;'],
      ['keeps comparisons and generics', 'a < b and List<T> > c', 'a < b and List<T> > c'],
    ],
  ],
  [
    'markdown_to_text',
    [
      ['removes headings', '## Title', 'Title'],
      ['removes emphasis', 'a **bold** and *thin* _word_', 'a bold and thin word'],
      ['keeps names with underscores', 'snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
      [
        'writes links',
        '[Docs](https://a.example/b) ![x](y.png)',
        'Docs (https://a.example/b) x (y.png)',
      ],
      ['removes quotes and rules', '> quoted\n---\nend', 'quoted\nend'],
      ['removes lines of tables', '| a | b |\n|---|:--|\n| 1 | 2 |', '| a | b |\n| 1 | 2 |'],
      ['keeps indented code', '    **code**', '    **code**'],
    ],
  ],
  [
    'text_compression',
    [
      ['collapses blanks', 'a   b\t\tc', 'a b c'],
      ['collapses empty lines', 'a\n\n\n\nb', 'a\n\nb'],
      ['removes blanks at line ends', 'a  \nb', 'a\nb'],
      ['keeps indentation', '  a:\n    b', '  a:\n    b'],
    ],
  ],
])('%s', (setting, rows) => {
  it.each(rows)('%s', (_claim, text, shorter) => {
    expect(saveTokens(text, { [setting]: true })).toBe(shorter);
  });

  it('changes nothing while disabled', () => {
    for (const [, text] of rows) expect(saveTokens(text, { [setting]: false })).toBe(text);
  });
});

describe('code', () => {
  const BLOCK = '```json\n{ "a":   1 }\n<p>**x**</p>\n\n\n\n```';

  it.each([
    ['keeps a fenced block', BLOCK, BLOCK],
    ['keeps a block without end', BLOCK.slice(0, -3), BLOCK.slice(0, -3)],
    ['keeps a block of tildes', '~~~\na   b\n~~~', '~~~\na   b\n~~~'],
    ['keeps inline code', 'run `a   **b**` now', 'run `a   **b**` now'],
    ['shortens the text around', `a   b\n${BLOCK}\nc   d`, `a b\n${BLOCK}\nc d`],
  ])('%s', (_claim, text, result) => {
    expect(saveTokens(text, ALL)).toBe(result);
  });
});

it.each([
  ['backticks', '`'],
  ['dashes', '-'],
  ['blanks', 'a '],
  ['brackets', '['],
  ['braces', '{"'],
  ['tags', '<p '],
  ['comments', '<!--'],
  ['stars', '*'],
  ['table rules', '|-'],
])('shortens half a megabyte of %s', (_name, unit) => {
  const hostile = `# a${unit.repeat(500_000 / unit.length)}x`;
  expect(saveTokens(hostile, ALL).length).toBeLessThanOrEqual(hostile.length);
});
