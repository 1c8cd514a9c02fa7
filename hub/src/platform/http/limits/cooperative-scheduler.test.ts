// Tasks run in order, a few milliseconds at a time.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCooperativeScheduler } from './cooperative-scheduler.ts';

/** Returns a scheduler whose clock advances by the duration of each task. */
function setUpScheduler(sliceMs: number) {
  let now = 0;
  const ran: string[] = [];
  const scheduler = createCooperativeScheduler({ sliceMs, nowMs: () => now });
  const schedule = (name: string, ms: number) =>
    scheduler.schedule(() => {
      ran.push(name);
      now += ms;
    });
  return { ran, schedule };
}

test('yields to other work after a time slice', async () => {
  const { ran, schedule } = setUpScheduler(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) schedule(name, 1);
  expect(ran).toEqual([]);
  await nextIteration();
  expect(ran).toEqual(['a', 'b']);
  schedule('f', 1);
  await nextIteration();
  expect(ran).toEqual(['a', 'b', 'c', 'd']);
  await nextIteration();
  expect(ran).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  schedule('g', 5);
  schedule('h', 5);
  await nextIteration();
  expect(ran.at(-1)).toBe('g');
  await nextIteration();
  expect(ran.at(-1)).toBe('h');
});

test('runs added tasks after the current task', async () => {
  const ran: string[] = [];
  const scheduler = createCooperativeScheduler({ sliceMs: 2, nowMs: () => 0 });
  scheduler.schedule(() => scheduler.schedule(() => ran.push('inner')));
  await nextIteration();
  expect(ran).toEqual(['inner']);
});

/** Runs in its own process, which inspects memory and lets an error become uncaught. */
const PROGRAM = `
const { createCooperativeScheduler } = await import(process.env.SCHEDULER);
const scheduler = createCooperativeScheduler({ sliceMs: 0, nowMs: () => 0 });
const bodies = [];
const addTask = () => {
  const body = { bytes: Buffer.alloc(1_000) };
  bodies.push(new WeakRef(body));
  scheduler.schedule(() => body.bytes.length);
};
addTask();
addTask();
// The queue is never empty.
for (let i = 0; i < 3_000; i++) {
  addTask();
  await new Promise((resolve) => setImmediate(resolve));
}
gc();
const errors = [];
process.on('uncaughtException', (error) => errors.push(error.message));
scheduler.schedule(() => { throw new Error('broken'); });
const after = await new Promise((resolve) => scheduler.schedule(() => resolve('ran')));
const retained = bodies.filter((body) => body.deref() !== undefined).length;
process.stdout.write(JSON.stringify({ retained, errors, after }));
`;

test('releases finished tasks while more arrive, and isolates an error', () => {
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', PROGRAM],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        SCHEDULER: join(import.meta.dirname, 'cooperative-scheduler.ts'),
      },
    },
  );
  const { retained, errors, after } = JSON.parse(output) as Record<string, unknown>;
  expect([errors, after]).toEqual([['broken'], 'ran']);
  expect(retained).toBeLessThan(100);
});
