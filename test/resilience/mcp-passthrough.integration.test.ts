// Passthrough servers authenticate users at their own login: the gateway advertises them unchanged, forwards the
// client's token, and adds no token of its own.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aProvider, aToken } from '../support/mcp-client.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';
import {
  anUpstreamLogin,
  aProtectedServer,
  type UpstreamLogin,
} from '../support/upstream-login.ts';

let hub: TestHub;
let login: UpstreamLogin;
let server: Running;
let token: string;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  login = await anUpstreamLogin();
  server = await aProtectedServer(login);
  const { email } = await aPerson(hub);
  token = await aToken(hub, email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await server.close();
  await login.close();
});

async function aBackend(slug: string, auth: object, url = server.url) {
  const created = await hub.console('POST', '/mcp/backends', {
    body: { slug, name: `The ${slug}`, url, auth },
  });
  expect(created.body).toMatchObject({ backend: { slug } });
  return created.body.backend.id as string;
}

const atPassthrough = async (slug: string, bearer: string | null, body: object) => {
  const response = await fetch(`${hub.url}/${slug}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });
  return { response, text: await response.text() };
};
const plainCall = { method: 'tools/call', params: { name: 'whoami', arguments: {} } };

test('advertises a passthrough server unchanged, and the official client signs in at its login', async () => {
  await aBackend('open', { kind: 'passthrough' });
  const metadata = `${hub.url}/.well-known/oauth-protected-resource/open/mcp`;
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${hub.url}/open/mcp`,
    authorization_servers: [login.issuer],
    scopes_supported: ['read', 'write'],
  });
  const refused = await atPassthrough('open', null, plainCall);
  expect(refused.response.status).toBe(401);
  expect(refused.response.headers.get('www-authenticate')).toContain(metadata);
  const own = aProvider('http://127.0.0.1:9999/callback');
  const serverUrl = new URL(`${hub.url}/open/mcp`);
  expect(await auth(own as never, { serverUrl })).toBe('REDIRECT');
  const answer = new URL(await login.approve(own.led[0]?.href ?? '', 'bob'));
  const code = { authorizationCode: answer.searchParams.get('code') ?? '', iss: login.issuer };
  expect(await auth(own as never, { serverUrl, ...code } as never)).toBe('AUTHORIZED');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(serverUrl, { authProvider: own as never }),
  );
  expect(await client.callTool({ name: 'whoami', arguments: {} })).toMatchObject({
    content: [{ text: 'bob' }],
  });
  await client.close();
});

test('rejects gateway tokens at a passthrough server, and offers no gateway login', async () => {
  const seen = server.requests.length;
  for (const bearer of [token, `gwt_${'a'.repeat(46)}`, 'GWD_anything']) {
    const { response } = await atPassthrough('open', bearer, plainCall);
    expect(response.status).toBe(401);
  }
  expect(server.requests.length).toBe(seen);
  for (const path of ['/.well-known/oauth-authorization-server/open', '/open/oauth/authorize']) {
    expect((await fetch(hub.url + path)).status).toBe(404);
  }
  const register = await fetch(`${hub.url}/open/oauth/register`, { method: 'POST' });
  expect(register.status).toBe(404);
  const aggregated = await fetch(`${hub.url}/gwone/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'open__whoami', arguments: {} },
    }),
  });
  expect(await aggregated.text()).toMatch(/Unknown name/);
});

test("returns the passthrough server's status for a rejected token", async () => {
  const { response, text } = await atPassthrough('open', 'of-nobody', plainCall);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
  expect(text).toContain('rejected the token');
});

test('publishes no metadata for a passthrough server without a login, and reports an unreachable server', async () => {
  const silent = await aServer((_request, response) => void response.writeHead(404).end());
  await aBackend('silent', { kind: 'passthrough' }, silent.url);
  const at = (slug: string) => fetch(`${hub.url}/.well-known/oauth-protected-resource/${slug}/mcp`);
  expect((await at('silent')).status).toBe(404);
  await silent.close();
  await aBackend('down', { kind: 'passthrough' }, silent.url);
  expect((await at('down')).status).toBe(503);
});

test('applies access policies for everybody, and rejects unidentified callers where a policy names users', async () => {
  const id = await aBackend('ruled', { kind: 'passthrough' });
  const call = async () => {
    login.live.set('upstream-token', 'bob');
    const { text } = await atPassthrough('ruled', 'upstream-token', plainCall);
    return text;
  };
  expect(await call()).toContain('bob');
  const isAllowed = async (email: string) => {
    const { body } = await hub.console(
      'GET',
      `/mcp/backends/${id}/access?tool=whoami&email=${email}`,
    );
    return body.items[0].allowed;
  };
  expect([await isAllowed('ann@example.com'), await isAllowed('bob@example.com')]).toEqual([
    true,
    true,
  ]);
  await hub.console('POST', '/mcp/rules', {
    body: {
      effect: 'deny',
      backend_id: id,
      tool: 'whoami',
      subject: { kind: 'person', email: 'ann@example.com' },
    },
  });
  expect(await call()).toContain("isn't available to you");
  // The gateway knows no caller there, so the answer is the same for all.
  expect([await isAllowed('ann@example.com'), await isAllowed('bob@example.com')]).toEqual([
    false,
    false,
  ]);
  const rows = async () =>
    (await hub.console('GET', `/mcp/tool-calls?backend_id=${id}&limit=200`)).body.items;
  await expect.poll(async () => (await rows()).length, { timeout: 10_000 }).toBe(2);
  expect(await rows()).toMatchObject([
    { user_email: null, is_blocked: true },
    { user_email: null, is_blocked: false, event: { auth: { mode: 'passthrough' } } },
  ]);
  expect(JSON.stringify(await rows())).not.toContain('upstream-token');
});
