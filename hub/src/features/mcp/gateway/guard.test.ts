// Concurrent calls are limited, and a failing server is paused by a circuit breaker.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Admission, createGuard, type Outcome } from './guard.ts';

const LIMITS = { perPerson: 2, perBackend: 3, failures: 2, windowMs: 1_000, pauseMs: 100 };

test('limits concurrent calls per user and in total', () => {
  const guard = createGuard(() => 0, LIMITS);
  const first = guard.enter('b', 'ada');
  expect(first.admitted && guard.enter('b', 'ada').admitted).toBe(true);
  expect(guard.enter('b', 'ada')).toMatchObject({ admitted: false, why: /you have/ });
  expect(guard.enter('b', 'bob').admitted).toBe(true);
  expect(guard.enter('b', 'eve')).toMatchObject({ admitted: false, why: /too many calls/ });
  expect(guard.enter('other', 'eve').admitted).toBe(true);
  if (first.admitted) first.end('reached');
  expect(guard.enter('b', 'eve').admitted).toBe(true);
});

test('opens the circuit after consecutive failures, and closes it after a call that reaches the server', () => {
  let now = 0;
  const guard = createGuard(() => now, LIMITS);
  const attempt = (outcome: Outcome) => {
    const entered = guard.enter('b', 'ada');
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
  // Calls that were given up say nothing of the server.
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
  const guard = createGuard(() => now, LIMITS);
  const failAt = (at: number) => {
    now = at;
    const entered = guard.enter('b', 'ada');
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
  const guard = createGuard(() => now, LIMITS);
  const enter = () => guard.enter('b', 'ada');
  const end = (one: Admission, outcome: Outcome) => one.admitted && one.end(outcome);
  for (let i = 0; i < LIMITS.failures; i++) end(enter(), 'unreachable');
  now = 101;
  const first = enter();
  expect([first.admitted, enter().admitted]).toEqual([true, false]);
  // Whoever tried gave it up: the next may.
  end(first, 'neither');
  const second = enter();
  expect([second.admitted, enter().admitted]).toEqual([true, false]);
  // One that hangs keeps nobody out for longer than a pause.
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
      const guard = createGuard(() => 0, { ...LIMITS, failures: 1_000 });
      const open = calls.map(([backend, person]) => guard.enter(`b${backend}`, `p${person}`));
      for (const [i, one] of open.entries()) {
        if (one.admitted) one.end(calls[i]?.[2] === true ? 'reached' : 'unreachable');
      }
      for (let i = 0; i < LIMITS.perPerson; i++)
        expect(guard.enter('b0', 'p0').admitted).toBe(true);
    }),
  );
});
