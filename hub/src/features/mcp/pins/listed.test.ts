import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOfList, listedTools } from './listed.ts';

const definition = (tool: string, description = '') => ({
  tool,
  definition: { name: tool, description },
  digest: createHash('sha256').update(`${tool} ${description}`).digest(),
});
const pin = (tool: string, description = '') => {
  const { digest, definition: pinned } = definition(tool, description);
  return { tool, pinned_digest: digest, pinned, seen_digest: null, seen: null, seen_at: null };
};

test('each tool says whether it is as approved, changed, new or gone', () => {
  const listed = listedTools(
    [definition('same'), definition('other', 'now'), definition('fresh')],
    [pin('same'), pin('other', 'then'), pin('old')],
  );
  expect(listed.map((one) => [one.name, one.state])).toEqual([
    ['fresh', 'new'],
    ['old', 'gone'],
    ['other', 'changed'],
    ['same', 'pinned'],
  ]);
});

test('a tool that was only noticed, and never approved, is new', () => {
  const noticed = { ...pin('seen'), pinned: null, pinned_digest: null };
  expect(listedTools([definition('seen')], [noticed])).toMatchObject([{ state: 'new' }]);
  expect(listedTools([], [noticed])).toEqual([]);
});

test('the digest is of the words and not of their order', () => {
  const [a, b] = [definition('a'), definition('b')];
  expect(digestOfList([a, b])).toBe(digestOfList([b, a]));
  expect(digestOfList([a, b])).not.toBe(digestOfList([a, definition('b', 'and more')]));
  expect(digestOfList([a])).not.toBe(digestOfList([]));
});
