// The inventory cache is valid only for the inventory version at which it was loaded.
import { createHash, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Page, prefixesOfHex, TEXT_BYTES } from './cache-entry.ts';
import { createPictures } from './inventory-cache.ts';

const id = (name: string) => createHash('sha256').update(name).digest('hex');
const textHashOf = (text: string) => hash('sha256', text, 'binary').slice(0, TEXT_BYTES);
const pageOf = (...names: string[]): Page => ({
  named: prefixesOfHex(names.map(id)),
  contents: Buffer.alloc(32),
  count: names.length,
});
const change = (
  before: number,
  after: number,
  entities: [name: string, content: string | null, text?: string][],
  page: { hash: string; page: Page } | null = null,
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
const holdsPage = (pictures: ReturnType<typeof createPictures>, hash: string) =>
  pictures.of('d')?.pages.has(hash);
const holds = (
  pictures: ReturnType<typeof createPictures>,
  at: number,
  name: string,
  content: string,
) => pictures.holds('d', at, id(name), id(content));

test('returns an entity at its loaded version only', () => {
  const pictures = createPictures(100);
  pictures.learn('d', change(1, 2, [['a', 'v1']]));
  expect(holds(pictures, 2, 'a', 'v1')).toBe(true);
  expect(holds(pictures, 2, 'a', 'v2')).toBe(false);
  expect(holds(pictures, 1, 'a', 'v1')).toBe(false);
  expect(holds(pictures, 3, 'a', 'v1')).toBe(false);
});

test('keeps entries over a consecutive change, and clears them after a gap', () => {
  const pictures = createPictures(100);
  pictures.learn('d', change(1, 2, [['a', 'v1']]));
  pictures.learn('d', change(2, 3, [['b', 'v1']]));
  expect([holds(pictures, 3, 'a', 'v1'), holds(pictures, 3, 'b', 'v1')]).toEqual([true, true]);
  // Another hub process wrote version 4.
  pictures.learn('d', change(4, 5, [['c', 'v1']]));
  expect([holds(pictures, 5, 'a', 'v1'), holds(pictures, 5, 'c', 'v1')]).toEqual([false, true]);
});

test('keeps a batch until an entity of it changes or is removed', () => {
  const pictures = createPictures(100);
  const page = { hash: 'p', page: pageOf('a', 'b') };
  pictures.learn(
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
  pictures.learn('d', change(2, 3, [['c', 'v1']]));
  expect(holdsPage(pictures, 'p')).toBe(true);
  pictures.learn('d', change(3, 4, [['b', null]]));
  expect(holdsPage(pictures, 'p')).toBe(false);
});

test('drops a batch when another batch with a shared entity is cached', () => {
  const pictures = createPictures(100);
  const entities: [string, string][] = ['a', 'b', 'c', 'd'].map((name) => [name, 'v1']);
  pictures.learn('d', change(1, 2, entities, { hash: 'ab', page: pageOf('a', 'b') }));
  pictures.learn('d', change(2, 2, [], { hash: 'cd', page: pageOf('c', 'd') }));
  pictures.learn('d', change(2, 2, [], { hash: 'bc', page: pageOf('b', 'c') }));
  expect(['ab', 'cd', 'bc'].map((hash) => holdsPage(pictures, hash))).toEqual([false, false, true]);
});

test('caches each of many entities under its own name', () => {
  const pictures = createPictures(1_000);
  const names = Array.from({ length: 500 }, (_, i) => `e${i}`);
  pictures.learn(
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
  const pictures = createPictures(100);
  pictures.learn(
    'd',
    change(1, 2, [
      ['a', 'v1'],
      ['b', null],
    ]),
  );
  expect(['a', 'b', 'c'].map((name) => pictures.lacks('d', 2, id(name)))).toEqual([
    false,
    false,
    true,
  ]);
  pictures.learn('e', change(7, 8, [['a', 'v1']]));
  expect(pictures.lacks('e', 8, id('c'))).toBe(false);
});

test('evicts the least recently used device at its limit', () => {
  const pictures = createPictures(2 * 18);
  pictures.learn(
    'd',
    change(1, 2, [
      ['a', 'v1'],
      ['b', 'v1'],
    ]),
  );
  pictures.learn(
    'e',
    change(1, 2, [
      ['a', 'v1'],
      ['b', 'v1'],
    ]),
  );
  pictures.of('d');
  pictures.learn('f', change(1, 2, [['a', 'v1']]));
  expect(pictures.size()).toBe(18 + 17);
  expect(['d', 'e', 'f'].map((text) => pictures.holds(text, 2, id('a'), id('v1')))).toEqual([
    true,
    false,
    true,
  ]);
});
