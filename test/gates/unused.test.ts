// Shows that the gate against unused code fails: knip.json runs once over a clean planted workspace, and once with faults.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
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

test('passes a tree in which everything is used', () => {
  expect(look({})).toEqual({ code: 0, output: '' });
});

describe('a tree with planted faults', () => {
  let result: ReturnType<typeof look>;
  beforeAll(() => {
    result = look({
      'hub/package.json':
        '{ "name": "h", "private": true, "type": "module", "main": "src/main.ts", "dependencies": { "pino": "1", "undici": "1" } }',
      'hub/src/other.ts':
        "import pg from 'pg';\n\nexport const used = { pg };\nexport const unused = 1;\n",
      'hub/src/forgotten.ts': 'export const forgotten = 1;\n',
    });
  });

  test('fails', () => {
    expect(result.code).toBe(1);
  });

  test.each([
    ['an export that no file imports', 'Unused exports (1)', /unused\s+hub\/src\/other\.ts/],
    ['a file that no file imports', 'Unused files (1)', /hub\/src\/forgotten\.ts/],
    ['a dependency without an import', 'Unused dependencies (1)', /undici\s+hub\/package\.json/],
    ['an import without a dependency', 'Unlisted dependencies (1)', /pg\s+hub\/src\/other\.ts/],
  ])('names %s', (_fault, heading, place) => {
    expect(result.output).toContain(heading);
    expect(result.output).toMatch(place);
  });
});
