// A task that runs again and again waits as long as it is told, however long that is.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLoop } from './schedule.ts';

test('a pause longer than a timer can count is a long one, not none', async () => {
  let runs = 0;
  const loop = startLoop(async () => void runs++, {
    firstMs: 0,
    // A hub that asks for seven weeks.
    nextMs: () => 4_233_600_000,
    failed: () => undefined,
  });
  await expect.poll(() => runs).toBe(1);
  await wait(200);
  expect(runs).toBe(1);
  loop.wake();
  await expect.poll(() => runs).toBe(2);
  await loop.stop();
});
