// The cache of poll responses is bounded for any requests of devices.
import { expect, test } from 'vitest';
import type { Snapshot } from './snapshot.ts';
import { createUnchangedResponseCache } from './unchanged-responses.ts';

const snapshot = {} as Snapshot;
const asking = (url: string) => ({
  url,
  device: 'unknown' as const,
  subscriberId: 'a',
  pollAfter: 60,
});
const answerTo = (url: string) => ({
  ...asking(url),
  ...{ snapshot, state: 'applied', etag: '"e"', text: '{}', until: 2 },
});

test('returns a cached response until it expires', () => {
  const answers = createUnchangedResponseCache(2);
  answers.store('a', answerTo('/delta?cursor=c'));
  expect(answers.find('a', asking('/delta?cursor=c'), snapshot, 1)?.etag).toBe('"e"');
  expect(answers.find('a', asking('/delta?cursor=d'), snapshot, 1)).toBeUndefined();
  expect(answers.find('a', asking('/delta?cursor=c'), {} as Snapshot, 1)).toBeUndefined();
  expect(answers.find('a', asking('/delta?cursor=c'), snapshot, 2)).toBeUndefined();
});

test('evicts the least recently used device', () => {
  const answers = createUnchangedResponseCache(2);
  for (const device of ['a', 'b', 'c']) answers.store(device, answerTo('/delta'));
  const has = (device: string) => answers.find(device, asking('/delta'), snapshot, 1) !== undefined;
  expect(['a', 'b', 'c'].map(has)).toEqual([false, true, true]);
});

test("does not cache a query that is longer than any agent's", () => {
  const answers = createUnchangedResponseCache(2);
  const long = `/delta?x=${'a'.repeat(4_000)}`;
  answers.store('a', answerTo(long));
  expect(answers.find('a', asking(long), snapshot, 1)).toBeUndefined();
});
