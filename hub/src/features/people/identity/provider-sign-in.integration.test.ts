// Users sign in at a customer's login provider: claims identify the user, and invalid tokens are rejected.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { aBrowser } from '../../../../../test/support/cookie-browser.ts';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { createUser } from './index.ts';

const CLIENT = 'hub';
let provider: Server;
let issuer: string;
let hub: TestHub;
let renamed: TestHub;
/** The next sign-in: claims of the ID token, what userinfo answers, and the code's nonce. */
let idToken: Record<string, unknown> = {};
let userinfo: Record<string, unknown> | null = null;
let nonce = '';
let userinfoCalls = 0;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  provider = createServer(async (request, response) => {
    const now = Math.floor(Date.now() / 1000);
    const answer = async () => {
      if (request.url === '/keys') return { keys: [jwk] };
      if (request.url === '/userinfo') {
        userinfoCalls += 1;
        return userinfo;
      }
      if (request.url !== '/token') {
        return {
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        };
      }
      const claims = { iss: issuer, aud: CLIENT, sub: 's', nonce, iat: now, exp: now + 300 };
      const token = await new SignJWT({ ...claims, ...idToken })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(privateKey);
      return { access_token: 'a', token_type: 'Bearer', expires_in: 300, id_token: token };
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await answer()));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const login = (claims?: string) =>
    readConfig({
      LOGIN_ISSUER: issuer,
      LOGIN_CLIENT_ID: CLIENT,
      ...(claims === undefined ? {} : { LOGIN_CLAIMS: claims }),
    }).login;
  const config = hubConfig(await cloneDatabase());
  hub = await startTestHub({ ...config, login: login() });
  renamed = await startTestHub({ ...config, login: login('{"email":"preferred_username"}') });
});
afterAll(async () => {
  await renamed.stop();
  await hub.stop();
  provider.closeAllConnections();
  provider.close();
});

async function aMember(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const user = { tenantId: hub.tenantId, email, role: 'Viewer' as const, password: null };
  await createUser(hub.context.database.db, user);
  return email;
}

/** Signs in with these claims; returns the callback's status and, after a failure, the text of the page. */
async function signIn(
  claims: Record<string, unknown>,
  info: Record<string, unknown> | null = null,
  at = hub,
): Promise<{ status: number; page: string }> {
  const browser = aBrowser(at);
  const begun = await browser.request('/console/sign-in');
  const url = new URL(begun.headers.get('location') ?? '');
  idToken = claims;
  userinfo = info;
  nonce = url.searchParams.get('nonce') ?? '';
  const state = encodeURIComponent(url.searchParams.get('state') ?? '');
  const answer = await browser.request(
    `/console/sign-in/callback?code=c&state=${state}&iss=${encodeURIComponent(issuer)}`,
  );
  return { status: answer.status, page: await answer.text() };
}

it('reads the address from the ID token without asking userinfo', async () => {
  const before = userinfoCalls;
  expect((await signIn({ email: await aMember() })).status).toBe(303);
  expect(userinfoCalls).toBe(before);
});

it('reads the address from userinfo if the ID token lacks it', async () => {
  const info = { sub: 's', email: await aMember(), email_verified: true };
  expect((await signIn({}, info)).status).toBe(303);
});

it('lets claims of the ID token take precedence', async () => {
  const email = await aMember();
  const info = { sub: 's', email: 'other@example.com' };
  expect((await signIn({ email }, info)).status).toBe(303);
});

it('reads the claim that LOGIN_CLAIMS names, from both sources', async () => {
  const email = await aMember();
  expect((await signIn({ preferred_username: email }, null, renamed)).status).toBe(303);
  const info = { sub: 's', preferred_username: email };
  expect((await signIn({}, info, renamed)).status).toBe(303);
});

test.each<[string, Record<string, unknown>, Record<string, unknown> | null, RegExp]>([
  [
    'another subject in userinfo',
    {},
    { sub: 'x', email: 'a@example.com' },
    /login provider didn.+t confirm/,
  ],
  ['no address anywhere', {}, { sub: 's' }, /&quot;email&quot;/],
  ['an address that is not verified', { email: 'a@b.c', email_verified: false }, null, /verified/],
  ['text that is no address', { email: 'ada' }, null, /not an e-mail address/],
  [
    'a token from the future',
    { email: 'a@example.com', iat: Math.floor(Date.now() / 1000) + 600 },
    null,
    /future/,
  ],
  [
    'several audiences without azp',
    { email: 'a@example.com', aud: [CLIENT, 'other'] },
    null,
    /login provider didn.+t confirm/,
  ],
])('rejects %s with a reason', async (_what, claims, info, problem) => {
  const { status, page } = await signIn(claims, info);
  expect(status).toBe(400);
  expect(page).toMatch(problem);
});

it('accepts a list with a single audience, and several with azp', async () => {
  const email = await aMember();
  expect((await signIn({ email, aud: [CLIENT] })).status).toBe(303);
  expect((await signIn({ email, aud: [CLIENT, 'other'], azp: CLIENT })).status).toBe(303);
});
