// Secrets are recognized by format and checksum, and have the documented randomness.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../test/support/property-runs.ts';
import {
  hashSecret,
  isSecret,
  makeSecret,
  randomBase62,
  SECRET_PREFIXES,
  type SecretKind,
} from './secrets.ts';

const KINDS = Object.keys(SECRET_PREFIXES) as SecretKind[];

test('recognizes each kind of secret as no other', () => {
  for (const made of KINDS) {
    const secret = makeSecret(made);
    expect(secret).toMatch(/^gw[a-z]_[0-9A-Za-z]{46}$/);
    expect(KINDS.filter((kind) => isSecret(kind, secret))).toEqual([made]);
  }
});

test('detects any changed character', () => {
  const secret = makeSecret('agent');
  fc.assert(
    fc.property(
      fc.nat({ max: secret.length - 1 }),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, other) => {
        fc.pre(other !== secret[at]);
        expect(isSecret('agent', secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
      },
    ),
    { numRuns: propertyRuns(2_000) },
  );
});

test('rejects longer, shorter and embedded secrets', () => {
  const secret = makeSecret('agent');
  for (const text of ['', secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`]) {
    expect(isSecret('agent', text)).toBe(false);
  }
});

test('generates base62 text of the requested length without bias', () => {
  for (const length of [0, 1, 40]) expect(randomBase62(length)).toHaveLength(length);
  const counts = new Map<string, number>();
  const total = 100_000;
  for (const char of randomBase62(total)) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // The expected count of each is 1613 with a deviation of 40; six deviations occur once in ten million runs.
  for (const count of counts.values()) expect(Math.abs(count - total / 62)).toBeLessThan(240);
});

test('stores no secret in clear text', () => {
  const secret = makeSecret('agent');
  expect(hashSecret(secret)).toHaveLength(32);
  expect(hashSecret(secret).equals(hashSecret(secret))).toBe(true);
  expect(hashSecret(secret).toString('latin1')).not.toContain(secret.slice(4, 12));
});
