import { expect, test } from 'vitest';
import { type Language, languageGrown, measureLanguage, measureTexts } from './language.ts';
import { LANGUAGE_BUDGET, readBudget } from './ratchet.ts';

test('no folder moved away from the language of the field', () => {
  const budget = readBudget<Record<string, Language>>(LANGUAGE_BUDGET);
  expect(languageGrown(measureLanguage(), budget)).toEqual([]);
});

const text = (line: string) => ({ path: 'a.ts', text: `${line}\n${'const x = 1;\n'.repeat(50)}` });

test.each<[string, string, keyof Language]>([
  ['a private word in a comment', '// It is told.', 'tell'],
  ['a private word in a name', 'const holdBody = 1;', 'hold'],
  ['a comment that opens with a pronoun', '// What is kept.', 'openers'],
])('finds %s', (_what, line, measure) => {
  const measured = { folder: measureTexts([text(line)]) };
  expect(measured.folder).toHaveProperty(measure);
  expect(languageGrown(measured, {}).join()).toContain(measure);
});

test('finds a test title that is no claim', () => {
  const file = { path: 'a.test.ts', text: "test('what was told is kept', () => {});\n" };
  expect(measureTexts([file])).toHaveProperty('titles');
});

test('lets a folder use ordinary English', () => {
  const file = {
    path: 'a.test.ts',
    text: "// Rejects a batch.\ntest('rejects a batch', () => {});\n",
  };
  expect(measureTexts([file])).toEqual({});
});
