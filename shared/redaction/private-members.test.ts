// Token claims of a user are removed from an LLM row at any depth, and nothing else is.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { removePrivateMembers } from './private-members.ts';

const CLAIMS = { sub: 'ada', email: 'ada@example.com', groups: ['a', 'b'] };
const json = JSON.stringify;

test.each([
  ['at the top', { jwt_claims: CLAIMS, a: 1 }, { a: 1 }],
  ['in an object', { nested: { jwt_claims: CLAIMS, a: 1 } }, { nested: { a: 1 } }],
  ['in a list', { calls: [{ jwt_claims: CLAIMS }, 1] }, { calls: [{}, 1] }],
  ['in another spelling', { a: { jwtClaims: 1, 'JWT-Claims': 1, 'jwt claims': 1 } }, { a: {} }],
  [
    'whatever the value is',
    { a: { jwt_claims: 'text' }, b: { jwt_claims: null } },
    { a: {}, b: {} },
  ],
  [
    'as a named pair',
    { tags: [{ name: 'jwt_claims', value: CLAIMS }, ['jwt_claims', 'x']] },
    { tags: [] },
  ],
  ['in JSON in a string', { a: json({ jwt_claims: CLAIMS, b: 1 }) }, { a: '{"b":1}' }],
  ['in JSON in JSON', { a: json({ b: json({ jwt_claims: CLAIMS }) }) }, { a: json({ b: '{}' }) }],
  ['in a list in a string', { a: json([{ jwt_claims: CLAIMS }]) }, { a: '[{}]' }],
  ['with escaped letters', { a: '{"jwt\\u005fclaims":{"sub":"ada"},"b":1}' }, { a: '{"b":1}' }],
  [
    'beside a long number',
    { a: '{"jwt_claims":1,"n":12345678901234567890}' },
    { a: '{"n":12345678901234567890}' },
  ],
  [
    'in JSON within text',
    { a: `got ${json({ jwt_claims: CLAIMS, b: 1 })} ok` },
    { a: 'got {"b":1} ok' },
  ],
  [
    'last in JSON within text',
    { a: `got ${json({ b: 1, jwt_claims: CLAIMS })} ok` },
    { a: 'got {"b":1} ok' },
  ],
  [
    'in escaped JSON within text',
    { a: `got ${json(json({ jwt_claims: { s: 'a"}b' } }))} ok` },
    { a: 'got "{}" ok' },
  ],
  ['in JSON that was cut', { a: '{"b":1,"jwt_claims":{"sub":"ada","em' }, { a: '{"b":1' }],
])('removes claims %s', (_where, before, after) => {
  expect(removePrivateMembers(before)).toEqual(after);
});

describe('other members', () => {
  it.each([
    { claims: 1, jwt: 2, jwt_claims_count: 3 },
    { a: 'jwt_claims are not sent' },
    { a: '{"claims": {"jwt": 1} }' },
    { a: ['jwt_claims'] },
  ])('keeps %j unchanged', (value) => {
    expect(removePrivateMembers(value)).toBe(value);
  });
});

it('removes all claims of any value idempotently', () => {
  const secret = 'the-subject';
  const wrap = fc.constantFrom(
    (value: unknown) => ({ a: value, b: 1 }),
    (value: unknown) => [value, 'x'],
    (value: unknown) => json(value),
    (value: unknown) => `log ${json(value)} end`,
  );
  const spelling = fc.constantFrom('jwt_claims', 'jwtClaims', 'JWT-Claims', 'JwtClaims');
  fc.assert(
    fc.property(fc.array(wrap, { maxLength: 4 }), spelling, (wraps, name) => {
      const claims: unknown = { [name]: { sub: secret, n: [1, { sub: secret }] }, kept: 1 };
      const row = { data: wraps.reduce((value, step) => step(value), claims) };
      const after = removePrivateMembers(row);
      expect(json(after)).not.toContain(secret);
      expect(json(after)).toContain('kept');
      expect(removePrivateMembers(after)).toBe(after);
    }),
  );
});

it('takes linear time for hostile text', () => {
  const text = '"jwt_claims":{"'.repeat(60_000);
  const commas = `claims${', '.repeat(300_000)}`;
  const backslashes = `${'\\'.repeat(500_000)}"jwt_claims":`;
  expect(
    json(
      removePrivateMembers({
        a: text,
        b: backslashes,
        d: commas,
        c: `${'{'.repeat(500_000)}claims`,
      }),
    ),
  ).toBeTruthy();
});
