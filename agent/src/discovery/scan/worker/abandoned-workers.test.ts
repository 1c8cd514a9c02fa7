// A child process that can be terminated is not left behind.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createAbandonedWorkers } from './abandoned-workers.ts';

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
