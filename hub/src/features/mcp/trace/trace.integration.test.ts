// The explanation of a tool call shows the policy that decided it, the current policy, and its author, for real calls
// through the gateway.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aNode, aToolCallLine } from '../../../../../test/support/logs.ts';
import { aPerson, aToken, signedInBrowser } from '../../../../../test/support/mcp-client.ts';
import { aCall, type McpHub, startMcpHub } from '../../../../../test/support/mcp-hub.ts';
import { aServer, type Running } from '../../../../../test/support/mcp-servers.ts';

let m: McpHub;
let server: Running;
let backendId: string;
let description = 'Reads';
const admin = 'admin@example.com';

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const tools = ['read', 'write', 'drop'].map((name) => ({
      name,
      description,
      inputSchema: { type: 'object' },
    }));
    const result = method === 'tools/list' ? { tools } : { content: [] };
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  backendId = (await m.aBackend('files', server.url, { drift: 'hide', tools: { deny: ['drop'] } }))
    .id;
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

/** The number of the row of a call that had this JSON-RPC id. */
async function logIdOf(id: string): Promise<number> {
  const find = async () =>
    (await m.hub.console('GET', `/mcp/tool-calls?request_id=${id}`)).body.items[0]?.log_id;
  await expect.poll(find).toBeDefined();
  return find();
}
const why = async (logId: number | string) =>
  m.hub.console('GET', `/mcp/tool-calls/${logId}/why`, { token: await m.hub.tokenFor('Viewer') });

/** Calls, and gives the chain of the call. */
async function called(name: string, path = '/gwone/mcp', headers = {}) {
  const id = randomUUID();
  await m.post(aCall(name, id), headers, path);
  const { status, body } = await why(await logIdOf(id));
  expect(status).toBe(200);
  return body;
}
const made = async (path: string, body: object) =>
  (await m.hub.console('POST', path, { body })).body;

test('explains an allowed call by user, server and policy, and marks later changes', async () => {
  const { rule } = await made('/mcp/rules', {
    effect: 'allow',
    backend_id: backendId,
    tool: 'read',
    subject: { kind: 'person', email: m.email },
  });
  await made(`/mcp/backends/${backendId}/pin-tools`, {});
  const id = randomUUID();
  await m.post(aCall('files__read', id));
  const logId = await logIdOf(id);
  const allowed = { why: 'allowed', rule_id: rule.rule_id };
  const { body } = await why(logId);
  expect(body).toMatchObject({
    call: { outcome: 'passed', message: null, sent_by: { kind: 'gateway' } },
    caller: { email: m.email, via: 'oauth', role: 'Member', token: null },
    server: {
      backend_id: backendId,
      version_then: 1,
      now: { version: 1, enabled: true, drift: 'hide', deny: ['drop'] },
      events: [
        { operation: 'mcp_backend.create', by: admin, is_since: false },
        { operation: 'mcp_backend.pin_tools', by: admin, is_since: false },
      ],
    },
    tool: { name: 'read', review: 'pinned', approved: { by: admin }, approved_since: null },
    access: {
      at_call: allowed,
      now: allowed,
      rules: [
        {
          rule: { effect: 'allow', created_by: admin },
          events: [{ operation: 'mcp_rule.create', by: admin, is_since: false }],
        },
      ],
    },
    call_rules: [],
    approval: null,
  });
  const trail = await m.hub.console('GET', `/audit/${body.access.rules[0].events[0].event_id}`);
  expect(trail.body.event.resource.id).toBe(rule.rule_id);

  await m.hub.console('DELETE', `/mcp/rules/${rule.rule_id}`, { headers: { 'if-match': '"1"' } });
  await m.hub.console('PATCH', `/mcp/backends/${backendId}`, {
    body: { tools: { deny: ['drop', 'read'] } },
    headers: { 'if-match': '"1"' },
  });
  await made(`/mcp/backends/${backendId}/pin-tools`, {});
  expect((await why(logId)).body).toMatchObject({
    server: { version_then: 1, now: { version: 2 } },
    tool: { approved: { is_since: false }, approved_since: { by: admin, is_since: true } },
    access: {
      at_call: allowed,
      now: { why: 'tool_not_offered', rule_id: null },
      rules: [
        {
          rule: null,
          events: [{ is_since: false }, { operation: 'mcp_rule.delete', is_since: true }],
        },
      ],
    },
  });
});

test('explains each kind of refusal by its cause', async () => {
  expect(await called('files__drop')).toMatchObject({
    call: { outcome: 'blocked', message: expect.stringContaining("isn't offered") },
    access: { at_call: { why: 'tool_not_offered' }, rules: [] },
  });
  const { rule } = await made('/mcp/rules', {
    effect: 'deny',
    backend_id: backendId,
    tool: 'write',
    subject: { kind: 'everybody' },
    reason: 'Nobody writes',
  });
  expect(await called('files__write')).toMatchObject({
    call: { outcome: 'blocked' },
    access: { at_call: { why: 'denied' }, rules: [{ rule: { reason: 'Nobody writes' } }] },
  });
  await m.hub.console('DELETE', `/mcp/rules/${rule.rule_id}`, { headers: { 'if-match': '"1"' } });
  const guardrail = await made('/mcp/call-rules', {
    name: 'No passwords',
    backend_id: backendId,
    definition: { kind: 'guardrail', action: 'block', direction: 'input', words: ['hunter2'] },
  });
  expect(await called('files__write')).toMatchObject({
    call: { outcome: 'blocked' },
    access: { at_call: { why: 'no_rule', rule_id: null } },
    call_rules: [
      {
        rule_id: guardrail.rule.id,
        name: 'No passwords',
        kind: 'guardrail',
        stands: 'enabled',
        found: [{ side: 'input', action: 'block', category: 'denied_word' }],
        events: [{ operation: 'mcp_call_rule.create', by: admin }],
      },
    ],
  });
  await m.hub.console('PATCH', `/mcp/call-rules/${guardrail.rule.id}`, {
    body: { definition: { kind: 'approval', by: 'reviewer' } },
    headers: { 'if-match': guardrail.rule.version },
  });
  expect(await called('files__write')).toMatchObject({
    call: { outcome: 'blocked' },
    call_rules: [{ kind: 'approval', found: [{ category: 'approval' }] }],
    approval: null,
  });
  const { items } = (await m.hub.console('GET', '/mcp/approvals?of=all')).body;
  const granted = await m.hub.console('POST', `/mcp/approvals/${items[0].id}/grant`);
  expect(granted.status).toBe(200);
  expect(await called('files__write')).toMatchObject({
    call: { outcome: 'passed' },
    approval: { by: admin, rule_id: guardrail.rule.id, events: [{ by: admin, is_since: false }] },
  });
  await m.hub.console('DELETE', `/mcp/call-rules/${guardrail.rule.id}`, {
    headers: { 'if-match': '"2"' },
  });
  description = 'Reads, and notifies a stranger';
  await m.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(await called('files__write')).toMatchObject({
    call: { outcome: 'blocked' },
    tool: { review: 'changed', approved: { by: admin } },
    access: { at_call: { why: 'tool_under_review' } },
  });
});

test('ignores list changes of other users on servers with a list per user', async () => {
  const words: Record<string, string> = { a: 'Reads', b: 'Reads' };
  const each = await aServer((request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const description = words[String(request.headers['x-key'])];
    const tools = [{ name: 'read', description, inputSchema: { type: 'object' } }];
    const result = method === 'tools/list' ? { tools } : { content: [] };
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const auth = { kind: 'personal_key', header: 'X-Key' };
  const { id } = await m.aBackend('each', each.url, { drift: 'hide', auth });
  const someone = async (secret: string, role?: 'Admin') => {
    const { email } = await aPerson(m.hub, role);
    const browser = await signedInBrowser(m.hub, email);
    await browser.console('PUT', `/mcp/connections/${id}`, { secret });
    const authorization = `Bearer ${await aToken(m.hub, email, { prefix: '/gwone' })}`;
    return { browser, call: () => called('each__read', '/gwone/mcp', { authorization }) };
  };
  const a = await someone('a', 'Admin');
  const b = await someone('b');
  expect((await a.browser.console('POST', `/mcp/backends/${id}/pin-tools`)).status).toBe(200);
  words.b = 'Reads, and notifies a stranger';
  const review = 'tool_under_review';
  expect(await b.call()).toMatchObject({
    call: { outcome: 'blocked' },
    tool: { review: 'changed' },
    access: { at_call: { why: review }, now: { why: review } },
  });
  expect(await a.call()).toMatchObject({
    call: { outcome: 'passed' },
    tool: { review: 'changed' },
    access: { at_call: { why: 'no_rule' }, now: { why: 'no_rule' } },
  });
  await each.close();
});

test('names a direct API token, treats an unreachable server as no policy, and links only existing objects', async () => {
  await m.hub.console('PUT', '/mcp/settings', { body: { allowed_email_domains: ['example.com'] } });
  const dead = await m.aBackend('dead', 'http://127.0.0.1:9/mcp');
  const issued = await made(`/mcp/backends/${dead.id}/api-tokens`, { name: 'CI', agent: 'bot' });
  const down = await called('read', '/dead/mcp', {
    authorization: `Bearer ${issued.token.secret}`,
    mcpuser: 'robot@example.com',
    'user-agent': 'bot/1',
  });
  expect(down).toMatchObject({
    call: { outcome: 'failed', message: expect.any(String) },
    caller: {
      email: 'robot@example.com',
      via: 'api_token',
      role: null,
      agent: 'bot/1',
      token: { name: 'CI', agent: 'bot', stands: 'live', made_by: admin, events: [{ by: admin }] },
    },
    access: { at_call: { why: 'no_rule' }, now: { why: 'no_rule' } },
    tool: { review: null, approved: null },
  });
  expect(await called('nowhere__read')).toMatchObject({
    call: { outcome: 'failed' },
    server: { backend_id: null, name: 'nowhere', now: null, events: [] },
    access: { at_call: null, now: null },
  });
});

test('names the node that reported a row, and answers 404 to another tenant', async () => {
  const id = randomUUID();
  const node = await aNode(m.hub, m.hub.tenantId, 'edge');
  const foreign = { rule_id: randomUUID(), rule: 'Not ours', action: 'block', category: 'x' };
  await node.send('mcp-tool-calls', [
    aToolCallLine({ id }, { guardrails: { input: { is_blocked: true, predictions: [foreign] } } }),
  ]);
  const logId = await logIdOf(id);
  expect((await why(logId)).body).toMatchObject({
    call: { outcome: 'blocked', sent_by: { kind: 'node', node: 'edge' } },
    access: { at_call: null },
    call_rules: [],
  });
  const other = await m.hub.newTenant('Other');
  const asked = { tenantId: other.tenantId, token: other.adminToken };
  const refused = async (theirs: number | string) => {
    const { status, body } = await m.hub.console('GET', `/mcp/tool-calls/${theirs}/why`, asked);
    return [status, body.error.code];
  };
  expect(await refused(logId)).toEqual([404, 'not_found']);
  expect(await refused(999_999_999)).toEqual([404, 'not_found']);
  const member = { token: await m.hub.tokenFor('Member') };
  expect((await m.hub.console('GET', `/mcp/tool-calls/${logId}/why`, member)).status).toBe(403);
});
