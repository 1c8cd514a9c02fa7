// The gate of the dumped schema and OpenAPI document can fail: each changed or missing copy is noticed by name.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Derived } from '../../scripts/docs/markdown.ts';
import { firstDifference } from '../../scripts/dump.ts';
import { type Planted, ROOT, withPlanted } from './planted.ts';

const derived: Derived[] = ['hub/schema.txt', 'hub/openapi.json'].map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));
const withStored = (work: (planted: Planted) => void) =>
  withPlanted(Object.fromEntries(derived.map(({ path, text }) => [path, text])), work);

test('accepts stored documents that equal the generated ones', () => {
  withStored((planted) => {
    expect(firstDifference(derived, planted.folder)).toBeNull();
  });
});

test.each([
  ['hub/schema.txt', 'email text NOT NULL', 'email text'],
  ['hub/openapi.json', '"openapi": "3.1.0"', '"openapi": "3.0.0"'],
])('reports a changed %s with its line', (path, before, after) => {
  withStored((planted) => {
    const file = join(planted.folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
    const difference = firstDifference(derived, planted.folder);
    expect(difference).toMatch(new RegExp(`^${path} differs from the code in line \\d+ `));
    expect(difference).not.toContain('\n');
  });
});

test.each(derived.map(({ path }) => [path]))(
  'lines too many or too few in %s are noticed',
  (path) => {
    withStored((planted) => {
      const file = join(planted.folder, path);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, `${text}more\n`);
      expect(firstDifference(derived, planted.folder)).toContain(`${path} differs`);
      writeFileSync(file, text.split('\n').slice(0, -3).join('\n'));
      expect(firstDifference(derived, planted.folder)).toContain(`${path} differs`);
      rmSync(file);
      expect(firstDifference(derived, planted.folder)).toContain(`${path} is missing`);
    });
  },
);

test('generates documents without values of a run', () => {
  for (const { text } of derived) {
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|_p\d{8}|kysely_|pgboss/);
  }
});

test('OpenAPI document contains routes of users, devices and operators', () => {
  const { openapi, paths } = JSON.parse(derived[1]?.text ?? '') as {
    openapi: string;
    paths: object;
  };
  expect(openapi).toMatch(/^3\.1\./);
  for (const start of ['/console/api/v1/', '/ea/v1/sync/', '/healthz']) {
    expect(Object.keys(paths).some((path) => path.startsWith(start))).toBe(true);
  }
});
