// The gate against unused code can fail: our knip.json over a planted workspace.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, withPlanted } from './planted.ts';

const HOUSE = {
  'knip.json': readFileSync(join(ROOT, 'knip.json'), 'utf8'),
  'package.json': '{ "name": "house", "private": true, "type": "module", "workspaces": ["hub"] }',
  'hub/package.json':
    '{ "name": "h", "private": true, "type": "module", "main": "src/main.ts", "dependencies": { "pino": "1" } }',
  'hub/src/main.ts':
    "import { pino } from 'pino';\nimport { used } from './other.ts';\n\npino(used);\n",
  'hub/src/other.ts': 'export const used = {};\n',
};

function look(files: Record<string, string>) {
  return withPlanted({ ...HOUSE, ...files }, (planted) =>
    planted.run('knip', '--no-progress', '--no-config-hints'),
  );
}

test('a house in which everything is used passes', () => {
  expect(look({})).toEqual({ code: 0, output: '' });
});

test('an export that nobody imports fails and is named', () => {
  const { code, output } = look({
    'hub/src/other.ts': 'export const used = {};\nexport const lonely = 1;\n',
  });
  expect(output).toContain('Unused exports (1)');
  expect(output).toMatch(/lonely\s+hub\/src\/other\.ts/);
  expect(code).toBe(1);
});

test('a file that nobody imports fails and is named', () => {
  const { code, output } = look({ 'hub/src/forgotten.ts': 'export const one = 1;\n' });
  expect(output).toContain('Unused files (1)');
  expect(output).toContain('hub/src/forgotten.ts');
  expect(code).toBe(1);
});

test('a dependency that nobody imports fails and is named', () => {
  const { code, output } = look({
    'hub/src/main.ts': "import './other.ts';\n",
    'hub/src/other.ts': 'export {};\n',
  });
  expect(output).toContain('Unused dependencies (1)');
  expect(output).toMatch(/pino\s+hub\/package\.json/);
  expect(code).toBe(1);
});

test('an import that package.json does not list fails and is named', () => {
  const { code, output } = look({
    'hub/src/other.ts': "import pg from 'pg';\n\nexport const used = { pg };\n",
  });
  expect(output).toContain('Unlisted dependencies (1)');
  expect(output).toMatch(/pg\s+hub\/src\/other\.ts/);
  expect(code).toBe(1);
});
