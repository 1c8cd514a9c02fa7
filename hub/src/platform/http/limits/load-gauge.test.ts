import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_POLL_INTERVAL_SECONDS, pollIntervalSeconds } from './load-gauge.ts';

test('advises longer poll intervals as the process gets busier, and never shorter ones', () => {
  const loads = [0, 0.59, 0.6, 0.95, 1];
  expect(loads.map((load) => pollIntervalSeconds(load, MAX_POLL_INTERVAL_SECONDS))).toEqual([
    1, 1, 60, 300, 300,
  ]);
  expect(loads.map((load) => pollIntervalSeconds(load, 90))).toEqual([1, 1, 60, 90, 90]);
  expect(loads.map((load) => pollIntervalSeconds(load, 1))).toEqual([1, 1, 1, 1, 1]);
  const pairs = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(pairs, ([a, b]) => {
      expect(pollIntervalSeconds(Math.max(a, b), MAX_POLL_INTERVAL_SECONDS)).toBeGreaterThanOrEqual(
        pollIntervalSeconds(Math.min(a, b), MAX_POLL_INTERVAL_SECONDS),
      );
    }),
  );
});
