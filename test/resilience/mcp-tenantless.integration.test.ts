// The gateway URL without a tenant respects each tenant's allowed clients, for its own users only. It tolerates
// variants in slashes, headers, versions and batches.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aToken, REDIRECT, register, toCode } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aSession, modern, send } from '../support/mcp-messages.ts';

const ORIGIN = 'http://localhost:6274';
let m: McpHub;
/** Belongs to a tenant that allows nothing. */
let stranger: string;
let strangerToken: string;

beforeAll(async () => {
  m = await startMcpHub();
  const body = {
    redirect_uris: { https: ['app.example.com/cb'], schemes: ['acme'], clients: ['perplexity'] },
    allowed_origins: [ORIGIN],
  };
  expect((await m.hub.console('PUT', '/mcp/settings', { body })).status).toBe(200);
  const second = await m.hub.newTenant('Second');
  stranger = (await aPerson(m.hub, 'Member', second.tenantId)).email;
  strangerToken = await aToken(m.hub, stranger, { prefix: '/gwone' });
});
afterAll(() => m.hub.stop());

const ALLOWED = [
  'https://app.example.com/cb',
  'acme://callback',
  'https://www.perplexity.ai/rest/connections/oauth_callback',
];

test.each(ALLOWED)('issues codes to %s for users of the tenant that allows it', async (uri) => {
  const flow = { prefix: '/gwone', redirectUri: uri };
  expect((await register(m.hub, flow)).status).toBe(201);
  expect((await toCode(m.hub, m.email, flow)).answer?.get('code')).toMatch(/^[\w-]{43}$/);
});

test.each(ALLOWED)('issues no code to %s for users of another tenant', async (uri) => {
  const { end, answer } = await toCode(m.hub, stranger, { prefix: '/gwone', redirectUri: uri });
  expect([answer, end.response.status]).toEqual([null, 400]);
});

test('names the rejected URI and its setting to users of another tenant', async () => {
  const flow = { prefix: '/gwone', redirectUri: 'https://app.example.com/cb' };
  await register(m.hub, flow);
  const { browser, end } = await toCode(m.hub, stranger, flow);
  const page = await (await browser.request(end.at)).text();
  expect(page).toContain('https://app.example.com/cb');
  expect(page).toContain('redirect_uris');
});

test('registers no URI that no tenant allows, and names the URI and the setting', async () => {
  const uri = 'https://unknown.example.com/cb';
  for (const prefix of ['/gwone', `/gwone/${m.hub.tenantId}`]) {
    const { status, body } = await register(m.hub, { prefix, redirectUri: uri });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(body.error_description).toContain(uri);
    expect(body.error_description).toContain('redirect_uris.https');
  }
});

const preflight = (path: string, origin: string) =>
  fetch(m.hub.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });

test.each(['/gwone/mcp', '/gwone/oauth/register', '/gwone/oauth/token'])(
  'allows a preflight at %s for an origin that any tenant allows',
  async (path) => {
    const allowed = await preflight(path, ORIGIN);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      ORIGIN,
    ]);
    const other = await preflight(path, 'http://localhost:1');
    expect(other.headers.has('access-control-allow-origin')).toBe(false);
  },
);

test('checks a request against the origins of its own tenant', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const response = await send(m.hub, m.token, list, { origin: ORIGIN });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
    200,
    ORIGIN,
  ]);
  expect((await send(m.hub, strangerToken, list, { origin: ORIGIN })).status).toBe(403);
  const without = await send(m.hub, 'gwo_none', list, { origin: ORIGIN });
  expect([without.status, without.headers.get('access-control-allow-origin')]).toEqual([
    401,
    ORIGIN,
  ]);
});

test.each([
  ['/gwone/mcp', 0],
  ['/gwone/mcp/', 0],
  ['TENANT', 1],
])('challenges at %s with existing metadata', async (path, isTenant) => {
  const url = isTenant === 1 ? `/gwone/${m.hub.tenantId}/mcp/` : path;
  const answer = await fetch(m.hub.url + url, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  for (const at of [metadata, `${metadata}/`]) {
    const document = (await (await fetch(at)).json()) as { resource: string };
    expect(document.resource).toBe(`${m.hub.url}${url.replace(/\/$/, '')}`);
  }
});

test('serves the MCP URL with a trailing slash', async () => {
  const session = await aSession(m.hub, m.token, {}, '/gwone/mcp/');
  expect(session['mcp-session-id']).not.toBe('');
});

/** Returns the error to which an authorization request for this resource redirects; null: it shows the consent page. */
async function refusalOf(resource: string): Promise<URLSearchParams | null> {
  const { body } = await register(m.hub, { prefix: '/gwone' });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: String(body.client_id),
    redirect_uri: REDIRECT,
    resource,
  });
  const url = `${m.hub.url}/gwone/oauth/authorize?${query}`;
  const location = (await fetch(url, { redirect: 'manual' })).headers.get('location');
  return location === null ? null : new URL(location).searchParams;
}

test.each(['', '/'])('accepts the MCP URL with "%s" behind it as the resource', async (end) => {
  const more = { resource: `${m.hub.url}/gwone/mcp${end}` };
  const { answer } = await toCode(m.hub, m.email, { prefix: '/gwone', more });
  expect(answer?.has('code')).toBe(true);
});

test.each(['/gwone/mcp//', '/gwone/mcp?x', '/gwone/mcp/x', '', '/'])(
  'rejects "%s" of the origin as the resource, and names the expected resource',
  async (path) => {
    const refusal = await refusalOf(m.hub.url + path);
    expect(refusal?.get('error')).toBe('invalid_target');
    expect(refusal?.get('error_description')).toBe(`resource must be ${m.hub.url}/gwone/mcp.`);
  },
);

const SUPPORTED = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

test('lists every supported revision, newest first', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };
  const refused = await send(m.hub, m.token, ping, { 'mcp-protocol-version': '1900-01-01' });
  expect(refused.status).toBe(400);
  const { error } = (await refused.json()) as { error: { code: number; data: object } };
  expect(error).toMatchObject({ code: -32022, data: { supported: SUPPORTED } });
  const asked = modern({ id: 1, method: 'server/discover', params: {} });
  const discovered = await send(m.hub, m.token, asked.body, asked.headers);
  const { result } = (await discovered.json()) as { result: object };
  expect(result).toMatchObject({ supportedVersions: SUPPORTED });
});

test.each([...SUPPORTED, '1900-01-01', 'odd'])(
  'negotiates initialize by its body, whatever its header %s contains',
  async (version) => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const answer = await send(m.hub, m.token, body, { 'mcp-protocol-version': version });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  },
);

test.each(['2025-03-26', '2025-11-25'])('rejects a batch in revision %s', async (version) => {
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'ping' }];
  const answer = await send(m.hub, m.token, batch, { 'mcp-protocol-version': version });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain("Batches aren't supported");
});
