// Concurrent calls are limited, and a failing server is paused by a circuit breaker.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Admission, createCircuitBreaker, type Outcome } from './circuit-breaker.ts';

const LIMITS = { perUser: 2, perBackend: 3, failures: 2, windowMs: 1_000, pauseMs: 100 };

test('limits concurrent calls per user and in total', () => {
  const guard = createCircuitBreaker(() => 0, LIMITS);
  const first = guard.admit('b', 'ada');
  expect(first.admitted && guard.admit('b', 'ada').admitted).toBe(true);
  expect(guard.admit('b', 'ada')).toMatchObject({ admitted: false, why: /you have/ });
  expect(guard.admit('b', 'bob').admitted).toBe(true);
  expect(guard.admit('b', 'eve')).toMatchObject({ admitted: false, why: /too many calls/ });
  expect(guard.admit('other', 'eve').admitted).toBe(true);
  if (first.admitted) first.end('reached');
  expect(guard.admit('b', 'eve').admitted).toBe(true);
});

test('opens the circuit after consecutive failures, and closes it after a call that reaches the server', () => {
  let now = 0;
  const guard = createCircuitBreaker(() => now, LIMITS);
  const attempt = (outcome: Outcome) => {
    const entered = guard.admit('b', 'ada');
    if (entered.admitted) entered.end(outcome);
    return entered.admitted;
  };
  expect([
    attempt('unreachable'),
    attempt('reached'),
    attempt('unreachable'),
    attempt('unreachable'),
  ]).toEqual([true, true, true, true]);
  expect(attempt('reached')).toBe(false);
  now = 101;
  expect([attempt('unreachable'), attempt('reached')]).toEqual([true, false]);
  now = 202;
  expect([attempt('reached'), attempt('unreachable'), attempt('reached')]).toEqual([
    true,
    true,
    true,
  ]);
  // Aborted calls are inconclusive.
  const given = [
    attempt('unreachable'),
    attempt('neither'),
    attempt('unreachable'),
    attempt('reached'),
  ];
  expect(given).toEqual([true, true, true, false]);
});

test('forgets failures that are older than the window', () => {
  let now = 0;
  const guard = createCircuitBreaker(() => now, LIMITS);
  const failAt = (at: number) => {
    now = at;
    const entered = guard.admit('b', 'ada');
    if (entered.admitted) entered.end('unreachable');
    return entered.admitted;
  };
  expect([failAt(0), failAt(1_001), failAt(2_002), failAt(2_003), failAt(2_004)]).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('probes the server with a single call after the pause, and rejects others meanwhile', () => {
  let now = 0;
  const guard = createCircuitBreaker(() => now, LIMITS);
  const enter = () => guard.admit('b', 'ada');
  const end = (admission: Admission, outcome: Outcome) =>
    admission.admitted && admission.end(outcome);
  for (let i = 0; i < LIMITS.failures; i++) end(enter(), 'unreachable');
  now = 101;
  const first = enter();
  expect([first.admitted, enter().admitted]).toEqual([true, false]);
  // An inconclusive probe allows the next probe.
  end(first, 'neither');
  const second = enter();
  expect([second.admitted, enter().admitted]).toEqual([true, false]);
  // A probe that hangs blocks the next probe for a pause at most.
  now = 202;
  const third = enter();
  expect(third.admitted).toBe(true);
  end(second, 'unreachable');
  expect(enter().admitted).toBe(false);
  end(third, 'reached');
  expect([enter().admitted, enter().admitted]).toEqual([true, true]);
});

test('leaves nothing behind after any sequence of calls', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.boolean())), (calls) => {
      const guard = createCircuitBreaker(() => 0, { ...LIMITS, failures: 1_000 });
      const open = calls.map(([backend, person]) => guard.admit(`b${backend}`, `p${person}`));
      for (const [i, value] of open.entries()) {
        if (value.admitted) value.end(calls[i]?.[2] === true ? 'reached' : 'unreachable');
      }
      for (let i = 0; i < LIMITS.perUser; i++) expect(guard.admit('b0', 'p0').admitted).toBe(true);
    }),
  );
});
