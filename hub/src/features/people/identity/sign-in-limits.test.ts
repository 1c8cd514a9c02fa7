import { expect, test } from 'vitest';
import { createSignInLimiter, type SignInAttempt } from './sign-in-limits.ts';

function aLimiter() {
  let now = 0;
  const limiter = createSignInLimiter(() => now);
  const isAdmitted = (attempt: Partial<SignInAttempt>): boolean => {
    try {
      limiter.count({ source: '192.0.2.1', account: 'ada@example.com', browser: null, ...attempt });
      return true;
    } catch {
      return false;
    }
  };
  const admitted = (attempts: Partial<SignInAttempt>[]) => attempts.filter(isAdmitted).length;
  return { limiter, admitted, isAdmitted, later: (ms: number) => (now += ms) };
}

const times = (count: number, attempt: (i: number) => Partial<SignInAttempt>) =>
  Array.from({ length: count }, (_, i) => attempt(i));

test('admits ten failures a minute with an account from a source', () => {
  const { admitted, later } = aLimiter();
  expect(admitted(times(20, () => ({})))).toBe(10);
  later(60_000);
  expect(admitted(times(20, () => ({})))).toBe(10);
});

test('keeps the owner signed in from another source after an attack on the account', () => {
  const { admitted, isAdmitted } = aLimiter();
  admitted(times(20, () => ({ source: '198.51.100.9' })));
  expect(isAdmitted({ source: '192.0.2.1' })).toBe(true);
});

test('limits attempts with an account from many sources together', () => {
  const { admitted } = aLimiter();
  expect(admitted(times(100, (i) => ({ source: `198.51.100.${i}` })))).toBe(30);
});

test('gives a known browser a budget that nobody else uses up', () => {
  const { admitted } = aLimiter();
  admitted(times(100, (i) => ({ source: `198.51.100.${i}` })));
  admitted(times(20, () => ({})));
  expect(admitted(times(20, () => ({ browser: 'b' })))).toBe(10);
});

test('limits attempts from a source with many accounts', () => {
  const { admitted } = aLimiter();
  expect(admitted(times(1_500, (i) => ({ account: `${i}@example.com` })))).toBe(60);
});

test('does not count successful sign-ins', () => {
  const { limiter, isAdmitted } = aLimiter();
  for (let i = 0; i < 100; i++) {
    limiter.count({ source: '192.0.2.1', account: 'ada@example.com', browser: null })();
  }
  expect(isAdmitted({})).toBe(true);
});
