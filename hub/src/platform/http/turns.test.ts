// Work is done in its order, a few milliseconds at a time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** A clock that each work moves on by what it takes. */
function measured(sliceMs: number) {
  let now = 0;
  const said: string[] = [];
  const turns = createTurns({ sliceMs, nowMs: () => now });
  const take = (name: string, ms: number) =>
    turns.take(() => {
      said.push(name);
      now += ms;
    });
  return { said, take };
}

test('what takes longer than a turn lets others come in between', async () => {
  const { said, take } = measured(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) take(name, 1);
  expect(said).toEqual([]);
  await nextTurn();
  expect(said).toEqual(['a', 'b']);
  take('f', 1);
  await nextTurn();
  expect(said).toEqual(['a', 'b', 'c', 'd']);
  await nextTurn();
  expect(said).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  take('g', 5);
  take('h', 5);
  await nextTurn();
  expect(said.at(-1)).toBe('g');
  await nextTurn();
  expect(said.at(-1)).toBe('h');
});

test('work that makes more is followed by it', async () => {
  const said: string[] = [];
  const turns = createTurns({ sliceMs: 2, nowMs: () => 0 });
  turns.take(() => turns.take(() => said.push('made')));
  await nextTurn();
  expect(said).toEqual(['made']);
});
