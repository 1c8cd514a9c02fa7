// Administrators' tokens come from a customer's login provider: keys are fetched and rotated, claims have other names.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  call,
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { ADMIN_PREFIX } from '../../../../../test/support/management.ts';
import { type Config, readConfig } from '../../../platform/config/config.ts';

let provider: Server;
let issuer: string;
let keys: JWK[] = [];
let isAway = false;
let hub: TestHub;

beforeAll(async () => {
  provider = createServer((request, response) => {
    if (isAway) return void response.destroy();
    const metadata = {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : metadata));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const { login } = readConfig({
    LOGIN_ISSUER: issuer,
    LOGIN_CLIENT_ID: 'hub',
    LOGIN_CLAIMS: '{"tenantIds":"https://acme.example/tenants","roles":"/realm_access/roles"}',
  });
  const config: Config = { ...hubConfig(await cloneDatabase()), login };
  hub = await startTestHub(config);
});
afterAll(async () => {
  await hub.stop();
  provider.closeAllConnections();
  provider.close();
});

async function aKey(kid: string) {
  const pair = await generateKeyPair('ES256');
  return { ...pair, kid, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256' } };
}

const sign = (
  key: Awaited<ReturnType<typeof aKey>>,
  claims: object,
  subject = 'person',
  typ = 'at+jwt',
) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ })
    .setSubject(subject)
    .setIssuer(issuer)
    .setAudience(hub.url)
    .setExpirationTime('5m')
    .sign(key.privateKey);

const ask = async (token: string, tenantId = hub.tenantId) => {
  const answer = await call(
    `${hub.url}${ADMIN_PREFIX}/tenants/${tenantId}/settings`,
    'GET',
    { authorization: `Bearer ${token}` },
    undefined,
  );
  return [answer.status, answer.body.error?.code];
};

test('reports an unreachable provider, not an invalid token', async () => {
  const key = await aKey('first');
  isAway = true;
  expect(await ask(await sign(key, {}))).toEqual([503, 'login_provider_unavailable']);
  isAway = false;
});

test('reads claims by their configured names', async () => {
  const key = await aKey('first');
  keys = [key.jwk];
  const tenants = { 'https://acme.example/tenants': [hub.tenantId] };
  const admin = { realm_access: { roles: ['other', 'Admin'] } };
  expect(await ask(await sign(key, { ...tenants, ...admin }))).toEqual([200, undefined]);
  expect(await ask(await sign(key, { tenantIds: [hub.tenantId], ...admin }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(await ask(await sign(key, { ...tenants, roles: ['Admin'] }))).toEqual([403, 'forbidden']);
  expect(await ask(await sign(key, { ...tenants, role: 'Admin' }))).toEqual([200, undefined]);
  expect(await ask(await sign(key, { operator: true }))).toEqual([200, undefined]);
  expect(await ask(await sign(await aKey('first'), { ...tenants, ...admin }))).toEqual([
    401,
    'invalid_token',
  ]);
});

test('accepts an access token by either type name, and no other type', async () => {
  const key = await aKey('typed');
  keys = [key.jwk];
  const typed = async (typ: string) => ask(await sign(key, { operator: true }, 'person', typ));
  await expect.poll(() => typed('at+jwt')).toEqual([200, undefined]);
  expect(await typed('application/at+jwt')).toEqual([200, undefined]);
  expect(await typed('JWT')).toEqual([200, undefined]);
  expect(await typed('logout+jwt')).toEqual([401, 'invalid_token']);
  expect(await typed('application/logout+jwt')).toEqual([401, 'invalid_token']);
});

test('rejects a token that was issued in the future', async () => {
  const key = await aKey('tomorrow');
  keys = [key.jwk];
  const now = Math.floor(Date.now() / 1000);
  const made = async (iat: unknown) => ask(await sign(key, { operator: true, iat }));
  await expect.poll(() => made(now)).toEqual([200, undefined]);
  expect(await made(now + 86_400)).toEqual([401, 'invalid_token']);
});

test('answers 401 to an impossible tenant or name, never 5xx', async () => {
  const key = await aKey('two');
  keys = [key.jwk];
  await expect
    .poll(async () => ask(await sign(key, { operator: true })), { timeout: 10_000 })
    .toEqual([200, undefined]);
  expect(await ask(await sign(key, { operator: true }), 'nobody')).toEqual([404, 'not_found']);
  const named = { 'https://acme.example/tenants': ['nobody'], role: 'Admin' };
  expect(await ask(await sign(key, named), 'nobody')).toEqual([403, 'forbidden']);
  const page = await call(`${hub.url}/console/api/v1/tenants/nobody/devices`, 'GET', {
    authorization: `Bearer ${await sign(key, named)}`,
  });
  expect(page.status).toBe(403);
  for (const sub of ['a\u0000b', 's'.repeat(5000)]) {
    const token = await sign(key, { operator: true }, sub);
    expect(await ask(token)).toEqual([401, 'invalid_token']);
  }
});

test('accepts a rotated key, and soon rejects a removed key', async () => {
  const claims = {
    'https://acme.example/tenants': [hub.tenantId],
    realm_access: { roles: ['Admin'] },
  };
  const before = await aKey('before');
  keys = [before.jwk];
  // The provider was asked a moment ago, and is not asked again at once.
  await expect
    .poll(async () => ask(await sign(before, claims)), { timeout: 10_000 })
    .toEqual([200, undefined]);
  const after = await aKey('after');
  keys = [after.jwk];
  await expect
    .poll(async () => ask(await sign(after, claims)), { timeout: 10_000 })
    .toEqual([200, undefined]);
  expect(await ask(await sign(before, claims))).toEqual([401, 'invalid_token']);
});

test('adds users of the provider once each, with audit events', async () => {
  const key = await aKey('people');
  keys = [key.jwk];
  const claims = { 'https://acme.example/tenants': [hub.tenantId], role: 'Admin' };
  await expect
    .poll(async () => ask(await sign(key, claims)), { timeout: 10_000 })
    .toEqual([200, undefined]);
  const token = await sign(key, claims);
  const add = (email: string, role = 'Reviewer') =>
    hub.console('POST', '/users', { token, body: { email, role } });
  const answers = await Promise.all([add('Ada@example.com'), add('ada@example.com')]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  const listed = await hub.console('GET', '/users?query=ada@example.com', { token });
  expect(listed.body.items).toMatchObject([{ role: 'Reviewer', state: 'enabled', sessions: 0 }]);
  const events = await hub.console('GET', '/audit?operation=user.create', { token });
  expect(events.body.items).toMatchObject([{ detail: { role: 'Reviewer' } }]);
  expect((await add('no address')).status).toBe(400);
});

test('tries every matching key for a token without a key id', async () => {
  const [first, second] = [await aKey('first'), await aKey('second')];
  keys = [first.jwk, second.jwk];
  const unnamed = (key: typeof first) =>
    new SignJWT({ operator: true })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setSubject('person')
      .setIssuer(issuer)
      .setAudience(hub.url)
      .setExpirationTime('5m')
      .sign(key.privateKey);
  await expect.poll(async () => ask(await unnamed(second))).toEqual([200, undefined]);
  expect(await ask(await unnamed(first))).toEqual([200, undefined]);
  expect(await ask(await unnamed(await aKey('third')))).toEqual([401, 'invalid_token']);
});
