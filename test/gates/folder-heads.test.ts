// The head of each feature's index.ts names its main types: each must be declared in the hub or on the wire.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DECLARED = /\b(?:interface|type|class|const|function) ([A-Z]\w*)/g;

const listFiles = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '');

const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the capitalized names in backticks of the lines about main types, up to the next line of the head. */
function namedTypes(source: string): string[] {
  const head = source.slice(0, source.search(/^(?!\/\/)/m));
  const [, section = ''] = head.split(/^\/\/ Main types?:/m);
  const [types = ''] = section.split(/^\/\/ (?:Invariants?|Depends|Start)\b/m);
  return [...types.matchAll(/`([A-Z]\w*)`/g)].flatMap(([, name]) => name ?? []);
}

/** Returns a line for each name that no source declares. */
function undeclared(heads: Record<string, string>, declared: ReadonlySet<string>): string[] {
  return Object.entries(heads).flatMap(([path, source]) =>
    namedTypes(source)
      .filter((name) => !declared.has(name))
      .map((name) => `${path}: ${name} is declared nowhere`),
  );
}

test('names only declared types in the heads of features', () => {
  const declared = new Set(
    listFiles('hub/src/*.ts', 'shared/*.ts').flatMap((path) =>
      [...readSource(path).matchAll(DECLARED)].flatMap(([, name]) => name ?? []),
    ),
  );
  const heads = Object.fromEntries(
    listFiles('hub/src/*/index.ts').map((path) => [path, readSource(path)]),
  );
  expect(Object.values(heads).flatMap(namedTypes).length).toBeGreaterThan(50);
  expect(undeclared(heads, declared)).toEqual([]);
});

test('reports a planted head with a removed type', () => {
  const head =
    '// Alerts.\n// Main types: `Alert`,\n// `Removed`.\n// Invariant: `Other` is no main type.\nexport {};\n';
  expect(undeclared({ 'alerts/index.ts': head }, new Set(['Alert']))).toEqual([
    'alerts/index.ts: Removed is declared nowhere',
  ]);
});
