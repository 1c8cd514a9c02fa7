// OAuth endpoints accept only valid requests, and answer others with defined errors.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aBrowser,
  aPerson,
  exchange,
  fieldsOf,
  PASSWORD,
  REDIRECT,
  register,
  toCode,
} from '../../../../../test/support/mcp-client.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('accepts only forms at the token endpoint, without credentials and duplicate fields', async () => {
  const send = async (headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${hub.url}/gwone/oauth/token`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send({ 'content-type': 'application/json' }, '{}')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await send({ 'content-type': 'text/plain' }, 'grant_type=authorization_code')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await send(form, `code=${'x'.repeat(70_000)}`)).toEqual([413, 'invalid_request']);
  expect(await send(form, 'code=a&code=b&grant_type=authorization_code')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await send(form, 'grant_type=refresh_token&refresh_token=x')).toEqual([
    400,
    'unsupported_grant_type',
  ]);
  expect(await send(form, 'grant_type=authorization_code')).toEqual([400, 'invalid_request']);
  expect(
    await send({ ...form, authorization: 'Basic eDp5' }, 'grant_type=authorization_code'),
  ).toEqual([401, 'invalid_client']);
});

test('allows web pages to read the documents, and to register only from allowed origins', async () => {
  await hub.console('PUT', '/mcp/settings', {
    body: { allowed_origins: ['https://inspector.example'] },
  });
  const ask = (path: string, method: string, origin: string) =>
    fetch(hub.url + path, { method, headers: { origin } });
  const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');
  const document = '/.well-known/oauth-protected-resource/gwone/mcp';
  expect(allowed(await ask(document, 'OPTIONS', 'https://any.example'))).toBe('*');
  expect(allowed(await ask(document, 'GET', 'https://any.example'))).toBe('*');
  const endpoint = `/gwone/${hub.tenantId}/oauth/register`;
  const preflight = await ask(endpoint, 'OPTIONS', 'https://inspector.example');
  expect([preflight.status, allowed(preflight)]).toEqual([204, 'https://inspector.example']);
  expect(allowed(await ask(endpoint, 'POST', 'https://inspector.example'))).toBe(
    'https://inspector.example',
  );
  expect(allowed(await ask(endpoint, 'OPTIONS', 'https://any.example'))).toBeNull();
  const tenantless = '/gwone/oauth/register';
  expect(allowed(await ask(tenantless, 'OPTIONS', 'https://inspector.example'))).toBe(
    'https://inspector.example',
  );
  expect(allowed(await ask(tenantless, 'OPTIONS', 'https://any.example'))).toBeNull();
});

test('forbids caching of token and registration responses, and answers 405 to other methods', async () => {
  for (const path of ['/gwone/oauth/token', '/oauth/register']) {
    const answer = await fetch(hub.url + path, { method: 'POST' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    const other = await fetch(hub.url + path);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  }
  for (const page of ['consent', 'choose']) {
    const opened = await fetch(`${hub.url}/oauth/${page}`);
    expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST']);
  }
  const posted = await fetch(`${hub.url}/gwone/oauth/authorize`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await fetch(`${hub.url}/nothing/oauth/token`)).status).toBe(404);
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/gwone',
    '/.well-known/oauth-protected-resource/gwone/mcp',
    '/oauth/userinfo',
    '/api/mcp_base_url',
  ]) {
    const other = await fetch(hub.url + path, { method: 'POST' });
    expect([path, other.status, other.headers.get('allow')]).toEqual([path, 405, 'GET']);
  }
  const nowhere = `${hub.url}/.well-known/oauth-authorization-server/nothing`;
  expect((await fetch(nowhere, { method: 'POST' })).status).toBe(404);
});

test('treats null like an absent field', async () => {
  const others = { client_uri: null, contacts: null, jwks: null, grant_types: null };
  // So does a name of which nothing is seen: a person would read an empty line.
  for (const client_name of [null, '', ' ', '\u200b\u2060\u{e0041}']) {
    const answer = await fetch(`${hub.url}/gwone/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...METADATA, ...others, client_name }),
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).not.toHaveProperty('client_name');
  }
});

const METADATA = { redirect_uris: ['http://127.0.0.1/callback'] };

test.each([
  ['no JSON', '{"redirect'],
  ['a poisoned name', '{"redirect_uris":["http://127.0.0.1/callback"],"__proto__":{}}'],
  ['a name that reverses its surroundings', { ...METADATA, client_name: 'a\u202eb' }],
  ['a name that turns what is weak beside it', { ...METADATA, client_name: 'a\u200f(b)' }],
  ['a name with line breaks', { ...METADATA, client_name: 'a\nb' }],
  ['an authentication method that is no text', { ...METADATA, token_endpoint_auth_method: 5 }],
  ['a scope that is no text', { ...METADATA, scope: ['openid'] }],
  ['contacts that are no list', { ...METADATA, contacts: 'ann' }],
  ['keys twice', { ...METADATA, jwks: {}, jwks_uri: 'https://example.com/keys' }],
])('rejects %s as client metadata', async (_what, body) => {
  const answer = await fetch(`${hub.url}/gwone/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
    400,
    'invalid_client_metadata',
  ]);
});

test.each([
  ['a parameter without a value is left out', 'state=&resource=&code_challenge=', null],
  ['an unknown parameter may repeat', 'x=1&x=2', null],
  ['a duplicate resource counts once', 'resource=RESOURCE&resource=RESOURCE', null],
  ['scheme and host may be in capitals', 'resource=CAPITALS', null],
  ['a path in capitals is another', 'resource=CAPITALPATH', 'invalid_target'],
  ['two resources', 'resource=RESOURCE&resource=https%3A%2F%2Felsewhere.example', 'invalid_target'],
  ['the URL with a slash behind it', 'resource=RESOURCE%2F', null],
  ['the URL with something behind it', 'resource=RESOURCE%2Fx', 'invalid_target'],
  ['the issuer is no resource', 'resource=ISSUER', 'invalid_target'],
  ['an empty response type is none', 'response_type=', 'invalid_request'],
  ['a duplicate scope', 'scope=openid&scope=email', 'invalid_request'],
])('handles an authorization request: %s', async (_what, more, error) => {
  await register(hub, { prefix: '/gwone' });
  const sent = new URLSearchParams(
    more
      .replaceAll('CAPITALPATH', encodeURIComponent(`${hub.url}/GWONE/MCP`))
      .replaceAll('CAPITALS', encodeURIComponent(`${hub.url.toUpperCase()}/gwone/mcp`))
      .replaceAll('RESOURCE', encodeURIComponent(`${hub.url}/gwone/mcp`))
      .replaceAll('ISSUER', encodeURIComponent(`${hub.url}/gwone`)),
  );
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: 'gateway-onemcp',
    redirect_uri: REDIRECT,
  })) {
    if (!sent.has(name)) sent.set(name, value);
  }
  const answer = await fetch(`${hub.url}/gwone/oauth/authorize?${sent}`, { redirect: 'manual' });
  const location = answer.headers.get('location');
  expect(location === null ? answer.status : new URL(location).searchParams.get('error')).toBe(
    error ?? 200,
  );
});

test('appends the response to the registered redirect URI unchanged', async () => {
  const redirectUri = 'http://127.0.0.1:9999/callback?a=b%20c~&d';
  await register(hub, { prefix: '/gwone', redirectUri });
  const sent = new URLSearchParams({
    response_type: 'token',
    client_id: 'gateway-onemcp',
    redirect_uri: redirectUri,
    state: 'a b',
  });
  const answer = await fetch(`${hub.url}/gwone/oauth/authorize?${sent}`, { redirect: 'manual' });
  const location = answer.headers.get('location') ?? '';
  expect(location.startsWith(`${redirectUri}&error=`)).toBe(true);
  expect(new URL(location).searchParams.get('state')).toBe('a b');
});

test('answers an unreadable browser request with a page', async () => {
  for (const [path, init] of [
    ['/gwone/oauth/authorize?client_id=%zz', {}],
    ['/gwone/oauth/authorize?client_id=a&client_id=b', {}],
    ['/oauth/consent', { method: 'POST', body: new URLSearchParams({ request: 'x' }) }],
    ['/oauth/continue', {}],
  ] as [string, RequestInit][]) {
    const answer = await fetch(hub.url + path, init);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(answer.headers.get('content-type')).toContain('text/html');
  }
});

test('ignores another authorization scheme, and answers invalid_target to a foreign resource', async () => {
  const { email } = await aPerson(hub);
  const other = await fetch(`${hub.url}/gwone/mcp`, { headers: { authorization: 'Basic eDp5' } });
  expect([other.status, other.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${hub.url}/.well-known/oauth-protected-resource/gwone/mcp"`,
  ]);
  const { answer, verifier, redirectUri } = await toCode(hub, email, { prefix: '/gwone' });
  const { status, body } = await exchange(hub, '/gwone', {
    code: answer?.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: 'https://elsewhere.example/mcp',
  });
  expect([status, body.error]).toEqual([400, 'invalid_target']);
});

test('rejects an id in another spelling', async () => {
  const upper = hub.tenantId.toUpperCase();
  for (const path of [
    `/gwone/${upper}/mcp`,
    `/gwone/${upper}/oauth/authorize`,
    `/.well-known/oauth-authorization-server/gwone/${upper}`,
    `/.well-known/oauth-protected-resource/gwone/${upper}/mcp`,
  ]) {
    expect([path, (await fetch(hub.url + path)).status]).toEqual([path, 404]);
  }
});

test('finds a backend by id or by its unique slug', async () => {
  const other = await hub.newTenant('Other company');
  const make = (slug: string, of: { tenantId: string; adminToken: string }) =>
    hub.console('POST', '/mcp/backends', {
      tenantId: of.tenantId,
      token: of.adminToken,
      body: { slug, name: slug, url: 'https://mcp.example.com/mcp', auth: { kind: 'none' } },
    });
  const at = async (segment: string) => (await fetch(`${hub.url}/${segment}/mcp`)).status;
  const { id } = (await make('shared-name', hub)).body.backend;
  expect([await at('shared-name'), await at(id)]).toEqual([401, 401]);
  expect((await make(id, other)).status).toBe(400);
  const theirs = (await make('shared-name', other)).body.backend;
  expect([await at('shared-name'), await at(id), await at(theirs.id)]).toEqual([404, 401, 401]);
  // A slug that is not accepted any more.
  await hub.context.database.pool.query('UPDATE mcp_backends SET slug = $1 WHERE backend_id = $2', [
    id,
    theirs.id,
  ]);
  const forget = { headers: { 'if-match': '"1"' }, body: { name: 'Another' } };
  expect((await hub.console('PATCH', `/mcp/backends/${id}`, forget)).status).toBe(200);
  expect(await at(id)).toBe(401);
});

test('answers simultaneous consent pages of several servers separately', async () => {
  const { email } = await aPerson(hub);
  await register(hub, { prefix: '/gwone' });
  const browser = aBrowser(hub.url);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'gateway-onemcp',
    redirect_uri: REDIRECT,
  });
  const open = async () => {
    const page = await browser.follow(`/gwone/oauth/authorize?${query}`);
    return fieldsOf(await page.response.text());
  };
  for (const fields of [await open(), await open()]) {
    const login = await browser.submit('/oauth/consent', { ...fields, decision: 'approve' });
    const end = await browser.submit(login.at, { email, password: PASSWORD });
    expect(new URL(end.at).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  }
  expect([...browser.jar.keys()].filter((name) => name.startsWith('gw_oauth_browser'))).toEqual([]);
});
