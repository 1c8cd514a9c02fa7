// The timeout starts with the work, not with the wait for a slot; a hanging task delays only itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStallLimiter } from './stall-limiter.ts';

const never = () => new Promise<string>(() => undefined);

test('grants the full time after a long wait for a slot', async () => {
  const { answerOf } = openStallLimiter(1, 400);
  const slow = Array.from({ length: 8 }, () => answerOf(() => sleep(100, 'done')));
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['done']));
});

test('leaves other slots free beside a hanging task, and lets no task wait without a slot', async () => {
  const { answerOf } = openStallLimiter(2, 50);
  const first = answerOf(never);
  const rest = Array.from({ length: 5 }, () => answerOf(async () => 'done'));
  expect(await first).toBe('hangs');
  expect(new Set(await Promise.all(rest))).toEqual(new Set(['done']));
  const last = [never, async () => 'done'].map(answerOf);
  expect(await Promise.all(last)).toEqual(['hangs', 'hangs']);
});

test('frees the slot of a late task, and reports a failed task', async () => {
  const { answerOf } = openStallLimiter(1, 50);
  let comeBack = (_: string): void => undefined;
  const late = new Promise<string>((resolve) => {
    comeBack = resolve;
  });
  expect(await answerOf(() => late)).toBe('hangs');
  expect(await answerOf(async () => 'done')).toBe('hangs');
  comeBack('late');
  await expect.poll(() => answerOf(async () => 'done')).toBe('done');
  expect(await answerOf(() => Promise.reject(new Error('no')))).toBe('failed');
});
