// Ten attempts are spread over about 75 hours, and never earlier than the target requests.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_ATTEMPTS, retryAfterSeconds, secondsToNextAttempt } from './retry-schedule.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

test('gives up after ten attempts within 75 to 84 hours', () => {
  for (const random of [0, 0.999]) {
    const waits = Array.from({ length: MAX_ATTEMPTS }, (_, i) =>
      secondsToNextAttempt(i + 1, null, random),
    );
    expect(waits.at(-1)).toBeNull();
    const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3600;
    expect(hours).toBeGreaterThan(75);
    expect(hours).toBeLessThan(84);
  }
  expect(MAX_ATTEMPTS).toBe(10);
});

test('increases each wait, and honors a requested wait up to a day', () => {
  const attempts = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 });
  const random = fc.double({ min: 0, max: 0.999, noNaN: true });
  const wished = fc.option(fc.integer({ min: 0, max: 10_000_000 }));
  fc.assert(
    fc.property(attempts, random, wished, (tried, chance, wish) => {
      const wait = secondsToNextAttempt(tried, wish, chance) ?? 0;
      expect(wait).toBeGreaterThanOrEqual(Math.min(wish ?? 0, 86_400));
      expect(wait).toBeLessThanOrEqual(86_400 * 1.1);
      if (tried > 1) {
        expect(secondsToNextAttempt(tried, null, 0)).toBeGreaterThan(
          secondsToNextAttempt(tried - 1, null, chance) ?? 0,
        );
      }
    }),
  );
});

test.each([
  [null, null],
  ['120', 120],
  [' 7 ', 7],
  ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['99999999999', null],
])('parses Retry-After: %s as %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, NOW)).toBe(seconds);
});

test('parses any header as non-negative seconds or nothing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const seconds = retryAfterSeconds(text, NOW);
      expect(seconds === null || seconds >= 0).toBe(true);
    }),
  );
});
