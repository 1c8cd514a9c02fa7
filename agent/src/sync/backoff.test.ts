// The retry policy decides about repetition, and bounds the wait.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backoffMs,
  HubRefused,
  HubUnreachable,
  healsWithContact,
  isWorthRetrying,
  MAX_BACKOFF_MS,
  parseRetryAfter,
} from './backoff.ts';

test("waits between the hub's Retry-After and fifteen minutes", () => {
  const seconds = fc.option(fc.integer({ min: 0, max: 100_000 }));
  fc.assert(
    fc.property(fc.nat(200), seconds, fc.double({ min: 0, max: 0.999, noNaN: true }), (n, s, r) => {
      const asked = s === null ? null : s * 1000;
      const ms = backoffMs(n, asked, () => r);
      expect(ms).toBeGreaterThanOrEqual(Math.min(asked ?? 0, MAX_BACKOFF_MS));
      expect(ms).toBeLessThanOrEqual(MAX_BACKOFF_MS);
      if (asked === null) expect(ms).toBeLessThanOrEqual(1000 * 2 ** n);
    }),
  );
});

test.each([
  [408, true],
  [425, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [403, false],
  [409, false],
  [413, false],
])('classifies %i as retryable: %s', (status, expected) => {
  expect(isWorthRetrying(new HubRefused(status, 'c', 'm', null))).toBe(expected);
});

test('retries undelivered requests, and no error of the agent itself', () => {
  expect(isWorthRetrying(new HubUnreachable('reset'))).toBe(true);
  expect(isWorthRetrying(new TypeError('ours'))).toBe(false);
});

test('ends the backoff of failed requests when the hub recovers, not a requested wait', () => {
  const refused = (status: number, retryAfterMs: number | null) =>
    new HubRefused(status, 'c', 'm', retryAfterMs);
  const heals = (error: unknown, recoveredAtMs: number, nowMs: number) =>
    healsWithContact(error, 1000, { recoveredAtMs, nowMs });
  expect(heals(new HubUnreachable('reset'), 0, 2000)).toBe(true);
  expect(heals(refused(403, null), 0, 2000)).toBe(true);
  // The hub answers other endpoints all the time: the error concerns this endpoint.
  expect(heals(refused(503, null), 900, 9000)).toBe(false);
  expect(heals(refused(503, null), 2000, 2000)).toBe(true);
  expect(heals(refused(429, 5000), 2000, 2000)).toBe(false);
  expect(heals(refused(429, 5000), 2000, 6000)).toBe(true);
  expect(heals(refused(409, null), 2000, 6000)).toBe(false);
});

test('parses Retry-After in seconds and as a date', () => {
  expect(parseRetryAfter('7', 0)).toBe(7000);
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 4000)).toBe(5000);
  expect(parseRetryAfter('soon', 0)).toBeNull();
});
