// The search box: each kind of result, the tenant's own rows only, and only what the role may read.
import type { SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { createUser } from '../../people/identity/index.ts';

let hub: TestHub;
const device = aDevice({ hostname: 'Lynx-Laptop' });
const OWNER = { 'x-subscriber-id': 'lynx.owner@example.com' };
const tool = anEntity('Lynx Coder', { kind: 'ai_tool', publisher: 'Wildcat' });

beforeAll(async () => {
  hub = await sharedTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [tool, anEntity('unrelated')]),
    headers: OWNER,
  });
  await createUser(hub.context.database.db, {
    tenantId: hub.tenantId,
    email: 'Lynx.Member@example.com',
    role: 'Viewer',
    password: null,
  });
  await hub.console('POST', '/mcp/backends', {
    body: {
      slug: 'lynx',
      name: 'Lynx calendar',
      url: 'https://example.com/mcp',
      auth: { kind: 'none' },
    },
  });
  await makeApp(await manage(hub), 'lynx-bot');
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine({ id: 'lynx-request-1' })]);
  await node.send('mcp-tool-calls', [aToolCallLine()]);
});
afterAll(() => hub.stop());

async function search(q: string, options: Parameters<TestHub['console']>[2] = {}) {
  const answer = await hub.console('GET', `/search?${new URLSearchParams({ q })}`, options);
  expect([q, answer.status]).toEqual([q, 200]);
  return answer.body as SearchAnswer;
}

describe('GET C/search', () => {
  it('finds each kind by a piece of its name, however it is written', async () => {
    for (const q of ['lynx', 'LYNX', ' Lynx ']) {
      expect(await search(q)).toMatchObject({
        devices: [{ device_id: device.device_id, hostname: 'Lynx-Laptop' }],
        users: [{ email: 'Lynx.Member@example.com' }, { email: 'lynx.owner@example.com' }],
        apps: [{ entity_id: tool.entity_id, name: 'Lynx Coder', kind: 'ai_tool' }],
        mcp_servers: [{ name: 'Lynx calendar' }],
        gateway_apps: [{ name: 'lynx-bot' }],
        requests: [],
      });
    }
  });

  it('finds a request by its whole id, and a tool call by its event id', async () => {
    expect((await search('lynx-request-1')).requests).toMatchObject([
      { kind: 'llm_request', id: 'lynx-request-1' },
    ]);
    expect((await search('lynx-request')).requests).toEqual([]);
    const { rows } = await hub.context.database.pool.query<{ event_id: string; log_id: string }>(
      'SELECT event_id, log_id FROM mcp_tool_calls WHERE tenant_id = $1',
      [hub.tenantId],
    );
    const [call] = rows;
    expect((await search(call?.event_id ?? '')).requests).toMatchObject([
      { kind: 'tool_call', id: String(call?.log_id) },
    ]);
  });

  it('returns at most five of a kind', async () => {
    const many = Array.from({ length: 7 }, (_, n) => anEntity(`caracal-${n}`));
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, many),
      headers: OWNER,
    });
    expect((await search('caracal')).apps).toHaveLength(5);
  });

  it('finds nothing of another tenant', async () => {
    const other = await hub.newTenant('Other');
    const results = await search('lynx', { tenantId: other.tenantId, token: other.adminToken });
    const { request_id: _id, ...kinds } = results;
    expect(Object.values(kinds).flat()).toEqual([]);
  });

  it('keeps the list of users from a viewer, who knows identities of devices only', async () => {
    const token = await hub.tokenFor('Viewer');
    const results = await search('lynx', { token });
    expect(results.users).toEqual([{ email: 'lynx.owner@example.com' }]);
    expect(results.devices).toHaveLength(1);
  });

  it('refuses a member, an empty text and 201 characters', async () => {
    const member = await hub.tokenFor('Member');
    expect((await hub.console('GET', '/search?q=lynx', { token: member })).status).toBe(403);
    expect((await hub.console('GET', '/search?q=')).status).toBe(400);
    expect((await hub.console('GET', `/search?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  it('finds nothing for text that is only spaces or slashes', async () => {
    for (const q of ['  ', '//', '%', '_']) {
      const { apps, devices } = await search(q);
      expect([q, apps, devices]).toEqual([q, [], []]);
    }
  });
});
