// A repeated task waits as long as requested, for any duration.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLoop } from './task-loop.ts';

test("waits longer than a timer's maximum", async () => {
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
