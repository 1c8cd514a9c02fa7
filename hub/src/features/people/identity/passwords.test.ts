// Passwords: stored so that they cannot be read, recognised however they were typed.
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('the password is recognised, any other is not', async () => {
  const stored = await hashPassword('Crème brûlée 7');
  expect(await verifyPassword('Crème brûlée 7', stored)).toBe(true);
  expect(await verifyPassword('crème brûlée 7', stored)).toBe(false);
  expect(await verifyPassword('', stored)).toBe(false);
});

test('the way an accent is typed makes no difference', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test('the same password is stored differently each time, and never readable', async () => {
  const [first, second] = await Promise.all([hashPassword('hunter2'), hashPassword('hunter2')]);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
});

test.each([null, '', 'scrypt$', 'scrypt$AAAA$', 'plain', 'scrypt$$$'])(
  'nothing opens an account whose stored password is %j',
  async (stored) => {
    expect(await verifyPassword('', stored)).toBe(false);
    expect(await verifyPassword('hunter2', stored)).toBe(false);
  },
);
