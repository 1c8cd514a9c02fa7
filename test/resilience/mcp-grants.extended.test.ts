// Users connect with servers behind the gateway over OAuth: connecting, a single refresh for simultaneous calls,
// disconnecting, and attacks on the callback.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, signedInBrowser } from '../support/mcp-client.ts';
import type { Running } from '../support/mcp-servers.ts';
import {
  anUpstreamLogin,
  aProtectedServer,
  type UpstreamLogin,
} from '../support/upstream-login.ts';

let hub: TestHub;
let secondHub: TestHub;
let login: UpstreamLogin;
let server: Running;
let backend: { id: string; slug: string; version: string };
let person: Awaited<ReturnType<typeof aPerson>>;
let token: string;
let pages: Awaited<ReturnType<typeof signedInBrowser>>;

async function aBackend(slug: string, auth: object, url = server.url) {
  const created = await hub.console('POST', '/mcp/backends', {
    body: { slug, name: `The ${slug}`, url, auth },
  });
  expect(created.body).toMatchObject({ backend: { slug } });
  return created.body.backend as typeof backend;
}

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  login = await anUpstreamLogin();
  server = await aProtectedServer(login);
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
  backend = await aBackend('guarded', { kind: 'oauth' });
  person = await aPerson(hub);
  token = await aToken(hub, person.email, { prefix: '/gwone' });
  pages = await signedInBrowser(hub, person.email);
});
afterAll(async () => {
  await secondHub.stop();
  await hub.stop();
  await server.close();
  await login.close();
});
beforeEach(() => {
  login.mood = {};
  login.expiresIn = 3600;
});

async function whoami(
  options: {
    at?: TestHub;
    bearer?: string;
    tool?: string;
    path?: string;
    more?: object;
    signal?: AbortSignal;
  } = {},
) {
  const { at = hub, bearer = token, tool = 'guarded__whoami', path = '/gwone/mcp' } = options;
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${bearer}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: {}, ...options.more },
    }),
    signal: options.signal ?? null,
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body };
}
const begin = async (by = pages, id = backend.id) => {
  const started = await by.console('POST', `/mcp/grants/${id}/start`);
  expect(started.status).toBe(200);
  return started.body.authorization_url as string;
};
async function connect(by = pages, id = backend.id) {
  const back = await login.approve(await begin(by, id));
  const answer = await by.request(back);
  expect(answer.status).toBe(303);
  return back;
}
const listConnections = async (by = pages) => (await by.console('GET', '/mcp/grants')).body.items;
const textOf = (answer: Awaited<ReturnType<typeof whoami>>) =>
  answer.body.result?.content?.[0]?.text ?? answer.body.error?.message;

test('connects a user once, and identifies the caller to the server', async () => {
  const before = await whoami();
  expect(before.body.error).toMatchObject({
    code: -32000,
    data: {
      url: `${hub.url}/console/t/${hub.tenantId}/my/connect/connections?connect=${backend.id}`,
    },
  });
  expect(before.body.error.message).toContain(`connect=${backend.id}`);
  const url = new URL(await begin());
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${hub.url}/oauth/callback`,
    code_challenge_method: 'S256',
    resource: server.url,
    scope: 'read write',
  });
  await connect();
  expect(textOf(await whoami())).toBe('ann');
  expect(textOf(await whoami({ at: secondHub }))).toBe('ann');
  expect(login.registrations).toHaveLength(1);
  expect(login.registrations[0]).toMatchObject({ redirect_uris: [`${hub.url}/oauth/callback`] });
  expect(await listConnections()).toMatchObject([
    { backend_id: backend.id, state: 'connected', issuer: login.issuer, scope: 'read write' },
  ]);
  for (const { headers, body } of server.requests) {
    expect(JSON.stringify(headers) + body).not.toContain(token);
  }
});

test('serves no other user and no direct API token with the connection', async () => {
  const stranger = await aPerson(hub);
  const userToken = await aToken(hub, stranger.email, { prefix: '/gwone' });
  expect((await whoami({ bearer: userToken })).body.error.message).toMatch(
    /Connect \(or reconnect\) to/,
  );
  await hub.console('PUT', '/mcp/settings', {
    body: { company_domain_aliases: ['example.com'] },
  });
  const { body } = await hub.console('POST', `/mcp/backends/${backend.id}/api-tokens`, {
    body: { name: 'script', agent: 'script' },
  });
  const response = await fetch(`${hub.url}/guarded/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${body.token.secret}`,
      mcpuser: person.email,
      'user-agent': 'script/1',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    }),
  });
  const refused = (await response.json()) as { error: { message: string; data?: unknown } };
  expect(refused.error.message).toMatch(/requires a signed-in user/);
  expect(refused.error.data).toBeUndefined();
});

test('refreshes once for 50 simultaneous calls at two hubs after the server rejects the token', async () => {
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour'`,
  );
  login.expireAll();
  const before = login.refreshes;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => whoami({ at: i % 2 === 0 ? hub : secondHub })),
  );
  expect(new Set(answers.map(textOf))).toEqual(new Set(['ann']));
  expect(login.refreshes - before).toBe(1);
  const { rows } = await hub.context.database.pool.query(
    `SELECT count(*)::int AS refreshes FROM audit_events
     WHERE tenant_id = $1 AND operation = 'mcp_grant.refresh'`,
    [hub.tenantId],
  );
  expect(rows).toEqual([{ refreshes: login.refreshes }]);
});

/** Every hub reads the person's grant again. */
const invalidateGrants = () =>
  hub.context.database.pool.query(`SELECT pg_notify('gatewarden', $1)`, [
    JSON.stringify({
      kind: 'forget',
      cache: 'mcp-grant',
      keys: [`${hub.tenantId}/${backend.id}/${person.userId}`],
    }),
  ]);

test('refreshes once for 50 simultaneous calls at two hubs after the token expired', async () => {
  await hub.context.database.pool.query(`UPDATE mcp_grants SET refresh_at = now()`);
  await invalidateGrants();
  login.expireAll();
  const before = login.refreshes;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => whoami({ at: i % 2 === 0 ? hub : secondHub })),
  );
  expect(new Set(answers.map(textOf))).toEqual(new Set(['ann']));
  expect(login.refreshes - before).toBe(1);
});

test('takes over the lease of a hub that ended', async () => {
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour',
       refreshing_until = now() + interval '1 second'`,
  );
  login.expireAll();
  expect(textOf(await whoami())).toBe('ann');
});

test('keeps a connection while the login is briefly unreachable', async () => {
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour'`,
  );
  login.expireAll();
  login.mood.away = true;
  expect(textOf(await whoami())).toMatch(/login doesn't respond/);
  login.mood.away = false;
  expect(textOf(await whoami())).toBe('ann');
});

test('continues calls with a valid token while the login hangs, and lets the next call refresh', async () => {
  await hub.context.database.pool.query(`UPDATE mcp_grants SET refresh_at = now()`);
  await invalidateGrants();
  let answers: () => void = () => undefined;
  login.mood.delay = new Promise((resolve) => {
    answers = resolve;
  });
  const before = login.refreshes;
  // The login answers nobody before these have their answers.
  for (let i = 0; i < 3; i++) expect(textOf(await whoami())).toBe('ann');
  await expect.poll(() => login.refreshes - before).toBe(1);
  answers();
  const due = `SELECT 1 FROM mcp_grants WHERE refresh_at <= now()`;
  await expect.poll(async () => (await hub.context.database.pool.query(due)).rowCount).toBe(0);
  expect(textOf(await whoami())).toBe('ann');
  expect(login.refreshes - before).toBe(1);
});

test('asks a capable client to open the URL, in the form of its revision', async () => {
  const stranger = await aPerson(hub);
  const bearer = await aToken(hub, stranger.email, { prefix: '/gwone' });
  const url = `${hub.url}/console/t/${hub.tenantId}/my/connect/connections?connect=${backend.id}`;
  const post = async (body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${hub.url}/gwone/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${bearer}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
    const body_ = (await response.json()) as any;
    return { session: response.headers.get('mcp-session-id'), body: body_ };
  };
  const { session } = await post({
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {}, url: {} } },
      clientInfo: { name: 'old', version: '1' },
    },
  });
  const call = { name: 'guarded__whoami', arguments: {} };
  const old = await post(
    { method: 'tools/call', params: call },
    { 'mcp-session-id': session ?? '' },
  );
  expect(old.body.error).toMatchObject({
    code: -32042,
    data: { elicitations: [{ mode: 'url', url, elicitationId: expect.any(String) }] },
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const fresh = await post(
    { method: 'tools/call', params: { ...call, _meta: meta } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'guarded__whoami',
    },
  );
  expect(fresh.body.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      'gatewarden-connect': { method: 'elicitation/create', params: { mode: 'url', url } },
    },
  });
});

test('accepts a callback once, from the same browser and user', async () => {
  const stranger = await signedInBrowser(hub, (await aPerson(hub)).email);
  const back = await login.approve(await begin());
  expect((await stranger.request(back)).status).toBe(400);
  expect((await fetch(back, { redirect: 'manual' })).status).toBe(400);
  // A stranger's attempt has not used up the code.
  expect((await pages.request(back)).status).toBe(303);
  expect((await pages.request(back)).status).toBe(400);
  expect(await listConnections(stranger)).toEqual([]);
  const twice = new URL(await login.approve(await begin()));
  twice.searchParams.append('state', 'another');
  expect((await pages.request(twice.href)).status).toBe(400);
});

test('connects once for 20 simultaneous callbacks with the same state', async () => {
  const back = await login.approve(await begin());
  const asked = login.asked.length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => pages.request(back)));
  expect(answers.filter((response) => response.status === 303)).toHaveLength(1);
  expect(answers.filter((response) => response.status === 400)).toHaveLength(19);
  expect(login.asked.length - asked).toBe(1);
});

test('stores nothing for a user who is removed during a refresh', async () => {
  await connect();
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour'`,
  );
  login.expireAll();
  let release: () => void = () => undefined;
  login.mood.delay = new Promise((resolve) => {
    release = resolve;
  });
  const before = login.refreshes;
  const call = whoami();
  await expect.poll(() => login.refreshes).toBe(before + 1);
  expect((await pages.console('DELETE', `/mcp/grants/${backend.id}`)).status).toBe(200);
  release();
  expect(textOf(await call)).toMatch(/Connect \(or reconnect\) to/);
  expect(login.live.size).toBe(0);
  expect(await listConnections()).not.toContainEqual(
    expect.objectContaining({ backend_id: backend.id }),
  );
  await connect();
});

test('lets no user connect whom access policies exclude', async () => {
  const rule = await hub.console('POST', '/mcp/rules', {
    body: {
      effect: 'deny',
      backend_id: backend.id,
      subject: { kind: 'person', email: person.email },
    },
  });
  expect((await pages.console('POST', `/mcp/grants/${backend.id}/start`)).status).toBe(404);
  expect(textOf(await whoami())).toMatch(/isn't available to you/);
  const { rule_id: id, version } = rule.body.rule;
  await hub.console('DELETE', `/mcp/rules/${id}`, { headers: { 'if-match': version } });
});

test('ignores a callback of another login, and sends its code nowhere', async () => {
  const asked = login.asked.length;
  for (const iss of ['https://evil.example', null]) {
    login.mood.iss = iss;
    const answer = await pages.request(await login.approve(await begin()));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('came from a different login');
  }
  const forged = new URL(await login.approve(await begin()));
  login.mood = {};
  forged.searchParams.delete('code');
  forged.searchParams.set('error', '<script>alert(1)</script>');
  forged.searchParams.set('iss', login.issuer);
  const page = await (await pages.request(forged.href)).text();
  expect(page).not.toContain('<script>');
  expect(login.asked.length).toBe(asked);
});

test('assigns a separate callback URL to a login without an issuer', async () => {
  login.mood = { unnamed: true, iss: null };
  const { id } = await aBackend('unnamed', { kind: 'oauth' });
  const back = await connect(pages, id);
  expect(back).toContain(`${hub.url}/oauth/callback/${id}?`);
  const asked = login.asked.length;
  // The shared callback receives a code of another login, with the state of this login.
  const mixed = new URL(await login.approve(await begin(pages, id)));
  mixed.pathname = '/oauth/callback';
  const answer = await pages.request(mixed.href);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('came from a different login'),
  ]);
  expect(login.asked.length).toBe(asked);
  login.mood = {};
});

test('sends no earlier token to a server whose URL changed', async () => {
  const id = (await aBackend('moving', { kind: 'oauth' })).id;
  await connect(pages, id);
  expect(textOf(await whoami({ tool: 'moving__whoami' }))).toBe('ann');
  const elsewhere = await aProtectedServer(login);
  const { body } = await hub.console('GET', `/mcp/backends/${id}`);
  await hub.console('PATCH', `/mcp/backends/${id}`, {
    headers: { 'if-match': body.backend.version },
    body: { url: elsewhere.url },
  });
  expect(textOf(await whoami({ tool: 'moving__whoami' }))).toMatch(/Connect \(or reconnect\) to/);
  expect(
    elsewhere.requests.filter((request) => request.headers.authorization !== undefined),
  ).toEqual([]);
  await elsewhere.close();
});

test('sends a client secret to its login, and never returns it', async () => {
  const auth = {
    kind: 'oauth',
    client_id: 'named',
    client_secret: 'secret-of-the-client',
    authorization_endpoint: `${login.issuer}/authorize`,
    token_endpoint: `${login.issuer}/token`,
    scopes: ['mail'],
    send_resource: false,
  };
  const { id } = await aBackend('named', auth);
  const url = new URL(await begin(pages, id));
  expect(url.searchParams.get('client_id')).toBe('named');
  expect(url.searchParams.get('scope')).toBe('mail');
  expect(url.searchParams.has('resource')).toBe(false);
  const shown = await hub.console('GET', `/mcp/backends/${id}`);
  expect(shown.body.backend.auth).toMatchObject({ client_id: 'named', has_secret: true });
  expect(JSON.stringify(shown.body)).not.toContain('secret-of-the-client');
  const patched = await hub.console('PATCH', `/mcp/backends/${id}`, {
    headers: { 'if-match': shown.body.backend.version },
    body: { auth: { kind: 'oauth', client_id: 'named', issuer: login.issuer } },
  });
  expect(patched.body.backend.auth.has_secret).toBe(true);
  const bad = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'bad', name: 'Bad', url: server.url, auth: { ...auth, client_id: undefined } },
  });
  expect(bad.status).toBe(400);
  const inside = await hub.console('POST', '/mcp/backends', {
    body: {
      slug: 'inside',
      name: 'Inside',
      url: server.url,
      auth: { ...auth, token_endpoint: 'http://169.254.169.254/token' },
    },
  });
  expect(inside.body.error.code).toBe('url_not_allowed');
});

test('ignores a private address that a server names as its login', async () => {
  const lying = await aProtectedServer({ ...login, issuer: 'https://10.0.0.1' });
  const { id } = await aBackend('lying', { kind: 'oauth' }, lying.url);
  const started = await pages.console('POST', `/mcp/grants/${id}/start`);
  expect(started.body.error).toMatchObject({ code: 'mcp_login_unavailable' });
  expect(started.body.error.message).toMatch(/public addresses only/);
  await lying.close();
});

test('rejects a login whose authorization URL is not https', async () => {
  const { id } = await aBackend('misleading', { kind: 'oauth' });
  for (const endpoint of ['javascript:alert(1)//', 'http://192.0.2.1/authorize', 'nonsense']) {
    login.mood.authorizationEndpoint = endpoint;
    const started = await pages.console('POST', `/mcp/grants/${id}/start`);
    expect(started.body.error).toMatchObject({ code: 'mcp_login_unavailable' });
    expect(started.body.error.message).toContain('authorization_endpoint');
  }
});

test('rejects the next call everywhere after a disconnect, and revokes at the login', async () => {
  await connect();
  expect(textOf(await whoami({ at: secondHub }))).toBe('ann');
  const revoked = login.revoked.length;
  const ended = await pages.console('DELETE', `/mcp/grants/${backend.id}`);
  expect(ended.body).toMatchObject({ grant: { backend_id: backend.id }, revoked: true });
  expect(login.revoked.length - revoked).toBe(2);
  expect(textOf(await whoami())).toMatch(/Connect \(or reconnect\) to/);
  await expect
    .poll(async () => textOf(await whoami({ at: secondHub })))
    .toMatch(/Connect \(or reconnect\) to/);
  expect((await pages.console('DELETE', `/mcp/grants/${backend.id}`)).status).toBe(404);
});

test('lets only administrators list and end connections of users', async () => {
  await connect();
  expect((await pages.console('GET', '/mcp/grants?of=all')).status).toBe(403);
  const all = await hub.console('GET', '/mcp/grants?of=all');
  expect(all.body.items.map((item: { user_id: string }) => item.user_id)).toContain(person.userId);
  const path = `/mcp/grants/${backend.id}/people/${person.userId}`;
  expect((await pages.console('DELETE', path)).status).toBe(403);
  expect((await hub.console('DELETE', path)).status).toBe(200);
  expect(textOf(await whoami())).toMatch(/Connect \(or reconnect\) to/);
});

test('asks the user once after a rejected refresh, and recovers on a new connection', async () => {
  await connect();
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour'`,
  );
  login.expireAll();
  login.mood.refuseRefresh = true;
  const before = login.refreshes;
  expect(textOf(await whoami())).toMatch(/Connect \(or reconnect\) to/);
  expect(textOf(await whoami())).toMatch(/Connect \(or reconnect\) to/);
  expect(login.refreshes - before).toBe(1);
  const [renew] = (await listConnections()).filter(
    (item: { backend_id: string }) => item.backend_id === backend.id,
  );
  expect(renew).toMatchObject({ state: 'renew', renewal: expect.stringMatching(/invalid_grant/) });
  await connect();
  expect(textOf(await whoami())).toBe('ann');
});

test('does not refresh endlessly when new tokens are expired and rejected', async () => {
  await connect();
  const { live } = login;
  const put = live.set;
  login.expiresIn = 0;
  live.set = () => live;
  login.expireAll();
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour', refresh_at = now()`,
  );
  const before = login.refreshes;
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await whoami({ signal });
    expect(answer.body.error).toMatchObject({ code: -32000 });
    expect(login.refreshes - before).toBeLessThan(10);
  } finally {
    live.set = put;
  }
});
