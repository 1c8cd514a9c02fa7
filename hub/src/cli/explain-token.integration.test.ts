// The explanation of a token for operators who configure a login provider.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { runDoctor } from '@gatewarden/hub/src/cli/doctor.ts';
import { runTokenExplain } from '@gatewarden/hub/src/cli/explain-token.ts';
import { type Config, readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';

let hub: TestHub;
let provider: Server;
let issuer: string;
let isAway = false;
/** As a proxy answers in its place. */
let isPage = false;
const pair = await generateKeyPair('ES256');
const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };

beforeAll(async () => {
  hub = await startTestHub();
  provider = createServer((request, response) => {
    if (isAway) return void response.destroy();
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
    if (isPage && request.url === '/keys') return void response.writeHead(502).end('<html>');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : metadata));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await hub.stop();
  provider.closeAllConnections();
  provider.close();
});

function atProvider() {
  const { login } = readConfig({
    LOGIN_ISSUER: issuer,
    LOGIN_CLIENT_ID: 'hub',
    LOGIN_CLAIMS: '{"tenantIds":"https://acme.example/tenants"}',
  });
  return { ...hub.config, baseUrl: hub.url, login };
}

const run = (config: Config, input = '') => ({
  config,
  log: createLog('silent'),
  stdin: Readable.from([input]),
});

const explained = (token: string, ofProvider: boolean) =>
  runTokenExplain(
    run(ofProvider ? atProvider() : { ...atProvider(), login: null }, `Bearer ${token}\n`),
  );

const signed = (claims: object, over: { key?: CryptoKey; kid?: string; aud?: string } = {}) =>
  new SignJWT({ sub: 'ada', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: over.kid ?? 'one', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(over.aud ?? hub.url)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(over.key ?? pair.privateKey);

it('explains a token of the built-in provider by tenant and role, without printing it', async () => {
  const answer = await explained(hub.adminToken, false);
  expect(answer.ok).toBe(true);
  expect(answer.why).toMatch(/^it is valid: .* as Admin$/);
  expect(answer.opens).toEqual([expect.stringContaining(hub.tenantId)]);
  expect(JSON.stringify(answer)).not.toContain(hub.adminToken.slice(-20));
});

it('explains a token of another provider by the configured claims', async () => {
  const unknown = crypto.randomUUID();
  const good = await explained(
    await signed({ 'https://acme.example/tenants': [hub.tenantId, unknown], role: 'Reviewer' }),
    true,
  );
  expect(good).toMatchObject({ ok: true, why: 'it is valid: ada as Reviewer' });
  expect(good.opens).toEqual([
    expect.stringMatching(new RegExp(`^${hub.tenantId} `)),
    `nothing of ${unknown}: there is no such tenant`,
  ]);
  const elsewhere = await explained(await signed({ tenantIds: [hub.tenantId] }), true);
  expect(elsewhere.ok).toBe(false);
  expect(elsewhere.why).toContain('names no tenant (https://acme.example/tenants)');
  expect(elsewhere.says).toContain(
    'tenantIds, looked for as "https://acme.example/tenants": missing',
  );
  const gone = await explained(await signed({ 'https://acme.example/tenants': [unknown] }), true);
  expect(gone).toMatchObject({ ok: false, opens: [expect.stringContaining('no such tenant')] });
  expect(gone.why).toContain('names no tenant that exists (https://acme.example/tenants)');
  const operator = await explained(
    await signed({ operator: true, 'https://acme.example/tenants': [hub.tenantId] }),
    true,
  );
  expect(operator.opens).toEqual([
    'every tenant, as the operator',
    expect.stringMatching(new RegExp(`^${hub.tenantId} `)),
  ]);
});

it('explains the rejection of a token', async () => {
  const other = await generateKeyPair('ES256');
  const why = async (token: Promise<string> | string) => {
    const answer = await explained(await token, true);
    expect(answer.ok).toBe(false);
    return answer.why;
  };
  expect(await why('not a token')).toBe('it is no signed JSON Web Token');
  expect(await why(signed({}, { aud: 'https://elsewhere.example' }))).toContain(
    `its audience is "https://elsewhere.example": "${hub.url}" is expected`,
  );
  expect(await why(signed({ exp: 1 }))).toMatch(/audience|expired|valid/);
  expect(await why(signed({}, { key: other.privateKey }))).toContain('signature');
  expect(await why(signed({}, { kid: 'two' }))).toContain('publishes no key');
  expect(await why(signed({ nonce: 'n' }))).toContain('ID token');
  expect(await why(hub.adminToken)).toMatch(/publishes no key|issuer/);
  isAway = true;
  expect(await why(signed({}))).toContain("login provider's keys are not available");
  isAway = false;
});

it('reports in doctor whether the login provider serves its keys', async () => {
  const looked = async () => {
    const { checks } = await runDoctor(run(atProvider()));
    return checks.find((check) => check.name === 'login provider');
  };
  expect(await looked()).toMatchObject({ ok: true, detail: `${issuer} publishes 1 key` });
  isPage = true;
  const page = await looked();
  isPage = false;
  expect(page).toMatchObject({ ok: false, detail: expect.stringContaining('no keys (502)') });
  isAway = true;
  const away = await looked();
  isAway = false;
  expect(away?.ok).toBe(false);
  expect(away?.detail).toContain('(LOGIN_ISSUER)');
  const { checks } = await runDoctor(run({ ...atProvider(), login: null }));
  expect(checks.map((check) => check.name)).not.toContain('login provider');
});
