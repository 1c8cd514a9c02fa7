import { expect, test } from 'vitest';
import { createOwnerCheck, type OwnerCheckParts } from './device-owner-check.ts';

const ADA = { uid: 1000, path: '/home/ada' };
const BOB = { uid: 1001, path: '/home/bob' };
const KEYS: Record<string, number> = { root: 0, ada: 1000, bob: 1001, agent: 990 };

const mayAct = (key: string | null, parts: Partial<OwnerCheckParts> = {}): boolean => {
  const check = createOwnerCheck({
    people: { uidOf: (shown) => (shown === null ? null : (KEYS[shown] ?? null)) },
    homes: () => [ADA],
    owner: null,
    serviceUid: 0,
    ...parts,
  });
  try {
    check(key);
    return true;
  } catch {
    return false;
  }
};

test.each<[string, string | null, Partial<OwnerCheckParts>, boolean]>([
  ['the only account of the device', 'ada', {}, true],
  ['root', 'root', {}, true],
  ['the account of the service', 'agent', { serviceUid: 990 }, true],
  ['somebody without a key', null, {}, false],
  ['somebody with a wrong key', 'guess', {}, false],
  ['an account without a home', 'bob', {}, false],
  ['an account of several without a configured owner', 'ada', { homes: () => [ADA, BOB] }, false],
  ['the account named as owner', 'ada', { homes: () => [ADA, BOB], owner: 'ada' }, true],
  ['the account named by its id', 'ada', { homes: () => [ADA, BOB], owner: '1000' }, true],
  [
    'an account other than the configured owner',
    'bob',
    { homes: () => [ADA, BOB], owner: 'ada' },
    false,
  ],
  ['anybody on Windows, where keys do not exist', null, { serviceUid: null }, true],
])('decides about the owner for %s', (_who, key, parts, expected) => {
  expect(mayAct(key, parts)).toBe(expected);
});
