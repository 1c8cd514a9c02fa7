import { describe, expect, test } from 'vitest';
import {
  type Language,
  languageGrown,
  measureLanguage,
  measureTexts,
  measureValidation,
  readSources,
  testTitles,
  VALIDATION,
} from './language.ts';
import { LANGUAGE_BUDGET, readBudget } from './ratchet.ts';

test('measures no folder above its budget', () => {
  const budget = readBudget<Record<string, Language>>(LANGUAGE_BUDGET);
  expect(languageGrown(measureLanguage(), budget)).toEqual([]);
});

test('finds "validate" at least once in 2,000 lines of the product', () => {
  expect(measureValidation(readSources())).toBeGreaterThanOrEqual(VALIDATION.minimum);
});

const FILLER = 'const x = 1;\n'.repeat(50);
const planted = (...lines: string[]) => ({ path: 'a.ts', text: `${lines.join('\n')}\n${FILLER}` });
const weakTitle = { path: 'a.test.ts', text: "test('what was reported is kept', () => {});\n" };

describe('language of a folder', () => {
  /** Fault, its file, and the measure that it raises. */
  const FAULTS: readonly [string, ReturnType<typeof planted>, keyof Language][] = [
    ['"told" in a comment', planted('// It is told.'), 'tell'],
    ['"said" in a comment', planted('// The hub said no.'), 'say'],
    ['"hold" in a name', planted('const holdBody = 1;'), 'hold'],
    ['"stand" in a comment', planted('// Rows stand in order.'), 'stand'],
    ['"one" as a variable', planted('const one = 1;'), 'one'],
    ['a comment that opens with a pronoun', planted('// What is kept.'), 'openers'],
    ['a title that is no claim', weakTitle, 'titles'],
  ];

  test.each(FAULTS)('fails without a budget for %s', (_fault, file, measure) => {
    const measured = { folder: measureTexts([file]) };
    expect(languageGrown(measured, {}).join()).toContain(`folder: ${measure} `);
  });

  test.each(FAULTS)('fails above its budget for %s', (_fault, file, measure) => {
    const measured = { folder: measureTexts([file]) };
    const value = measured.folder[measure] ?? 0;
    const others = Object.fromEntries(FAULTS.map(([, , name]) => [name, 1_000]));
    const grown = (budget: number) =>
      languageGrown(measured, { folder: { ...others, [measure]: budget } });
    expect(grown(value)).toEqual([]);
    expect(grown(value - 0.1)).toEqual([expect.stringContaining(`folder: ${measure} ${value}`)]);
  });

  test('fails above the budget of the folder, whatever other folders may use', () => {
    const measured = { folder: measureTexts([planted('// The hub tells.')]) };
    expect(languageGrown(measured, { other: { tell: 1_000 } })).toHaveLength(1);
  });

  test('passes for ordinary English', () => {
    const text = "// Rejects a batch.\ntest('rejects a batch', () => {});\n";
    expect(measureTexts([{ path: 'a.test.ts', text }])).toEqual({});
  });
});

test('counts forms of "validate" in names and comments, and reports their absence as 0', () => {
  expect(
    measureValidation(['// Validates a batch.\nconst validateBatch = isValid;\n']),
  ).toBeCloseTo((2 / 3) * 1_000);
  expect(measureValidation([FILLER])).toBeLessThan(VALIDATION.minimum);
});

test.each([
  ['a plain test', "test('planted', () => {});"],
  ['it', 'it("planted", () => {});'],
  ['a template', 'it(`planted`, () => {});'],
  ['a title on a line of its own', "test(\n  'planted',\n  () => {});"],
  ['options', "test('planted', { timeout: 1 }, () => {});"],
  ['only', "test.only('planted', () => {});"],
  ['rows', "it.each([[1], [f('(', /[)']/)]])('planted', () => {});"],
  ['rows with a type', "test.each<[string, () => void]>([['a', () => {}]])('planted', f);"],
  ['a table', `it.each\`\n  a | b\n  \${1} | \${f('x')}\n\`('planted', f);`],
  ['for', "test.for([1, 2])('planted', ([a], { expect }) => {});"],
  ['a condition', "it.skipIf(process.platform === 'win32')('planted', f);"],
  ['a condition and rows', "test.runIf(isRoot).concurrent.each(ROWS)('planted', f);"],
])('reads the title of %s', (_form, text) => {
  expect(testTitles(text)).toEqual(['planted']);
});

test('reads no titles of other calls, and marks expressions of a template', () => {
  const text = `describe('a', () => {});\n/x/.test('b');\nit(title, f);\nit(\`in \${n} runs\`, f);`;
  expect(testTitles(text)).toEqual(['in {} runs']);
});
