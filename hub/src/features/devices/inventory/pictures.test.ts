// What is remembered of a device holds only for the version of its inventory at which it was learned.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPictures, ID_PREFIX_BYTES, keptPage, type Page } from './pictures.ts';

const id = (name: string) => createHash('sha256').update(name).digest('hex');
const pageOf = (...names: string[]): Page => ({
  named: Buffer.concat(
    names.map((name) => Buffer.from(id(name), 'hex').subarray(0, ID_PREFIX_BYTES)),
  ),
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
  entities: entities.map(([name, content, text]) => {
    const textHash = text === undefined ? null : id(text).slice(0, 32);
    return [id(name), content === null ? null : { contentHash: id(content), textHash }] as const;
  }),
  isNew: before === 1,
  page,
});
const holds = (
  pictures: ReturnType<typeof createPictures>,
  at: number,
  name: string,
  content: string,
) => pictures.holds('d', at, id(name), id(content));

test('an entity is held at the version it was learned at, and at no other', () => {
  const pictures = createPictures(100);
  pictures.learn('d', change(1, 2, [['a', 'v1']]));
  expect(holds(pictures, 2, 'a', 'v1')).toBe(true);
  expect(holds(pictures, 2, 'a', 'v2')).toBe(false);
  expect(holds(pictures, 1, 'a', 'v1')).toBe(false);
  expect(holds(pictures, 3, 'a', 'v1')).toBe(false);
});

test('a change that follows on keeps the rest, one that does not starts anew', () => {
  const pictures = createPictures(100);
  pictures.learn('d', change(1, 2, [['a', 'v1']]));
  pictures.learn('d', change(2, 3, [['b', 'v1']]));
  expect([holds(pictures, 3, 'a', 'v1'), holds(pictures, 3, 'b', 'v1')]).toEqual([true, true]);
  // Another hub process wrote version 4.
  pictures.learn('d', change(4, 5, [['c', 'v1']]));
  expect([holds(pictures, 5, 'a', 'v1'), holds(pictures, 5, 'c', 'v1')]).toEqual([false, true]);
});

test('a page holds until one of its entities changes or goes', () => {
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
  expect(pictures.holdsPage('d', 3, 'p')).toBe(true);
  pictures.learn('d', change(3, 4, [['b', null]]));
  expect(pictures.holdsPage('d', 4, 'p')).toBe(false);
});

test('a page goes when another one is kept that names one of its entities', () => {
  const pictures = createPictures(100);
  const entities: [string, string][] = ['a', 'b', 'c', 'd'].map((name) => [name, 'v1']);
  pictures.learn('d', change(1, 2, entities, { hash: 'ab', page: pageOf('a', 'b') }));
  pictures.learn('d', change(2, 2, [], { hash: 'cd', page: pageOf('c', 'd') }));
  pictures.learn('d', change(2, 2, [], { hash: 'bc', page: pageOf('b', 'c') }));
  expect(['ab', 'cd', 'bc'].map((hash) => pictures.holdsPage('d', 2, hash))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a text is known by the entity that came in it last', () => {
  const pictures = createPictures(100);
  const contentOf = (name: string, text: string) =>
    pictures.contentOf('d', id(name), id(text).slice(0, 32));
  pictures.learn(
    'd',
    change(1, 2, [
      ['a', 'v1', 'text 1'],
      ['b', 'v1'],
    ]),
  );
  expect(contentOf('a', 'text 1')).toBe(id('v1'));
  expect([contentOf('a', 'text 2'), contentOf('b', 'text 1'), contentOf('c', 'text 1')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  pictures.learn('d', change(2, 3, [['a', 'v2', 'text 2']]));
  expect([contentOf('a', 'text 1'), contentOf('a', 'text 2')]).toEqual([undefined, id('v2')]);
  pictures.learn('d', change(3, 4, [['a', null]]));
  expect(contentOf('a', 'text 2')).toBe(undefined);
});

test('what was learned of many is remembered of each', () => {
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

test('a page that is kept shares no memory with what it was made of', () => {
  const page = pageOf('a', 'b');
  const kept = keptPage(page.named, page.contents);
  expect(kept).toEqual(page);
  expect(kept.named.buffer.byteLength).toBe(page.named.length + page.contents.length);
});

test('only a device learned from its start is known to lack something', () => {
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

test('the memory is bounded, and the device that was not used for longest is forgotten first', () => {
  const pictures = createPictures(4);
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
  pictures.page('d', 'none');
  pictures.learn('f', change(1, 2, [['a', 'v1']]));
  expect(pictures.size()).toBeLessThanOrEqual(4);
  expect(['d', 'e', 'f'].map((one) => pictures.holds(one, 2, id('a'), id('v1')))).toEqual([
    true,
    false,
    true,
  ]);
});
