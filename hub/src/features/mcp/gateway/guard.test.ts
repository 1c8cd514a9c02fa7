// Bounds on calls at once, and the pause of a server that keeps failing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Admission, createGuard, type Outcome } from './guard.ts';

const LIMITS = { perPerson: 2, perBackend: 3, failures: 2, pauseMs: 100 };

test('a person, and everybody together, have so many calls at once and no more', () => {
  const guard = createGuard(() => 0, LIMITS);
  const first = guard.enter('b', 'ada');
  expect(first.admitted && guard.enter('b', 'ada').admitted).toBe(true);
  expect(guard.enter('b', 'ada')).toMatchObject({ admitted: false, why: /you have/ });
  expect(guard.enter('b', 'bob').admitted).toBe(true);
  expect(guard.enter('b', 'eve')).toMatchObject({ admitted: false, why: /too many calls/ });
  expect(guard.enter('other', 'eve').admitted).toBe(true);
  if (first.admitted) first.end('ok');
  expect(guard.enter('b', 'eve').admitted).toBe(true);
});

test('a server that fails in a row is left alone for a while, and forgiven by one success', () => {
  let now = 0;
  const guard = createGuard(() => now, LIMITS);
  const attempt = (outcome: Outcome) => {
    const entered = guard.enter('b', 'ada');
    if (entered.admitted) entered.end(outcome);
    return entered.admitted;
  };
  expect([attempt('failed'), attempt('ok'), attempt('failed'), attempt('failed')]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(attempt('ok')).toBe(false);
  now = 101;
  expect([attempt('failed'), attempt('ok')]).toEqual([true, false]);
  now = 202;
  expect([attempt('ok'), attempt('failed'), attempt('ok')]).toEqual([true, true, true]);
  // Calls that were given up say nothing of the server.
  const given = [attempt('failed'), attempt('neither'), attempt('failed'), attempt('ok')];
  expect(given).toEqual([true, true, true, false]);
});

test('after the pause one call tries the server, and the others wait for what it finds', () => {
  let now = 0;
  const guard = createGuard(() => now, LIMITS);
  const enter = () => guard.enter('b', 'ada');
  const end = (one: Admission, outcome: Outcome) => one.admitted && one.end(outcome);
  for (let i = 0; i < LIMITS.failures; i++) end(enter(), 'failed');
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
  end(second, 'failed');
  expect(enter().admitted).toBe(false);
  end(third, 'ok');
  expect([enter().admitted, enter().admitted]).toEqual([true, true]);
});

test('whatever comes and goes, nothing is left behind', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.boolean())), (calls) => {
      const guard = createGuard(() => 0, { ...LIMITS, failures: 1_000 });
      const open = calls.map(([backend, person]) => guard.enter(`b${backend}`, `p${person}`));
      for (const [i, one] of open.entries()) {
        if (one.admitted) one.end(calls[i]?.[2] === true ? 'ok' : 'failed');
      }
      for (let i = 0; i < LIMITS.perPerson; i++)
        expect(guard.enter('b0', 'p0').admitted).toBe(true);
    }),
  );
});
