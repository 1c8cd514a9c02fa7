// Failures and recoveries are detected, and not reported repeatedly.
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type AlertState, levelOf, nextChange } from './failure-state.ts';

const level = levelOf({ enabled: true });
const MINUTE = 60_000;
const failing: AlertState = { isFailing: true, raisedAt: 0 };
const recovered: AlertState = { isFailing: false, raisedAt: 0 };

test.each([
  [{ requests: 20, failures: 2 }, null, 'failing'],
  [{ requests: 20, failures: 1 }, null, undefined],
  [{ requests: 19, failures: 19 }, null, undefined],
  [{ requests: 20, failures: 20 }, failing, undefined],
  [{ requests: 20, failures: 1 }, failing, 'recovered'],
  [{ requests: 0, failures: 0 }, failing, undefined],
  [{ requests: 1, failures: 0 }, failing, 'recovered'],
])('evaluates %j from %j as %s', (counts, state, to) => {
  expect(nextChange(level, counts, state, 60 * MINUTE)?.to).toBe(to);
});

it('raises nothing within the cooldown, and raises it after the cooldown', () => {
  const counts = { requests: 100, failures: 100 };
  expect(nextChange(level, counts, recovered, 10 * MINUTE - 1)).toBeNull();
  expect(nextChange(level, counts, recovered, 10 * MINUTE)).toEqual({
    to: 'failing',
    notify: true,
  });
});

it('requires a failure at a threshold of zero', () => {
  const none = levelOf({ enabled: true, failure_rate_threshold: 0, minimum_requests: 0 });
  expect(nextChange(none, { requests: 50, failures: 0 }, null, 0)).toBeNull();
  expect(nextChange(none, { requests: 50, failures: 1 }, null, 0)?.to).toBe('failing');
});

it('reports at most once within each cooldown, for any history', () => {
  const minute = fc.record({
    requests: fc.nat(60),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(minute, { maxLength: 120 }), (minutes) => {
      let state: AlertState | null = null;
      const raised: number[] = [];
      minutes.forEach(({ requests, share }, i) => {
        const counts = { requests, failures: Math.floor(requests * share) };
        const change = nextChange(level, counts, state, i * MINUTE);
        if (change?.to === 'failing') {
          raised.push(i);
          state = { isFailing: true, raisedAt: i * MINUTE };
        } else if (change?.to === 'recovered' && state !== null) {
          state = { isFailing: false, raisedAt: (state as AlertState).raisedAt };
        }
      });
      for (const [i, at] of raised.entries()) {
        if (i > 0) expect(at - (raised[i - 1] ?? 0)).toBeGreaterThanOrEqual(level.cooldown_minutes);
      }
    }),
  );
});
