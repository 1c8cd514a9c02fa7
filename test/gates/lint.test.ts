// Shows that the lint and format gate fails: biome.json runs once over a clean file, and once over planted faults.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, withPlanted } from './planted.ts';

/** Ours, but without git: a throw-away folder has none. */
const {
  vcs: _vcs,
  $schema: _schema,
  ...rules
} = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as Record<string, unknown>;

function lint(files: Record<string, string>) {
  return withPlanted({ 'biome.json': JSON.stringify(rules), ...files }, (planted) =>
    planted.run('biome', 'ci', '--colors=off', '--max-diagnostics=none', 'src'),
  );
}

/** Fault, text of the planted file, and the rule that must name the file. */
const FAULTS: readonly [fault: string, text: string, rule: string][] = [
  ['any', 'export const value: any = 1;\n', 'lint/suspicious/noExplicitAny'],
  ['a non-null assertion', "export const value = ''.at(0)!;\n", 'lint/style/noNonNullAssertion'],
  [
    'a value import of a type',
    "import { Stats } from 'node:fs';\n\nexport type S = Stats;\n",
    'lint/style/useImportType',
  ],
  ['an unused variable', 'const value = 1;\n', 'lint/correctness/noUnusedVariables'],
  [
    'an empty catch',
    'try {\n  JSON.parse("");\n} catch {}\n',
    'lint/suspicious/noEmptyBlockStatements',
  ],
  [
    'a floating promise',
    'async function work(): Promise<void> {\n  await null;\n}\nwork();\n',
    'lint/nursery/noFloatingPromises',
  ],
  ['an unformatted file', 'export const value   =  1\n', 'format'],
];
const fileOf = (fault: string) => `src/${fault.replaceAll(' ', '-')}.ts`;

test('passes a clean file', () => {
  const { code, output } = lint({ 'src/clean.ts': 'export const value = 1;\n' });
  expect(output).toContain('Checked 1 file');
  expect(code).toBe(0);
});

describe('a tree with planted faults', () => {
  let result: ReturnType<typeof lint>;
  beforeAll(() => {
    result = lint(Object.fromEntries(FAULTS.map(([fault, text]) => [fileOf(fault), text])));
  });

  test('fails', () => {
    expect(result.code).toBe(1);
  });

  test.each(FAULTS)('names the rule and the file of %s', (fault, _text, rule) => {
    const place = fileOf(fault).replace('.', '\\.');
    expect(result.output).toMatch(new RegExp(`${place}(:\\d+:\\d+)? ${rule}`));
  });
});
