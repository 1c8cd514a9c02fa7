// A child process that can be terminated is not left behind.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLeftBehind } from './abandoned-workers.ts';

test('allows further terminations after an abandoned child ended', async () => {
  const leftBehind = createLeftBehind();
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const end = leftBehind.giveUp(child, 'way');
  expect([leftBehind.has('way'), leftBehind.has('other'), leftBehind.count()]).toEqual([
    ...[true, false, 1],
  ]);
  await end;
  await expect.poll(() => child.signalCode, { timeout: 30_000 }).toBe('SIGKILL');
  expect([leftBehind.has('way'), leftBehind.count()]).toEqual([false, 0]);
});
