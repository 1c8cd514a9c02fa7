import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { identifyCaller } from './identity.ts';
import type { AccessSettings } from './settings.ts';

const NOW = Date.UTC(2030, 0, 1);
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = newKey();
const PEM = KEY.publicKey.export({ type: 'spki', format: 'pem' }).toString();

interface TokenOptions {
  claims?: Record<string, unknown>;
  key?: ReturnType<typeof newKey>;
  kid?: string;
  issuer?: string;
  audience?: string;
  expiresIn?: number;
}
function signToken(options: TokenOptions = {}): Promise<string> {
  const { claims, key = KEY, kid = 'k1', issuer = 'https://idp', audience = 'client-1' } = options;
  return new SignJWT({ email: 'ann@example.com', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(NOW / 1000 + (options.expiresIn ?? 600))
    .sign(key.privateKey);
}
const identify = (access: AccessSettings, headers: Record<string, string>) =>
  identifyCaller(access, { headers, receivedAt: NOW });
const emailOf = async (access: AccessSettings, headers: Record<string, string>) => {
  const verdict = await identify(access, headers);
  return verdict.passed ? verdict.value.email : verdict.code;
};

describe('identity headers', () => {
  const token = new UnsecuredJWT({ upn: 'Ann@Example.com', oid: 'o-1', sub: 's-1' }).encode();
  const service = new UnsecuredJWT({ oid: 'o-1', sub: 's-1' }).encode();
  const PLAIN: AccessSettings = { identity_header_mode: true };
  const LISTED: AccessSettings = { ...PLAIN, identity_token_headers: ['X-User', 'X-Second'] };
  const TOKENS: AccessSettings = { identity_token_headers: ['X-Identity'] };

  it.each<[string, AccessSettings, Record<string, string>, string | null]>([
    ['reads the default header', PLAIN, { 'x-user-email': 'Ann@Example.com' }, 'ann@example.com'],
    ['reads a listed header', LISTED, { 'x-second': 'ann@example.com' }, 'ann@example.com'],
    ['prefers the first header', LISTED, { 'x-user': 'a@b', 'x-second': 'c@d' }, 'a@b'],
    ['ignores a text that is no e-mail', PLAIN, { 'x-user-email': 'Ann' }, null],
    ['ignores the default header beside a list', LISTED, { 'x-user-email': 'a@b' }, null],
    ['reads the e-mail of a token', TOKENS, { 'x-identity': token }, 'ann@example.com'],
    ['reads a bearer token', TOKENS, { 'x-identity': `Bearer ${token}` }, 'ann@example.com'],
    [
      'reads a token from Authorization',
      {},
      { authorization: `Bearer ${token}` },
      'ann@example.com',
    ],
    ['ignores an app key in Authorization', {}, { authorization: 'Bearer gwk_abc' }, null],
    ['ignores plain text where a token is expected', TOKENS, { 'x-identity': 'a@b' }, null],
  ])('%s', async (_claim, access, headers, email) => {
    expect(await emailOf(access, headers)).toBe(email);
  });

  it.each([
    ['uses the object id by identity_token_oid_fallback', true, 'o-1'],
    ['uses the subject without the fallback', false, 's-1'],
  ])('%s', async (_claim, identity_token_oid_fallback, subject) => {
    const access = { ...TOKENS, identity_token_oid_fallback };
    expect(await identify(access, { 'x-identity': service })).toMatchObject({
      value: { email: null, subject, source: 'header' },
    });
  });
});

describe('jwt_auth', () => {
  const jwt_auth = {
    enabled: true,
    allowed_issuers: ['https://idp'],
    allowed_client_ids: ['client-1'],
    public_key_pem: PEM,
    kid: 'k1',
  };
  const VERIFIED: AccessSettings = { identity_token_headers: ['x-identity'], jwt_auth };
  const OTHER_KEY = newKey();

  it.each<[string, TokenOptions, string]>([
    ['accepts a signed token', {}, 'ann@example.com'],
    ['refuses another key', { key: OTHER_KEY }, 'identity_token_invalid'],
    ['refuses another key id', { kid: 'k2' }, 'identity_token_invalid'],
    ['refuses another issuer', { issuer: 'https://evil' }, 'identity_token_invalid'],
    ['refuses another client', { audience: 'client-2' }, 'identity_token_invalid'],
    [
      'accepts a client in azp',
      { audience: 'api', claims: { azp: 'client-1' } },
      'ann@example.com',
    ],
    ['refuses an expired token', { expiresIn: -3600 }, 'identity_token_invalid'],
  ])('%s', async (_claim, options, result) => {
    expect(await emailOf(VERIFIED, { 'x-identity': await signToken(options) })).toBe(result);
  });

  it.each<[string, AccessSettings, Record<string, string>, string | null]>([
    ['refuses a request without a token', VERIFIED, {}, 'identity_token_missing'],
    ['refuses plain text', VERIFIED, { 'x-identity': 'a@b' }, 'identity_token_missing'],
    [
      'refuses a plain e-mail in header mode',
      { ...VERIFIED, identity_header_mode: true },
      { 'x-identity': 'a@b' },
      'identity_token_missing',
    ],
    [
      'refuses an unsigned token',
      VERIFIED,
      { 'x-identity': new UnsecuredJWT({ iss: 'https://idp', aud: 'client-1' }).encode() },
      'identity_token_invalid',
    ],
    ['verifies nothing while disabled', { jwt_auth: { ...jwt_auth, enabled: false } }, {}, null],
    ['verifies nothing for null', { jwt_auth: null }, {}, null],
  ])('%s', async (_claim, access, headers, result) => {
    expect(await emailOf(access, headers)).toBe(result);
  });

  it('accepts every key id where none is configured', async () => {
    const { kid: _kid, ...withoutKid } = jwt_auth;
    const access = { ...VERIFIED, jwt_auth: withoutKid };
    expect(await emailOf(access, { 'x-identity': await signToken({ kid: 'k9' }) })).toBe(
      'ann@example.com',
    );
  });
});
