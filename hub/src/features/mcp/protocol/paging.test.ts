// Pages of a merged list return every stable item, whatever changes meanwhile.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCursorSealer } from '../../../platform/http/lists/cursors.ts';
import { RpcError } from './messages.ts';
import { type ListPart, paginate } from './paging.ts';

const scene = { cursors: createCursorSealer(randomBytes(32)), owner: { hash: randomBytes(32) } };
const partOf = (slug: string, from: number, to: number): ListPart => ({
  slug,
  items: Array.from({ length: to - from }, (_, i) => ({ name: `${slug}__${from + i}` })),
});
const page = (parts: ListPart[], cursor?: unknown) =>
  paginate(scene, 'tools/list', { field: 'tools', name: 'name' }, parts, { cursor });
const namesIn = (record: Record<string, unknown>) =>
  (record.tools as { name: string }[]).map(({ name }) => name);
const namesOf = (...parts: ListPart[]) =>
  parts.flatMap(({ items }) => (items as { name: string }[]).map(({ name }) => name));

test('returns a stable list completely, each item once', () => {
  const parts = [partOf('b', 0, 1_500), partOf('a', 0, 700), partOf('c', 0, 900)];
  const all: string[] = [];
  let cursor: unknown;
  do {
    const item = page(parts, cursor);
    all.push(...namesIn(item));
    cursor = item.nextCursor;
  } while (cursor !== undefined);
  expect(all).toEqual(namesOf(partOf('a', 0, 700), partOf('b', 0, 1_500), partOf('c', 0, 900)));
  expect(page([partOf('a', 0, 1_000)]).nextCursor).toBeUndefined();
});

test('keeps items of other servers when a server fails or changes its number of items', () => {
  const [a, b, c] = [partOf('a', 0, 600), partOf('b', 0, 900), partOf('c', 0, 100)];
  const { nextCursor } = page([a, b, c]);
  const rest = namesOf(partOf('b', 400, 900), c);
  for (const before of [[], [partOf('a', 0, 10)], [partOf('a', 0, 2_000)]]) {
    expect(namesIn(page([...before, b, c], nextCursor))).toEqual(rest);
  }
  // The server of the last item is unavailable; the rest of the others is present.
  expect(namesIn(page([a, c], nextCursor))).toEqual(namesOf(c));
});

test('continues after the last returned item within a server', () => {
  const [a, b] = [partOf('a', 0, 600), partOf('b', 0, 900)];
  const { nextCursor } = page([a, b]);
  // Ten of those before are gone, or ten are new in front.
  const fewer = { slug: 'b', items: b.items.slice(10) };
  const more = { slug: 'b', items: [...partOf('b', 5_000, 5_010).items, ...b.items] };
  for (const item of [fewer, more]) {
    expect(namesIn(page([a, item], nextCursor))).toEqual(namesOf(partOf('b', 400, 900)));
  }
  // The last item itself was removed.
  const without = { slug: 'b', items: b.items.toSpliced(399, 1) };
  expect(namesIn(page([a, without], nextCursor))).toEqual(namesOf(partOf('b', 400, 900)));
});

test('rejects a foreign or invalid cursor', () => {
  const other = paginate(
    scene,
    'prompts/list',
    { field: 'prompts', name: 'name' },
    [partOf('a', 0, 1_001)],
    {},
  ).nextCursor;
  for (const cursor of [other, 'x', '', 5, {}]) {
    expect(() => page([partOf('a', 0, 5)], cursor)).toThrow(RpcError);
  }
  // Some clients send null for an omitted cursor.
  expect(namesIn(page([partOf('a', 0, 5)], null))).toHaveLength(5);
});
