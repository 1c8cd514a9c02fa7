// Size of the console's first page: the script of the entry and of all its imports, compressed by gzip. Pages are loaded when they
// are visited, each with a budget of its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildConsoleInto } from '../support/build-console-into.ts';

/** The target for the first page is 350 kB; a lower limit shows growth early. */
const FIRST_BYTES = 260 * 1024;
const PAGE_BYTES = 150 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'gw-weight-'));

interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
}
let manifest: Record<string, Chunk>;

beforeAll(async () => {
  await buildConsoleInto(folder, 'production', { manifest: true });
  manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that must be there before the chunk runs, itself included. */
function needed(key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const value of manifest[key]?.imports ?? []) needed(value, found);
  return found;
}

function weight(keys: Iterable<string>): number {
  let sum = 0;
  for (const key of keys) {
    const { file } = manifest[key] ?? { file: '' };
    if (file.endsWith('.js')) sum += gzipSync(readFileSync(join(folder, file))).length;
  }
  return sum;
}

const keysOf = (is: (chunk: Chunk) => boolean | undefined) =>
  Object.entries(manifest).flatMap(([key, chunk]) => (is(chunk) ? [key] : []));

test('limits the script of the first page', () => {
  const [entry = ''] = keysOf((chunk) => chunk.isEntry);
  const bytes = weight(needed(entry));
  process.stdout.write(`console, at first: ${Math.round(bytes / 1024)} kB of script\n`);
  expect(bytes).toBeGreaterThan(50 * 1024);
  expect(bytes).toBeLessThan(FIRST_BYTES);
});

test('limits the script of each page', () => {
  const [entry = ''] = keysOf((chunk) => chunk.isEntry);
  const first = needed(entry);
  const pages = keysOf((chunk) => chunk.isDynamicEntry).map((key) => ({
    key,
    bytes: weight([...needed(key)].filter((value) => !first.has(value))),
  }));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((page) => page.bytes > PAGE_BYTES)).toEqual([]);
});

test('rejects a first page that loads all pages', () => {
  expect(weight(Object.keys(manifest))).toBeGreaterThan(FIRST_BYTES);
});
