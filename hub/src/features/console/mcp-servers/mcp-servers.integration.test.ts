// MCP servers on devices and behind the gateway: discovered servers by product, adoption, health, and tests of connections.
import { entityId } from '@gatewarden/shared/identity.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall } from '../../../../../test/support/hub.ts';
import { aNode, aToolCallLine } from '../../../../../test/support/logs.ts';
import { type McpHub, startMcpHub } from '../../../../../test/support/mcp-hub.ts';
import { aModernServer, aServer, type Running } from '../../../../../test/support/mcp-servers.ts';

let mcp: McpHub;
let modern: Running;
let locked: Running;
const GONE = 'http://127.0.0.1:9/mcp';

beforeAll(async () => {
  mcp = await startMcpHub();
  modern = await aModernServer();
  locked = await aServer((_request, response) => void response.writeHead(401).end());
});
afterAll(async () => {
  await mcp?.hub.stop();
  await modern?.close();
  await locked?.close();
});

const get = async (path: string) => (await mcp.hub.console('GET', path)).body;
const statusOf = async (id: string) =>
  (await get('/mcp/server-status')).items.find(
    (item: { backend_id: string }) => item.backend_id === id,
  );
const test = async (body: object) =>
  (await mcp.hub.console('POST', '/mcp/connection-test', { body })).body.test;

function mcpServer(name: string, configured: object) {
  return anEntity(name, {
    ...{ entity_id: entityId('linux', 'mcp_server', 'mcp_config', name), kind: 'mcp_server' },
    ...{ source: 'mcp_config', publisher: null, details: { configured: [configured] } },
  });
}

async function report(user: string, entities: ReturnType<typeof mcpServer>[]) {
  const answer = await deviceCall(mcp.hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), entities),
    headers: { 'x-subscriber-id': user },
  });
  expect(answer.status).toBe(202);
}

it('tests settings before they are saved, and stores nothing', async () => {
  const before = await get('/mcp/server-status');
  expect(await test({ url: modern.url, auth: { kind: 'none' } })).toMatchObject({
    ...{ outcome: 'connected', error: null },
    tools: [{ name: 'greet', description: 'Greets' }, { name: 'secret-tool' }],
  });
  expect(await test({ url: locked.url, auth: { kind: 'oauth' } })).toMatchObject({
    ...{ outcome: 'sign_in_required', error: null, tools: [] },
  });
  expect(await test({ url: locked.url, auth: { kind: 'none' } })).toMatchObject({
    ...{ outcome: 'failed', error: 'The server requires authentication. Choose another sign-in.' },
  });
  const secret = { kind: 'shared', secret: 'wrong' };
  expect(await test({ url: locked.url, auth: secret })).toMatchObject({
    ...{ outcome: 'failed', error: 'The server rejected the credential.' },
  });
  expect(locked.requests.at(-1)?.headers.authorization).toBe('Bearer wrong');
  expect(await test({ url: GONE, auth: { kind: 'none' } })).toMatchObject({
    ...{ outcome: 'failed', error: expect.stringContaining("can't be reached") },
  });
  expect((await get('/mcp/server-status')).items).toEqual(before.items);
});

it('refuses to test an address that a server may not have', async () => {
  const body = { url: 'http://10.1.2.3/mcp', auth: { kind: 'none' } };
  const answer = await mcp.hub.console('POST', '/mcp/connection-test', { body });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'url_not_allowed']);
});

it('records the health of a saved server by tests and reviews, and keeps the last error', async () => {
  const backend = await mcp.aBackend('health', GONE);
  expect(await statusOf(backend.id)).toMatchObject({
    health: { state: 'unknown', checked_at: null, last_error: null },
    ...{ tool_count: null, approved_tool_count: 0 },
  });
  await mcp.hub.console('POST', `/mcp/backends/${backend.id}/test`);
  expect(await statusOf(backend.id)).toMatchObject({
    health: { state: 'unreachable', last_error: expect.stringContaining("can't be reached") },
  });
  await mcp.hub.console('PATCH', `/mcp/backends/${backend.id}`, {
    headers: { 'if-match': backend.version },
    body: { url: modern.url },
  });
  await mcp.hub.console('POST', `/mcp/backends/${backend.id}/pin-tools`);
  expect(await statusOf(backend.id)).toMatchObject({
    health: { state: 'reachable', last_error: expect.stringContaining("can't be reached") },
    ...{ tool_count: 2, approved_tool_count: 2, drifted_tool_count: 0 },
  });
});

it('records that a call of a client did not reach its server', async () => {
  const backend = await mcp.aBackend('silent', GONE);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'silent__x' } };
  await mcp.post(call);
  await vi.waitFor(async () => {
    expect((await statusOf(backend.id)).health.state).toBe('unreachable');
  }, 10_000);
});

it('lists discovered servers by product, with users and how to publish them', async () => {
  const github = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github'] };
  const remote = mcpServer('mcp.linear.app/mcp', { url: 'https://mcp.linear.app/mcp' });
  await report('ann@example.com', [
    mcpServer('@modelcontextprotocol/server-github', github),
    mcpServer('notes.example.com/mcp', { url: 'https://notes.example.com/mcp' }),
    mcpServer('intranet', { url: 'http://10.1.2.3/mcp' }),
    mcpServer('mcp-server-git', { command: 'uvx', args: ['mcp-server-git'] }),
    mcpServer('gateway', { url: `${mcp.hub.url}/linear/mcp` }),
    remote,
  ]);
  await report('bob@example.com', [remote]);
  const backend = await mcp.aBackend('linear', 'https://mcp.linear.app/mcp');
  const node = await aNode(mcp.hub, mcp.hub.tenantId);
  await node.send(
    'mcp-tool-calls',
    ['ann@example.com', 'Eve@example.com'].map((user) =>
      aToolCallLine({}, { backend: { id: backend.id }, metadata: { user_email: user } }),
    ),
  );
  const listed = await vi.waitFor(async () => {
    const page = await get('/mcp/discovered-servers');
    expect(page.total).toBe(6);
    return page.items;
  }, 30_000);
  const byName = (name: string) => listed.find((item: { name: string }) => item.name === name);
  expect(listed[0]).toMatchObject({
    ...{ name: 'Linear', device_count: 2, user_count: 2, platforms: ['linux'], is_remote: true },
    ...{ catalog_id: 'mcp-linear', url: 'https://mcp.linear.app/mcp', obstacle: null },
    backends: [{ id: backend.id, name: 'The linear' }],
    adoption: { gateway: 1, direct: 2 },
  });
  expect(byName('GitHub')).toMatchObject({
    ...{ is_remote: false, url: 'https://api.githubcopilot.com/mcp/', obstacle: null },
    ...{ backends: [], adoption: { gateway: 0, direct: 1 } },
  });
  expect(byName('Git')).toMatchObject({ url: null, obstacle: 'local_only', catalog_id: 'mcp-git' });
  const keyless = Object.fromEntries(
    listed
      .filter((item: { catalog_id: string | null }) => item.catalog_id === null)
      .map((item: { name: string; url: string | null; obstacle: string | null }) => [
        ...[item.name, [item.url, item.obstacle]],
      ]),
  );
  expect(keyless).toEqual({
    'notes.example.com/mcp': ['https://notes.example.com/mcp', null],
    intranet: [null, 'private_address'],
    gateway: [null, 'is_gateway'],
  });
  expect(await statusOf(backend.id)).toMatchObject({ adoption: { gateway: 1, direct: 2 } });
});
