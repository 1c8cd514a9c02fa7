import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOfList, listedTools } from './tool-definitions.ts';

const definition = (tool: string, description = '') => ({
  kind: 'tool' as const,
  tool,
  definition: { name: tool, description },
  digest: createHash('sha256').update(`${tool} ${description}`).digest(),
});
const pin = (tool: string, description = '') => {
  const { digest, definition: pinned } = definition(tool, description);
  return {
    kind: 'tool' as const,
    tool,
    pinned_digest: digest,
    pinned,
    seen_digest: null,
    seen: null,
    seen_at: null,
  };
};

test('marks each tool as approved, changed, new or removed', () => {
  const listed = listedTools(
    'r',
    [definition('same'), definition('other', 'now'), definition('fresh')],
    [pin('same'), pin('other', 'then'), pin('old')],
  );
  expect(listed.map((item) => [item.name, item.state])).toEqual([
    ['fresh', 'new'],
    ['old', 'gone'],
    ['other', 'changed'],
    ['same', 'pinned'],
  ]);
});

test('marks a tool that was listed but never approved as new', () => {
  const noticed = { ...pin('seen'), pinned: null, pinned_digest: null };
  expect(listedTools('r', [definition('seen')], [noticed])).toMatchObject([{ state: 'new' }]);
  expect(listedTools('r', [], [noticed])).toEqual([]);
});

test('computes the digest independently of member order', () => {
  const [a, b] = [definition('a'), definition('b')];
  expect(digestOfList([a, b])).toBe(digestOfList([b, a]));
  expect(digestOfList([a, b])).not.toBe(digestOfList([a, definition('b', 'and more')]));
  expect(digestOfList([a])).not.toBe(digestOfList([]));
});

test('shows instructions before tools, also with a tool of the same name', () => {
  const instructions = {
    ...definition('instructions', 'Use a before b.'),
    kind: 'instructions',
  } as const;
  const listed = listedTools('r', [definition('a'), definition('instructions'), instructions], []);
  expect(listed.map((item) => [item.kind, item.name, item.state])).toEqual([
    ['instructions', 'instructions', 'new'],
    ['tool', 'a', 'new'],
    ['tool', 'instructions', 'new'],
  ]);
});

test('shows the mapped name of a tool with an invalid name', () => {
  const [odd, plain] = listedTools('r', [definition('has space'), definition('plain')], []);
  expect([odd?.exposed_name, plain?.exposed_name]).toEqual([
    expect.stringMatching(/^r__has_space__h/),
    null,
  ]);
});
