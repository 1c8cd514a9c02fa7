// The OAuth server is tested over HTTP: discovery, registration, consent and login, codes and tokens of each family.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aBrowser,
  aPerson,
  aToken,
  exchange,
  fieldsOf,
  REDIRECT,
  register,
  toCode,
} from '../../../../../test/support/mcp-client.ts';

let hub: TestHub;
let email: string;
let backend: { id: string; slug: string };

beforeAll(async () => {
  hub = await startTestHub();
  email = (await aPerson(hub)).email;
  const made = await hub.console('POST', '/mcp/backends', {
    body: {
      slug: 'tools',
      name: 'Tools',
      url: 'https://mcp.example.com/mcp',
      auth: { kind: 'none' },
    },
  });
  backend = made.body.backend;
});
afterAll(() => hub.stop());

const json = async (path: string) => {
  const response = await fetch(`${hub.url}${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const families = () => [
  { prefix: '', client: 'gateway-onemcp' },
  { prefix: '/gwone', client: 'gateway-onemcp' },
  { prefix: `/gwone/${hub.tenantId}`, client: `gateway-onemcp-${hub.tenantId}` },
  { prefix: `/${backend.slug}`, client: `gateway-mcp-${backend.id}` },
  { prefix: `/${backend.id}`, client: `gateway-mcp-${backend.id}` },
];

test('discovers every family, registers its public client, and issues a token for its user', async () => {
  for (const { prefix, client } of families()) {
    const { body: server } = await json(`/.well-known/oauth-authorization-server${prefix}`);
    expect(server).toMatchObject({
      issuer: `${hub.url}${prefix}`,
      authorization_endpoint: `${hub.url}${prefix}/oauth/authorize`,
      token_endpoint: `${hub.url}${prefix}/oauth/token`,
      registration_endpoint: `${hub.url}${prefix}/oauth/register`,
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(server.code_challenge_methods_supported).toEqual(prefix === '' ? undefined : ['S256']);
    if (prefix !== '') {
      const { body } = await json(`/.well-known/oauth-protected-resource${prefix}/mcp`);
      expect(body).toMatchObject({
        resource: `${hub.url}${prefix}/mcp`,
        authorization_servers: [`${hub.url}${prefix}`],
      });
    }
    const registered = await register(hub, { prefix });
    expect(registered).toMatchObject({
      status: 201,
      body: {
        client_id: client,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
      },
    });
    expect(registered.body).not.toHaveProperty('client_secret');
    const { answer, state, verifier } = await toCode(hub, email, { prefix });
    expect(Object.fromEntries(answer ?? [])).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state,
      iss: `${hub.url}${prefix}`,
    });
    const token = await exchange(hub, prefix, {
      code: answer?.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: client,
      code_verifier: verifier,
    });
    expect(token).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^gwt_/),
        token_type: 'Bearer',
        expires_in: 31_536_000,
      },
    });
    expect(token.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(token.body)).not.toContain('refresh_token');
    const info = await fetch(`${hub.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${token.body.access_token}` },
    });
    expect(await info.json()).toEqual({
      sub: expect.any(String),
      email,
      preferred_username: email,
    });
  }
  expect((await json('/api/mcp_base_url')).body).toEqual({ mcp_base_url: hub.url });
});

test('publishes no metadata for unknown resources, whatever Host and forwarding headers contain', async () => {
  for (const path of [`/gwone/${randomUUID()}`, '/gwone/nobody', '/nothing', `/${randomUUID()}`]) {
    expect((await json(`/.well-known/oauth-authorization-server${path}`)).status).toBe(404);
    expect((await json(`/.well-known/oauth-protected-resource${path}/mcp`)).status).toBe(404);
  }
  const poisoned = await fetch(`${hub.url}/.well-known/oauth-authorization-server/gwone`, {
    headers: {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    },
  });
  expect(await poisoned.text()).not.toContain('evil');
});

test('accepts a code once, and revokes the token after a second use', async () => {
  const prefix = '/gwone';
  const { answer, verifier, clientId } = await toCode(hub, email, { prefix });
  const form = {
    code: answer?.get('code') ?? '',
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: verifier,
  };
  const all = await Promise.all(Array.from({ length: 50 }, () => exchange(hub, prefix, form)));
  const won = all.filter((item) => item.status === 200);
  expect(won).toHaveLength(1);
  for (const item of all.filter((answered) => answered.status !== 200)) {
    expect(item).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  }
  const info = await fetch(`${hub.url}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${won[0]?.body.access_token}` },
  });
  expect(info.status).toBe(401);
  const { rows } = await hub.context.database.pool.query(
    `SELECT operation, actor ->> 'email' AS by, detail FROM audit_events
     WHERE tenant_id = $1 AND resource ->> 'kind' = 'mcp_token'
       AND detail ->> 'email' = $2 ORDER BY at DESC, operation LIMIT 2`,
    [hub.tenantId, email],
  );
  expect(rows).toMatchObject([
    { operation: 'mcp_token.revoke', by: null, detail: { why: 'code_used_twice' } },
    { operation: 'mcp_token.issue', by: email, detail: { namespace: 'gwone' } },
  ]);
});

test.each([
  ['another redirect_uri', { redirect_uri: `${REDIRECT}/` }],
  ['another client_id', { client_id: 'gateway-onemcp-other' }],
  ['another verifier', { code_verifier: 'x'.repeat(43) }],
  ['no verifier', { code_verifier: '' }],
  ['another resource', { resource: 'https://elsewhere.example.com/mcp' }],
])('rejects and consumes the code with %s', async (_what, wrong) => {
  const prefix = '/gwone';
  const { answer, verifier, clientId } = await toCode(hub, email, { prefix });
  const form = {
    code: answer?.get('code') ?? '',
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: verifier,
  };
  const refused = await exchange(hub, prefix, { ...form, ...wrong });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatch(/^invalid_(grant|target)$/);
  expect((await exchange(hub, prefix, form)).status).toBe(400);
});

test('rejects a code at another family, and a verifier without a challenge', async () => {
  const there = await toCode(hub, email, { prefix: '/gwone' });
  const other = await exchange(hub, `/gwone/${hub.tenantId}`, {
    code: there.answer?.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: there.verifier,
  });
  expect(other.body.error).toBe('invalid_grant');
  const plain = await toCode(hub, email, { prefix: '/gwone', pkce: false });
  const downgraded = await exchange(hub, '/gwone', {
    code: plain.answer?.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: plain.verifier,
  });
  expect(downgraded.body.error).toBe('invalid_grant');
  expect(await aToken(hub, email, { prefix: '/gwone', pkce: false })).toMatch(/^gwt_/);
});

const authorize = (prefix: string, query: Record<string, string>) =>
  fetch(`${hub.url}${prefix}/oauth/authorize?${new URLSearchParams(query)}`, {
    redirect: 'manual',
  });

test('shows a page, never a redirect, for a request that cannot be trusted', async () => {
  await register(hub, { prefix: '/gwone' });
  const good = { response_type: 'code', client_id: 'gateway-onemcp', redirect_uri: REDIRECT };
  const nearly = [
    'http://127.0.0.1:9999/callback/',
    'http://127.0.0.1:9999/callback?x=1',
    'http://127.0.0.1:9999/callback#x',
    'http://127.0.0.1:9999/Callback',
    'http://127.0.0.1:9999/call%62ack',
    'http://127.0.0.1:9999/x/../callback',
    'http://127.0.0.1:9999@evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://user@127.0.0.1:9999/callback',
    'http://localhost:9999/callback',
    'http://127.0.0.2:9999/callback',
    'http://127.1:9999/callback',
    'http://[::1]:9999/callback',
    'https://127.0.0.1:9999/callback',
    'http://evil.example/callback',
    'https://claude.ai/api/mcp/auth_callback',
    '//127.0.0.1:9999/callback',
    'javascript:alert(1)',
    'http:\\\\127.0.0.1:9999\\callback',
    ' http://127.0.0.1:9999/callback',
    'data:text/html,x',
  ];
  const wrong = [
    ...nearly.map((redirect_uri) => ({ ...good, redirect_uri })),
    { ...good, client_id: 'somebody' },
    { response_type: 'code', redirect_uri: REDIRECT },
  ];
  for (const query of wrong) {
    const answer = await authorize('/gwone', query as Record<string, string>);
    expect([query, answer.status]).toEqual([query, 400]);
    expect(answer.headers.has('location')).toBe(false);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
  // A loopback's port is the client's of the moment.
  const moved = await authorize('/gwone', { ...good, redirect_uri: 'http://127.0.0.1:1/callback' });
  expect(moved.status).toBe(200);
});

test.each([
  ['unsupported_response_type', { response_type: 'token' }],
  ['invalid_request', { response_mode: 'fragment' }],
  ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ['invalid_request', { code_challenge: 'x'.repeat(43) }],
  ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ['invalid_target', { resource: 'https://elsewhere.example.com/mcp' }],
  ['interaction_required', { prompt: 'none' }],
])('redirects a known client with the error %s', async (error, wrong) => {
  await register(hub, { prefix: '/gwone' });
  const query = { response_type: 'code', client_id: 'gateway-onemcp', redirect_uri: REDIRECT };
  const answer = await authorize('/gwone', { ...query, state: 'a b&c', ...wrong });
  expect(answer.status).toBe(303);
  const target = new URL(answer.headers.get('location') ?? '');
  expect(target.href.startsWith(REDIRECT)).toBe(true);
  expect(Object.fromEntries(target.searchParams)).toMatchObject({
    error,
    state: 'a b&c',
    iss: `${hub.url}/gwone`,
  });
});

test('binds the consent to a browser, accepts a single answer, and allows a refusal', async () => {
  await register(hub, { prefix: '/gwone' });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'gateway-onemcp',
    redirect_uri: REDIRECT,
    state: 's',
  });
  const begin = async () => {
    const browser = aBrowser(hub.url);
    const page = await browser.follow(`/gwone/oauth/authorize?${query}`);
    const html = await page.response.text();
    return { browser, html, fields: fieldsOf(html) };
  };
  const { browser, html, fields } = await begin();
  expect(html).toContain('127.0.0.1');
  expect(html).toContain('Test client');
  const stranger = await aBrowser(hub.url).submit('/oauth/consent', {
    ...fields,
    decision: 'approve',
  });
  expect(stranger.response.status).toBe(400);
  const forged = await browser.submit('/oauth/consent', {
    ...fields,
    csrf: 'x'.repeat(43),
    decision: 'approve',
  });
  expect(forged.response.status).toBe(400);
  const early = await browser.follow(`/oauth/continue?request=${fields.request}`);
  expect(early.response.status).toBe(400);
  const refused = await browser.submit('/oauth/consent', { ...fields, decision: 'refuse' });
  expect(Object.fromEntries(new URL(refused.at).searchParams)).toMatchObject({
    error: 'access_denied',
    state: 's',
  });
  const again = await browser.submit('/oauth/consent', { ...fields, decision: 'approve' });
  expect(again.response.status).toBe(400);
  const fixated = await begin();
  const victim = await begin();
  const mixed = await victim.browser.submit('/oauth/consent', {
    ...fixated.fields,
    decision: 'approve',
  });
  expect(mixed.response.status).toBe(400);
});

test('reports a user without access to the client, and lets a user of two companies choose', async () => {
  const other = await hub.newTenant('Other company');
  const stranger = await aPerson(hub, 'Member', other.tenantId);
  const denied = await toCode(hub, stranger.email, { prefix: `/gwone/${hub.tenantId}` });
  expect(denied.answer?.get('error')).toBe('access_denied');
  const both = await aPerson(hub);
  await aPerson(hub, 'Member', other.tenantId, both.email);
  const { answer } = await toCode(hub, both.email, { prefix: '/gwone' });
  expect(answer?.get('code')).toMatch(/^[\w-]{43}$/);
});

test('registers supported metadata, and returns what it ignored', async () => {
  const attempt = async (body: unknown, type = 'application/json') => {
    const response = await fetch(`${hub.url}/gwone/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answered = (await response.json()) as { error?: string };
    return [response.status, answered.error];
  };
  const uri = (redirect: unknown) => attempt({ redirect_uris: [redirect] });
  expect(await uri('cursor://anysphere.cursor-mcp/oauth/callback')).toEqual([201, undefined]);
  expect(await uri('https://claude.ai/api/mcp/auth_callback')).toEqual([201, undefined]);
  for (const bad of [
    'https://evil.example/callback',
    'https://claude.ai/api/mcp/auth_callback?x',
    'https://claude.ai.evil.example/api/mcp/auth_callback',
    'unknown://x',
    'javascript:alert(1)',
    'http://10.0.0.1/x',
    'http://127.0.0.1/x#y',
    7,
    '',
  ]) {
    expect([bad, ...(await uri(bad))]).toEqual([bad, 400, 'invalid_redirect_uri']);
  }
  expect(await attempt({})).toEqual([400, 'invalid_redirect_uri']);
  expect(await attempt([])).toEqual([400, 'invalid_client_metadata']);
  expect(await attempt({ redirect_uris: [REDIRECT], grant_types: ['implicit'] })).toEqual([
    400,
    'invalid_client_metadata',
  ]);
});

test('lets a company add redirect targets for its domains, and revoke tokens', async () => {
  const put = (body: object) => hub.console('PUT', '/mcp/settings', { body });
  expect((await put({ redirect_uris: { schemes: ['javascript'] } })).status).toBe(400);
  // An empty list would allow nothing.
  expect((await put({ redirect_uris: { https: ['app.example.com/a*'] } })).status).toBe(400);
  const set = await put({
    allowed_email_domains: ['Example.com'],
    company_domain_aliases: ['example.org'],
    redirect_uris: { https: ['app.example.com/cb', 'app.example.com:8443/cb'], schemes: ['acme'] },
  });
  expect(set.body.settings).toMatchObject({ allowed_email_domains: ['example.com'] });
  const prefix = `/gwone/${hub.tenantId}`;
  for (const redirectUri of [
    'https://app.example.com/cb',
    'https://app.example.com:8443/cb',
    'acme://x/y',
  ]) {
    expect((await register(hub, { prefix, redirectUri })).status).toBe(201);
    expect((await register(hub, { prefix: '/gwone', redirectUri })).status).toBe(201);
    const { answer } = await toCode(hub, email, { prefix, redirectUri });
    expect(answer?.has('code')).toBe(true);
  }
  const token = await aToken(hub, email, { prefix });
  const opens = async () => {
    const answer = await fetch(`${hub.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.status;
  };
  expect(await opens()).toBe(200);
  await put({ allowed_email_domains: ['elsewhere.example'] });
  expect(await opens()).toBe(401);
  await put({ allowed_email_domains: [] });
  expect(await opens()).toBe(200);
  const { body } = await hub.console('GET', '/mcp/tokens?of=all&limit=200');
  for (const item of body.items) {
    expect((await hub.console('DELETE', `/mcp/tokens/${item.id}`)).status).toBe(200);
  }
  expect(await opens()).toBe(401);
});
