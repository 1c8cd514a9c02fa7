// What is kept of answers to polls is bounded, whatever devices send.
import { expect, test } from 'vitest';
import { createQuietAnswers } from './quiet-answers.ts';
import type { Snapshot } from './snapshot.ts';

const snapshot = {} as Snapshot;
const asking = (url: string) => ({
  url,
  found: 'unknown' as const,
  subscriberId: 'a',
  pollAfter: 60,
});
const answerTo = (url: string) => ({
  ...asking(url),
  ...{ snapshot, state: 'applied', etag: '"e"', text: '{}', until: 2 },
});

test('the same is found until it has to be looked at again', () => {
  const answers = createQuietAnswers(2);
  answers.keep('a', answerTo('/delta?cursor=c'));
  expect(answers.find('a', asking('/delta?cursor=c'), snapshot, 1)?.etag).toBe('"e"');
  expect(answers.find('a', asking('/delta?cursor=d'), snapshot, 1)).toBeUndefined();
  expect(answers.find('a', asking('/delta?cursor=c'), {} as Snapshot, 1)).toBeUndefined();
  expect(answers.find('a', asking('/delta?cursor=c'), snapshot, 2)).toBeUndefined();
});

test('who was not heard for longest is forgotten', () => {
  const answers = createQuietAnswers(2);
  for (const device of ['a', 'b', 'c']) answers.keep(device, answerTo('/delta'));
  const has = (device: string) => answers.find(device, asking('/delta'), snapshot, 1) !== undefined;
  expect(['a', 'b', 'c'].map(has)).toEqual([false, true, true]);
});

test('a query that is longer than any agent sends is not kept', () => {
  const answers = createQuietAnswers(2);
  const long = `/delta?x=${'a'.repeat(4_000)}`;
  answers.keep('a', answerTo(long));
  expect(answers.find('a', asking(long), snapshot, 1)).toBeUndefined();
});
