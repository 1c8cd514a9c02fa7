// A Member signs in to the console for their own data, and reaches nothing else there.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, signedInBrowser } from '../support/mcp-client.ts';

const PREFIX = '/console/api/v1/tenants/{tenant_id}';
const OWN = [
  'DELETE /mcp/connections/{backend_id}',
  'DELETE /mcp/grants/{backend_id}',
  'DELETE /mcp/tokens/{token_id}',
  'DELETE /own/sessions/{session_id}',
  'GET /mcp/api-tokens',
  'GET /mcp/approvals',
  'GET /mcp/connections',
  'GET /mcp/grants',
  'GET /mcp/own',
  'GET /mcp/tokens',
  'GET /own/access-requests',
  'GET /own/devices',
  'GET /own/devices/{device_id}',
  'GET /own/devices/{device_id}/activity',
  'GET /own/devices/{device_id}/activity/{activity_id}/why',
  'GET /own/devices/{device_id}/decisions',
  'GET /own/devices/{device_id}/decisions/{override_id}/why',
  'GET /own/devices/{device_id}/entities',
  'GET /own/llm-requests',
  'GET /own/llm-requests/why',
  'GET /own/mcp-calls',
  'GET /own/mcp-calls/{log_id}/why',
  'GET /own/sessions',
  'POST /mcp/approvals/{approval_id}/deny',
  'POST /mcp/approvals/{approval_id}/grant',
  'POST /mcp/grants/{backend_id}/start',
  'POST /own/access-requests',
  'PUT /mcp/connections/{backend_id}',
];
let hub: TestHub;
let member: Awaited<ReturnType<typeof aPerson>>;
let pages: Awaited<ReturnType<typeof signedInBrowser>>;

beforeAll(async () => {
  hub = await startTestHub();
  member = await aPerson(hub);
  pages = await signedInBrowser(hub, member.email);
});
afterAll(() => hub.stop());

test('rejects a Member on every console route except their own', async () => {
  expect(pages.session.tenants).toMatchObject([{ tenant_id: hub.tenantId, role: 'Member' }]);
  const { paths } = hub.hub.openApi() as { paths: Record<string, Record<string, object>> };
  const reached: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.startsWith(`${PREFIX}/`)) continue;
    const own = path.slice(PREFIX.length);
    // A stream, which does not end.
    if (own === '/own/events') continue;
    for (const method of Object.keys(methods).map((key) => key.toUpperCase())) {
      const at = own.replace(/\{\w+\}/g, randomUUID());
      const { status } = await pages.console(method, at, method === 'GET' ? undefined : {});
      if (status !== 403) reached.push(`${method} ${own}`);
    }
  }
  // The request did not reach an operation that only a person with a session may call and that refuses everybody here.
  expect(reached.sort()).toEqual(OWN);
});

test('keeps shared settings to administrators', async () => {
  for (const path of ['/mcp/tokens?of=all', '/mcp/grants?of=all', '/mcp/api-tokens?of=all']) {
    expect((await pages.console('GET', path)).status).toBe(403);
  }
  const secondPerson = await aPerson(hub);
  await aToken(hub, secondPerson.email, { prefix: '/gwone' });
  const foreignToken = (await hub.console('GET', '/mcp/tokens?of=all')).body.items[0];
  expect((await pages.console('DELETE', `/mcp/tokens/${foreignToken.id}`)).status).toBe(404);
});

test('shows a Member their servers, and what is missing', async () => {
  const aBackend = async (slug: string, auth: object) =>
    (
      await hub.console('POST', '/mcp/backends', {
        body: { slug, name: slug, url: 'https://mcp.example.com/mcp', auth },
      })
    ).body.backend.id as string;
  const open = await aBackend('open', { kind: 'none' });
  const keyed = await aBackend('keyed', { kind: 'personal_key' });
  const oauth = await aBackend('oauth-server', { kind: 'oauth' });
  const hidden = await aBackend('hidden', { kind: 'none' });
  await hub.console('POST', '/mcp/rules', {
    body: {
      effect: 'deny',
      backend_id: hidden,
      subject: { kind: 'person', email: member.email },
    },
  });
  const own = async () => (await pages.console('GET', '/mcp/own')).body;
  const stateOf = async (id: string) =>
    (await own()).servers.find((server: { backend_id: string }) => server.backend_id === id);
  expect((await own()).mcp_url).toBe(`${hub.url}/gwone/${hub.tenantId}/mcp`);
  expect(await stateOf(open)).toMatchObject({
    connection: 'not_needed',
    url: `${hub.url}/open/mcp`,
  });
  expect(await stateOf(oauth)).toMatchObject({ connection: 'missing', auth_kind: 'oauth' });
  expect(await stateOf(hidden)).toBeUndefined();
  expect(await stateOf(keyed)).toMatchObject({ connection: 'missing' });
  await pages.console('PUT', `/mcp/connections/${keyed}`, { secret: 'mine' });
  expect(await stateOf(keyed)).toMatchObject({ connection: 'connected' });
});

test('rejects the next request of a client that its user revoked', async () => {
  const token = await aToken(hub, member.email, { prefix: '/gwone' });
  const ping = () =>
    fetch(`${hub.url}/gwone/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
  expect((await ping()).status).toBe(200);
  const { items } = (await pages.console('GET', '/mcp/tokens')).body;
  expect(items).toMatchObject([{ client_name: 'Test client', email: member.email }]);
  expect((await pages.console('DELETE', `/mcp/tokens/${items[0].id}`)).status).toBe(200);
  expect((await ping()).status).toBe(401);
});
