// The lint and format gate can fail: our biome.json over planted faults.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, withPlanted } from './planted.ts';

/** Ours, but without git: a throw-away folder has none. */
const {
  vcs: _vcs,
  $schema: _schema,
  ...rules
} = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as Record<string, unknown>;

function lint(text: string) {
  return withPlanted({ 'biome.json': JSON.stringify(rules), 'src/planted.ts': text }, (planted) =>
    planted.run('biome', 'ci', '--colors=off', 'src'),
  );
}

test('a clean file passes', () => {
  const { code, output } = lint('export const one = 1;\n');
  expect(output).toContain('Checked 1 file');
  expect(code).toBe(0);
});

test.each([
  ['any', 'export const one: any = 1;\n', 'lint/suspicious/noExplicitAny'],
  ['a non-null assertion', "export const one = ''.at(0)!;\n", 'lint/style/noNonNullAssertion'],
  [
    'a value import of a type',
    "import { Stats } from 'node:fs';\n\nexport type S = Stats;\n",
    'lint/style/useImportType',
  ],
  ['an unused variable', 'const one = 1;\n', 'lint/correctness/noUnusedVariables'],
  [
    'an empty catch',
    'try {\n  JSON.parse("");\n} catch {}\n',
    'lint/suspicious/noEmptyBlockStatements',
  ],
  [
    'a promise nobody waits for',
    'async function work(): Promise<void> {\n  await null;\n}\nwork();\n',
    'lint/nursery/noFloatingPromises',
  ],
  ['an unformatted file', 'export const one   =  1\n', 'format'],
])('%s fails and is named', (_fault, text, rule) => {
  const { code, output } = lint(text);
  expect(output).toContain(`src/planted.ts`);
  expect(output).toContain(rule);
  expect(code).toBe(1);
});
