// The inventory cache is valid only for the inventory version at which it was loaded.
import { createHash, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type CachedPage, idPrefixesOf, TEXT_BYTES } from './cache-entry.ts';
import { createInventoryCache } from './inventory-cache.ts';

const id = (name: string) => createHash('sha256').update(name).digest('hex');
const textHashOf = (text: string) => hash('sha256', text, 'binary').slice(0, TEXT_BYTES);
const pageOf = (...names: string[]): CachedPage => ({
  named: idPrefixesOf(names.map(id)),
  contents: Buffer.alloc(32),
  count: names.length,
});
const change = (
  before: number,
  after: number,
  entities: [name: string, content: string | null, text?: string][],
  page: { hash: string; page: CachedPage } | null = null,
) => ({
  before,
  after,
  entities: new Map(
    entities.map(([name, content, text]) => {
      const textHash = text === undefined ? null : textHashOf(text);
      return [id(name), content === null ? null : { contentHash: id(content), textHash }];
    }),
  ),
  isNew: before === 1,
  page,
});
const holdsPage = (pictures: ReturnType<typeof createInventoryCache>, hash: string) =>
  pictures.get('d')?.pages.has(hash);
const holds = (
  pictures: ReturnType<typeof createInventoryCache>,
  at: number,
  name: string,
  content: string,
) => pictures.hasEntity('d', at, id(name), id(content));

test('returns an entity at its loaded version only', () => {
  const pictures = createInventoryCache(100);
  pictures.update('d', change(1, 2, [['a', 'v1']]));
  expect(holds(pictures, 2, 'a', 'v1')).toBe(true);
  expect(holds(pictures, 2, 'a', 'v2')).toBe(false);
  expect(holds(pictures, 1, 'a', 'v1')).toBe(false);
  expect(holds(pictures, 3, 'a', 'v1')).toBe(false);
});

test('keeps entries over a consecutive change, and clears them after a gap', () => {
  const pictures = createInventoryCache(100);
  pictures.update('d', change(1, 2, [['a', 'v1']]));
  pictures.update('d', change(2, 3, [['b', 'v1']]));
  expect([holds(pictures, 3, 'a', 'v1'), holds(pictures, 3, 'b', 'v1')]).toEqual([true, true]);
  // Another hub process wrote version 4.
  pictures.update('d', change(4, 5, [['c', 'v1']]));
  expect([holds(pictures, 5, 'a', 'v1'), holds(pictures, 5, 'c', 'v1')]).toEqual([false, true]);
});

test('keeps a batch until an entity of it changes or is removed', () => {
  const pictures = createInventoryCache(100);
  const page = { hash: 'p', page: pageOf('a', 'b') };
  pictures.update(
    'd',
    change(
      1,
      2,
      [
        ['a', 'v1'],
        ['b', 'v1'],
      ],
      page,
    ),
  );
  pictures.update('d', change(2, 3, [['c', 'v1']]));
  expect(holdsPage(pictures, 'p')).toBe(true);
  pictures.update('d', change(3, 4, [['b', null]]));
  expect(holdsPage(pictures, 'p')).toBe(false);
});

test('drops a batch when another batch with a shared entity is cached', () => {
  const pictures = createInventoryCache(100);
  const entities: [string, string][] = ['a', 'b', 'c', 'd'].map((name) => [name, 'v1']);
  pictures.update('d', change(1, 2, entities, { hash: 'ab', page: pageOf('a', 'b') }));
  pictures.update('d', change(2, 2, [], { hash: 'cd', page: pageOf('c', 'd') }));
  pictures.update('d', change(2, 2, [], { hash: 'bc', page: pageOf('b', 'c') }));
  expect(['ab', 'cd', 'bc'].map((hash) => holdsPage(pictures, hash))).toEqual([false, false, true]);
});

test('caches each of many entities under its own name', () => {
  const pictures = createInventoryCache(1_000);
  const names = Array.from({ length: 500 }, (_, i) => `e${i}`);
  pictures.update(
    'd',
    change(
      1,
      2,
      names.map((name) => [name, `${name} v1`, `${name} text`]),
    ),
  );
  expect(names.filter((name) => !holds(pictures, 2, name, `${name} v1`))).toEqual([]);
});

test('reports an entity as absent only for a device that is cached completely', () => {
  const pictures = createInventoryCache(100);
  pictures.update(
    'd',
    change(1, 2, [
      ['a', 'v1'],
      ['b', null],
    ]),
  );
  expect(['a', 'b', 'c'].map((name) => pictures.isKnownAbsent('d', 2, id(name)))).toEqual([
    false,
    false,
    true,
  ]);
  pictures.update('e', change(7, 8, [['a', 'v1']]));
  expect(pictures.isKnownAbsent('e', 8, id('c'))).toBe(false);
});

test('evicts the least recently used device at its limit', () => {
  const pictures = createInventoryCache(2 * 18);
  pictures.update(
    'd',
    change(1, 2, [
      ['a', 'v1'],
      ['b', 'v1'],
    ]),
  );
  pictures.update(
    'e',
    change(1, 2, [
      ['a', 'v1'],
      ['b', 'v1'],
    ]),
  );
  pictures.get('d');
  pictures.update('f', change(1, 2, [['a', 'v1']]));
  expect(pictures.size()).toBe(18 + 17);
  expect(['d', 'e', 'f'].map((text) => pictures.hasEntity(text, 2, id('a'), id('v1')))).toEqual([
    true,
    false,
    true,
  ]);
});
