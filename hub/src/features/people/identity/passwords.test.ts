// Passwords are stored unreadably and recognized in any Unicode form.
import { expect, test } from 'vitest';
import { createPasswordVerifier, hashPassword } from './passwords.ts';

const verifier = createPasswordVerifier();
const verifyPassword = (password: string, stored: string | null) =>
  verifier.verify({ password, stored, isKnownBrowser: false }, new AbortController().signal);

test('recognizes the password and no other', async () => {
  const stored = await hashPassword('Crème brûlée 7');
  expect(await verifyPassword('Crème brûlée 7', stored)).toBe(true);
  expect(await verifyPassword('crème brûlée 7', stored)).toBe(false);
  expect(await verifyPassword('', stored)).toBe(false);
});

test('ignores the Unicode form of an accent', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test('hashes the same password differently each time', async () => {
  const [first, second] = await Promise.all([hashPassword('hunter2'), hashPassword('hunter2')]);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
});

test.each([null, '', 'scrypt$', 'scrypt$AAAA$', 'plain', 'scrypt$$$'])(
  'opens no account with the stored password %j',
  async (stored) => {
    expect(await verifyPassword('', stored)).toBe(false);
    expect(await verifyPassword('hunter2', stored)).toBe(false);
  },
);

test('rejects excess sign-ins at once, and reserves slots for known browsers', async () => {
  const queue = createPasswordVerifier();
  const { signal } = new AbortController();
  const attempt = (isKnownBrowser: boolean) =>
    queue.verify({ password: 'x', stored: null, isKnownBrowser }, signal).then(
      () => 'verified',
      (error) => error.code,
    );
  const unknown = await Promise.all([
    ...Array.from({ length: 12 }, () => attempt(false)),
    attempt(true),
  ]);
  expect(unknown.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(3);
  expect(unknown.at(-1)).toBe('verified');
});

test('skips work whose client disconnected', async () => {
  const queue = createPasswordVerifier();
  const gone = new AbortController();
  const { signal } = new AbortController();
  const attempt = (of: AbortSignal) =>
    queue.verify({ password: 'x', stored: null, isKnownBrowser: false }, of);
  const first = attempt(signal);
  const dropped = attempt(gone.signal);
  gone.abort();
  await expect(dropped).rejects.toMatchObject({ name: 'AbortError' });
  expect(await first).toBe(false);
});
