// Access policies decide which user may use which tool: lists, calls and the answer to "who may call this" agree at
// once and at every hub.
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, signedInBrowser } from '../support/mcp-client.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

const TOOLS = ['read', 'write', 'write_all'];
let hub: TestHub;
let secondHub: TestHub;
let server: Running;
let backendId: string;
const people: Record<string, { email: string; token: string }> = {};

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })) },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
      'resources/list': { resources: [{ uri: 'memo://a', name: 'a' }] },
      'resources/read': { contents: [{ uri: 'memo://a', text: 'a' }] },
    };
    const result = results[method];
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
  const created = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'files', name: 'Files', url: server.url, auth: { kind: 'none' } },
  });
  backendId = created.body.backend.id;
  await hub.console('POST', `/mcp/backends/${backendId}/pin-tools`);
  for (const name of ['ann', 'bob', 'cid']) {
    const { email } = await aPerson(hub);
    people[name] = { email, token: await aToken(hub, email, { prefix: '/gwone' }) };
  }
});
afterAll(async () => {
  await secondHub.stop();
  await hub.stop();
  await server.close();
});
afterEach(async () => {
  const { body } = await hub.console('GET', '/mcp/rules?limit=200');
  for (const { rule_id: id, version } of body.items) {
    await hub.console('DELETE', `/mcp/rules/${id}`, { headers: { 'if-match': version } });
  }
});

const emailOf = (name: string) => people[name]?.email ?? '';
async function rpc(name: string, method: string, params: object = {}, at = hub) {
  const response = await fetch(`${at.url}/gwone/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${people[name]?.token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return (await response.json()) as any;
}
const call = (name: string, tool: string, at = hub) =>
  rpc(name, 'tools/call', { name: `files__${tool}`, arguments: {} }, at);
const listed = async (name: string, at = hub) =>
  (await rpc(name, 'tools/list', {}, at)).result.tools.map((tool: { name: string }) =>
    tool.name.slice('files__'.length),
  );
async function callable(name: string, at = hub) {
  const answers = await Promise.all(TOOLS.map((tool) => call(name, tool, at)));
  return TOOLS.filter((_, i) => answers[i].error === undefined);
}
const aRule = async (body: object) => {
  const created = await hub.console('POST', '/mcp/rules', { body });
  expect(created.body).toMatchObject({ rule: { version: '"1"' } });
  return created.body.rule;
};
const aGroup = async (name: string, members: string[]) =>
  (await hub.console('POST', '/people-groups', { body: { name, members } })).body.group;

/** Returns the tools that the console's explanation of access names, without a call. */
const explainedTools = async (name: string) => {
  const { body } = await hub.console('GET', `/mcp/access?email=${emailOf(name)}`);
  return body.items
    .filter((item: { tool: string | null; allowed: boolean }) => item.tool !== null && item.allowed)
    .map((item: { tool: string }) => item.tool);
};
async function expectTools(name: string, tools: string[]) {
  expect(await listed(name)).toEqual(tools);
  expect(await callable(name)).toEqual(tools);
  expect(await explainedTools(name)).toEqual(tools);
}

test('evaluates lists, calls and explanations alike for everybody, groups and users', async () => {
  await expectTools('ann', TOOLS);
  const group = await aGroup('Writers', [emailOf('ann').toUpperCase(), emailOf('bob')]);
  await aRule({
    effect: 'allow',
    backend_id: backendId,
    tool: 'write*',
    subject: { kind: 'group', group_id: group.people_group_id },
  });
  await aRule({
    effect: 'deny',
    tool: 'write_all',
    subject: { kind: 'person', email: emailOf('bob') },
  });
  await expectTools('ann', TOOLS);
  await expectTools('bob', ['read', 'write']);
  await expectTools('cid', ['read']);
});

test('rejects the next call of a removed group member at the other hub as well', async () => {
  const group = await aGroup('Readers', [emailOf('ann')]);
  await aRule({
    effect: 'allow',
    backend_id: backendId,
    subject: { kind: 'group', group_id: group.people_group_id },
  });
  expect(await callable('ann')).toEqual(TOOLS);
  expect(await callable('ann', secondHub)).toEqual(TOOLS);
  expect(await listed('bob', secondHub)).toEqual([]);
  expect((await rpc('bob', 'resources/list')).result.resources).toEqual([]);
  const read = await rpc('bob', 'resources/read', { uri: 'gw-files+memo://a' });
  expect(read.error.message).toMatch(/for others only/);
  const removed = await hub.console('PATCH', `/people-groups/${group.people_group_id}`, {
    headers: { 'if-match': group.version },
    body: { members: [] },
  });
  expect(removed.body.group).toMatchObject({ member_count: 0, members: [], version: '"2"' });
  expect(await callable('ann')).toEqual([]);
  await expect.poll(() => callable('ann', secondHub)).toEqual([]);
});

test('explains a blocked call, with the id of its row', async () => {
  await aRule({
    effect: 'deny',
    backend_id: backendId,
    tool: 'write',
    subject: { kind: 'everybody' },
    reason: 'Ask the platform team',
  });
  const { error } = await call('ann', 'write');
  expect(error.message).toMatch(
    /isn.t available to you: an access rule of your organization denies it \(Ask/,
  );
  expect(error.data).toMatchObject({ reason: 'denied', request_id: expect.any(String) });
  expect(error.message).toContain(error.data.request_id);
  const rows = async () =>
    (await hub.console('GET', `/mcp/tool-calls?request_id=${error.data.request_id}`)).body.items;
  await expect.poll(rows, { timeout: 10_000 }).toHaveLength(1);
  expect(await rows()).toMatchObject([
    { tool: 'write', user_email: emailOf('ann'), is_blocked: true, success: false },
  ]);
});

test('logs refused requests that are no tool calls by name', async () => {
  await aRule({
    effect: 'deny',
    backend_id: backendId,
    subject: { kind: 'everybody' },
  });
  const { error } = await rpc('ann', 'resources/read', { uri: 'gw-files+memo://a' });
  expect(error.message).toMatch(
    /isn.t available to you: an access rule of your organization denies it\. Request [0-9a-f-]{36}\.$/,
  );
  expect(error.data).toEqual({ reason: 'denied', request_id: expect.any(String) });
});

test('explains for every member whether they may call a tool, with the deciding policy', async () => {
  const rule = await aRule({
    effect: 'allow',
    backend_id: backendId,
    tool: 'write',
    subject: { kind: 'person', email: emailOf('ann') },
  });
  const { body } = await hub.console('GET', `/mcp/backends/${backendId}/access?tool=write&limit=2`);
  const next = await hub.console(
    'GET',
    `/mcp/backends/${backendId}/access?tool=write&cursor=${encodeURIComponent(body.next_cursor)}`,
  );
  const all = [...body.items, ...next.body.items];
  const of = (name: string) => all.find((item) => item.email === emailOf(name));
  expect(of('ann')).toMatchObject({ allowed: true, reason: 'allowed', rule });
  expect(of('bob')).toMatchObject({ allowed: false, reason: 'not_named', rule });
  const console = await hub.console(
    'GET',
    `/mcp/backends/${backendId}/access?tool=nothing&email=nobody@example.com`,
  );
  expect(console.body.items).toMatchObject([{ allowed: false, reason: 'not_a_member' }]);
});

test('rejects unknown references, keeps a group in use, and shows a Member no policies', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const body of [
    { effect: 'deny', subject: { kind: 'group', group_id: unknown } },
    { effect: 'deny', backend_id: unknown, subject: { kind: 'everybody' } },
    { effect: 'maybe', subject: { kind: 'everybody' } },
    { effect: 'deny', subject: { kind: 'person', email: 'no address' } },
  ]) {
    const refused = await hub.console('POST', '/mcp/rules', { body });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(/^\//);
  }
  const group = await aGroup('Named', []);
  const at = `/people-groups/${group.people_group_id}`;
  const rule = await aRule({
    effect: 'deny',
    subject: { kind: 'group', group_id: group.people_group_id },
  });
  const headers = { 'if-match': group.version };
  expect((await hub.console('DELETE', at, { headers })).body.error.code).toBe('group_in_use');
  expect((await hub.console('DELETE', `/mcp/rules/${rule.rule_id}`)).status).toBe(428);
  await hub.console('DELETE', `/mcp/rules/${rule.rule_id}`, {
    headers: { 'if-match': rule.version },
  });
  expect((await hub.console('DELETE', at, { headers })).status).toBe(200);
  expect((await hub.console('GET', at)).status).toBe(404);
  const pages = await signedInBrowser(hub, emailOf('ann'));
  for (const path of ['/mcp/rules', '/people-groups', `/mcp/access?email=${emailOf('bob')}`]) {
    expect((await pages.console('GET', path)).status).toBe(403);
  }
});
