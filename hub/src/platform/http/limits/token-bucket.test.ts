import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HubError } from '../errors/errors.ts';
import { createRateLimiter } from './token-bucket.ts';

const refusal = (work: () => void): HubError | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
};

const seconds = (refused: HubError | null | undefined): number => refused?.retryAfterSeconds ?? 0;

test('allows a burst, then the rate, and returns the wait', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ perSecond: 2, burst: 3 }, { max: 10, nowMs: () => nowMs });
  for (let i = 0; i < 3; i++) expect(refusal(() => limiter.consume('a'))).toBeNull();
  expect(refusal(() => limiter.consume('a'))).toMatchObject({
    code: 'too_many_requests',
    retryAfterSeconds: 1,
  });
  expect(refusal(() => limiter.consume('b'))).toBeNull();
  nowMs += 500;
  expect(refusal(() => limiter.consume('a'))).toBeNull();
  expect(refusal(() => limiter.consume('a'))).not.toBeNull();
});

test('admits every device of a shared token once at its assigned time', () => {
  let nowMs = 0;
  const options = { max: 10, nowMs: () => nowMs, isShared: true };
  const limiter = createRateLimiter({ perSecond: 5, burst: 5 }, options);
  const due = Array.from({ length: 300 }, () => 0);
  const refusals = due.map(() => 0);
  for (; due.some((at) => at < Number.POSITIVE_INFINITY); nowMs += 200) {
    due.forEach((at, i) => {
      if (at > nowMs) return;
      const refused = refusal(() => limiter.consume('fleet'));
      due[i] = refused === null ? Number.POSITIVE_INFINITY : nowMs + seconds(refused) * 1000;
      if (refused !== null) refusals[i] = (refusals[i] ?? 0) + 1;
    });
  }
  // 300 devices at 5 per second take a minute. With the same retry time for all, most would have retried sixty times.
  expect(nowMs).toBeLessThan(63_000);
  expect(Math.max(...refusals)).toBeLessThanOrEqual(3);
});

test('delays no device of a fleet by more than a minute', () => {
  const shared = createRateLimiter(
    { perSecond: 0.5, burst: 1 },
    { max: 10, nowMs: () => 0, isShared: true },
  );
  shared.consume('fleet');
  const refusals = Array.from({ length: 100 }, () => refusal(() => shared.consume('fleet')));
  expect(seconds(refusals[0] ?? null)).toBe(2);
  expect(Math.max(...refusals.map(seconds))).toBeLessThanOrEqual(60);
});

test('admits no more than burst and rate at any distribution', () => {
  const gapLists = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(gapLists, (gaps) => {
      let nowMs = 0;
      let admitted = 0;
      const limiter = createRateLimiter(
        { perSecond: 5, burst: 10 },
        { max: 10, nowMs: () => nowMs },
      );
      for (const gap of gaps) {
        nowMs += gap;
        if (refusal(() => limiter.consume('a')) === null) admitted++;
      }
      expect(admitted).toBeLessThanOrEqual(10 + Math.ceil((nowMs / 1000) * 5));
    }),
  );
});

test('bounds the number of cached clients', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, { max: 2, nowMs: () => 0 });
  for (const client of ['a', 'b', 'c']) limiter.consume(client);
  // The evicted client starts with a full bucket.
  expect(refusal(() => limiter.consume('a'))).toBeNull();
  expect(refusal(() => limiter.consume('c'))).not.toBeNull();
});
