// Tasks run in order, a few milliseconds at a time.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCooperativeScheduler } from './turns.ts';

/** A clock that each work moves on by what it takes. */
function measured(sliceMs: number) {
  let now = 0;
  const said: string[] = [];
  const turns = createCooperativeScheduler({ sliceMs, nowMs: () => now });
  const take = (name: string, ms: number) =>
    turns.schedule(() => {
      said.push(name);
      now += ms;
    });
  return { said, take };
}

test('yields to other work after a time slice', async () => {
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

test('runs added tasks after the current task', async () => {
  const said: string[] = [];
  const turns = createCooperativeScheduler({ sliceMs: 2, nowMs: () => 0 });
  turns.schedule(() => turns.schedule(() => said.push('made')));
  await nextTurn();
  expect(said).toEqual(['made']);
});

/** In a program of its own: it looks what is still in memory, and lets an error come to the top. */
const PROGRAM = `
const { createTurns } = await import(process.env.TURNS);
const turns = createTurns({ sliceMs: 0, nowMs: () => 0 });
const bodies = [];
const more = () => {
  const body = { bytes: Buffer.alloc(1_000) };
  bodies.push(new WeakRef(body));
  turns.take(() => body.bytes.length);
};
more();
more();
// There is always one that waits.
for (let i = 0; i < 3_000; i++) {
  more();
  await new Promise((resolve) => setImmediate(resolve));
}
gc();
const errors = [];
process.on('uncaughtException', (error) => errors.push(error.message));
turns.take(() => { throw new Error('broken'); });
const after = await new Promise((resolve) => turns.take(() => resolve('came')));
const kept = bodies.filter((one) => one.deref() !== undefined).length;
process.stdout.write(JSON.stringify({ kept, errors, after }));
`;

test('releases finished tasks while more arrive, and isolates an error', () => {
  const answer = execFileSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8', env: { ...process.env, TURNS: join(import.meta.dirname, 'turns.ts') } },
  );
  const { kept, errors, after } = JSON.parse(answer) as Record<string, unknown>;
  expect([errors, after]).toEqual([['broken'], 'came']);
  expect(kept).toBeLessThan(100);
});
