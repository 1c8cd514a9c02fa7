import { expect, test } from 'vitest';
import { CLAIM_NAMES } from '../../../platform/config/config.ts';
import { issueFault, lacksEmail, personOf } from './person-claims.ts';

const named = (email: string) => ({ ...CLAIM_NAMES, email });

test.each([
  [{ email: 'ada@example.com' }, 'email'],
  [{ email: ' ada@example.com ', email_verified: true }, 'email'],
  [{ preferred_username: 'ada@example.com', email_verified: false }, 'preferred_username'],
  [{ upn: 'ada@example.com', email: 'other' }, 'upn'],
  [{ 'https://acme.example/mail': 'ada@example.com' }, 'https://acme.example/mail'],
  [{ person: { mail: 'ada@example.com' } }, '/person/mail'],
])('finds the address in %j by the claim %s', (claims, name) => {
  expect(personOf(claims, named(name))).toEqual({ email: 'ada@example.com' });
});

test.each([
  [{}, 'email', /"email".*LOGIN_CLAIMS/],
  [{ email: '' }, 'email', /"email"/],
  [{ upn: 'ada' }, 'upn', /"upn".*not an e-mail address/],
  [{ email: 7 }, 'email', /not an e-mail address/],
  [{ email: 'ada@example.com', email_verified: false }, 'email', /not verified/],
  [{ email: 'ada@example.com', email_verified: 'False' }, 'email', /not verified/],
  [{ email: 'ada@example.com' }, 'upn', /"upn".*LOGIN_CLAIMS/],
])('names what is wrong with %j for the claim %s', (claims, name, problem) => {
  expect(personOf(claims, named(name))).toEqual({ problem: expect.stringMatching(problem) });
});

test('asks the userinfo endpoint only for what the ID token lacks', () => {
  expect(lacksEmail({ sub: 'x' }, CLAIM_NAMES)).toBe(true);
  expect(lacksEmail({ email: 'ada@example.com' }, CLAIM_NAMES)).toBe(false);
});

test('rejects tokens from the future beyond the leeway of clocks', () => {
  expect(issueFault(1_060, 1_000)).toBeNull();
  expect(issueFault(1_120, 1_000)).toMatch(/future/);
});
