// A worker process is ended by its watchdog, and is not left behind where it can be ended.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createAbandonedWorkers, runKillable, type WorkerCall } from './killable-worker.ts';

test('allows further terminations after an abandoned child ended', async () => {
  const abandoned = createAbandonedWorkers();
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const end = abandoned.abandon(child, 'way');
  expect([abandoned.has('way'), abandoned.has('other'), abandoned.count()]).toEqual([
    ...[true, false, 1],
  ]);
  await end;
  await expect.poll(() => child.signalCode, { timeout: 30_000 }).toBe('SIGKILL');
  expect([abandoned.has('way'), abandoned.count()]).toEqual([false, 0]);
});

const run = (script: string, call: Partial<WorkerCall> = {}) =>
  runKillable('sh', ['-c', script], {
    env: { PATH: process.env.PATH },
    timeoutMs: 30_000,
    maxOutput: 100,
    ...call,
  });

test('returns the output and the exit code of a program', async () => {
  expect(await run('cat; exit 3', { input: 'gr\u00fcn' })).toEqual({
    output: 'gr\u00fcn',
    code: 3,
  });
});

test('returns a complete answer of a program that does not end', async () => {
  const isComplete = (output: string) => output.endsWith('\n');
  expect(await run('echo done; exec sleep 600', { isComplete })).toMatchObject({
    output: 'done\n',
  });
});

test.each([
  ['does not end in time', () => run('exec sleep 600', { timeoutMs: 50 })],
  ['writes too much', () => run('yes')],
  ['is killed', () => run('kill -9 $$')],
  ['is missing', () => runKillable('/missing', [], { env: {}, timeoutMs: 30_000, maxOutput: 1 })],
])('returns null for a program that %s', async (_, call) => {
  expect(await call()).toBeNull();
});
