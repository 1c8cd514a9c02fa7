// A repeated task waits as long as requested, for any duration.
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLoop } from './schedule.ts';

const SEVEN_WEEKS_MS = 4_233_600_000;
/** The longest wait of a timer: the loop runs the task then, earlier than requested. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

test("waits longer than a timer's maximum", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const loop = startLoop(async () => void runs++, {
    firstMs: 0,
    nextMs: () => SEVEN_WEEKS_MS,
    failed: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(LONGEST_TIMER_MS - 1);
  expect(runs).toBe(1);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(2);
  await loop.stop();
});
