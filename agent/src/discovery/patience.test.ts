// Patience is with the work, not with its turn; and what hangs keeps only itself waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPatience } from './patience.ts';

const never = () => new Promise<string>(() => undefined);

test('who waited long for a turn still has all its time', async () => {
  const { answerOf } = openPatience(1, 400);
  const slow = Array.from({ length: 8 }, () => answerOf(() => sleep(100, 'done')));
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['done']));
});

test('one that hangs leaves the other places to the rest, and with none left nobody waits', async () => {
  const { answerOf } = openPatience(2, 50);
  const first = answerOf(never);
  const rest = Array.from({ length: 5 }, () => answerOf(async () => 'done'));
  expect(await first).toBe('hangs');
  expect(new Set(await Promise.all(rest))).toEqual(new Set(['done']));
  const last = [never, async () => 'done'].map(answerOf);
  expect(await Promise.all(last)).toEqual(['hangs', 'hangs']);
});

test('what comes back late makes room again, and what fails is told as such', async () => {
  const { answerOf } = openPatience(1, 50);
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
