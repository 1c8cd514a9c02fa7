import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { HubRefused, HubUnreachable, RequestDeferredError, waitAfter } from './backoff.ts';
import { createHubCircuitBreaker } from './hub-circuit-breaker.ts';

const away = new HubRefused(503, 'unavailable', 'not now', null);

function timed(chance = 0.5) {
  const timing = { now: 0, monotonicMs: () => timing.now, random: () => chance };
  return { timing, trouble: createHubCircuitBreaker(timing) };
}

it('delays all requests after a failure, with the reason', () => {
  const { timing, trouble } = timed();
  trouble.enter('alerts').recordFailure(away);
  expect(() => trouble.enter('alerts')).toThrow(away.message);
  timing.now = 500;
  trouble.enter('alerts').recordSuccess();
  timing.now = 501;
  trouble.enter('alerts');
});

it('waits the rest of a shared delay without a separate backoff', () => {
  const { timing, trouble } = timed();
  const deferral = () => {
    try {
      return trouble.enter('alerts');
    } catch (error) {
      return error;
    }
  };
  trouble.enter('alerts').recordFailure(new HubRefused(503, 'unavailable', 'wait', 20_000));
  timing.now = 5_000;
  expect(waitAfter(deferral(), 20)).toBe(15_000);
  timing.now = 20_000;
  const first = trouble.enter('alerts');
  // The duration of that request is unknown.
  expect(waitAfter(deferral(), 20)).toBe(5_000);
  first.recordSuccess();
  expect(deferral()).not.toBeInstanceOf(Error);
});

it('keeps other kinds of requests running, which probe for the failed kind', () => {
  const { timing, trouble } = timed();
  trouble.enter('alerts').recordFailure(away);
  const poll = trouble.enter('delta');
  poll.recordSuccess();
  trouble.enter('alerts').recordFailure(away);
  // An endpoint that fails itself waits with the others.
  trouble.enter('delta').recordFailure(away);
  expect(() => trouble.enter('delta')).toThrow(away.message);
  timing.now = 1_000;
  trouble.enter('delta');
});

it('honors a requested wait', () => {
  const { timing, trouble } = timed();
  trouble.enter('alerts').recordFailure(new HubRefused(429, 'too_many_requests', 'wait', 20_000));
  timing.now = 19_999;
  expect(() => trouble.enter('alerts')).toThrow('wait');
  timing.now = 20_000;
  trouble.enter('alerts');
});

it('probes with a single request, and counts simultaneous failures once', () => {
  const { timing, trouble } = timed();
  const together = [trouble.enter('alerts'), trouble.enter('alerts'), trouble.enter('alerts')];
  timing.now = 10;
  for (const request of together) request.recordFailure(new HubUnreachable('gone'));
  // The first wait: half a second from the failure on.
  timing.now = 510;
  const first = trouble.enter('alerts');
  expect(() => trouble.enter('alerts')).toThrow('gone');
  first.recordSuccess();
  trouble.enter('alerts');
});

it('counts a permanent rejection as a reachable hub, and ignores rejected tokens', () => {
  const { timing, trouble } = timed();
  trouble.enter('alerts').recordFailure(away);
  timing.now = 500;
  trouble.enter('alerts').recordFailure(new HubRefused(401, 'invalid_agent_token', 'no', null));
  trouble.enter('alerts').recordFailure(away);
  expect(() => trouble.enter('alerts')).toThrow(away.message);
  timing.now = 2_000;
  trouble.enter('alerts').recordFailure(new HubRefused(400, 'invalid_request', 'no', null));
  trouble.enter('alerts').recordFailure(away);
  // Counted anew: half a second.
  timing.now = 2_500;
  trouble.enter('alerts');
});

it('allows a manual attempt at once', () => {
  const { trouble } = timed();
  trouble.enter('alerts').recordFailure(away);
  trouble.forget();
  trouble.enter('alerts');
});

it('sends a dozen requests at most to a hub that is away for ten minutes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 20, maxLength: 20 }),
      (chances) => {
        let thrown = 0;
        const timing = {
          now: 0,
          monotonicMs: () => timing.now,
          random: () => chances[thrown++ % 20] ?? 0,
        };
        const trouble = createHubCircuitBreaker(timing);
        let asked = 0;
        for (; timing.now <= 600_000; timing.now += 50) {
          try {
            const request = trouble.enter('alerts');
            asked++;
            request.recordFailure(away);
          } catch (error) {
            if (!(error instanceof RequestDeferredError)) throw error;
          }
        }
        expect(asked).toBeLessThanOrEqual(12);
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});
