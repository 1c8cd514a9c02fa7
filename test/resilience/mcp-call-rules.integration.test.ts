// Guardrails for calls through the gateway run with real clients of both revisions and a real server: argument schemas,
// input and output guardrails, human approval; what reaches the server and the log row.

import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { toolCallRow } from '../support/mcp-hub.ts';
import { first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';
import { aTalkingServer } from '../support/mcp-talking-servers.ts';

let hub: TestHub;
let token: string;
let email: string;
let echo: Running;
let talking: Awaited<ReturnType<typeof aTalkingServer>>;
let backendId: string;
let answerText = 'fine';
let before: object[] = [];

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  echo = await aServer((_request, response, body) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'server/discover') {
      response.writeHead(404).end();
      return;
    }
    const result = method === 'tools/call' ? { content: [{ type: 'text', text: answerText }] } : {};
    const all = [...(method === 'tools/call' ? before : []), { jsonrpc: '2.0', id, result }];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const item of all) response.write(`data: ${JSON.stringify(item)}\n\n`);
    response.end();
    void params;
  });
  talking = await aTalkingServer();
  for (const [slug, { url }] of Object.entries({ echo, talking })) {
    const created = await hub.console('POST', '/mcp/backends', {
      body: { slug, name: `The ${slug}`, url, auth: { kind: 'none' } },
    });
    if (slug === 'echo') backendId = created.body.backend.id;
  }
  email = (await aPerson(hub, 'Viewer')).email;
  token = await aToken(hub, email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await echo.close();
  await talking.close();
});

/** Creates a rule for the echo server; each test begins without rules. */
async function withRule(definition: object, more: object = {}) {
  const created = await hub.console('POST', '/mcp/call-rules', {
    body: { name: 'The rule', backend_id: backendId, definition, ...more },
  });
  expect([created.status, created.body.error]).toEqual([201, undefined]);
  return created.body.rule as { id: string; version: string };
}
beforeEach(async () => {
  answerText = 'fine';
  before = [];
  const { body } = await hub.console('GET', '/mcp/call-rules?limit=200');
  for (const item of body.items) {
    await hub.console('DELETE', `/mcp/call-rules/${item.id}`, {
      headers: { 'if-match': item.version },
    });
  }
});

const calls = () => echo.requests.filter((request) => request.body.includes('"tools/call"'));
const call = (args: object, id: string | number = 1, name = 'echo__write') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
async function answerOf(args: object, id?: string) {
  return first(
    messagesIn(await send(hub, token, call(args, id))),
    (message) => message.method === undefined,
  );
}
const rowOf = (id: string) => toolCallRow(hub, id);

test('rejects arguments outside the schema before the server, and names them', async () => {
  const rule = await withRule({
    kind: 'arguments',
    schema: { type: 'object', properties: { path: { type: 'string', pattern: '^/srv/' } } },
  });
  const sent = calls().length;
  const refused = await answerOf({ path: '/etc/passwd' }, 'refused-arguments');
  expect(refused.error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('The rule "The rule"'),
    data: { rule_id: rule.id, pointer: '/arguments/path', request_id: expect.any(String) },
  });
  expect(calls().length).toBe(sent);
  // Most clients show the message alone, and the export has no other field that finds the row.
  const requestId = String((refused.error?.data as { request_id?: string })?.request_id);
  expect(refused.error?.message).toContain(`Request ${requestId}.`);
  expect((await answerOf({ path: '/srv/x' })).result).toBeDefined();
  expect(await rowOf('refused-arguments')).toMatchObject({
    guardrails: {
      input: {
        outcome: 'blocked',
        is_blocked: true,
        predictions: [{ rule_id: rule.id, category: 'arguments', pointer: '/path' }],
      },
    },
    response: { success: false, error_message: expect.stringContaining(requestId) },
  });
});

test.each([
  ['an approval', { kind: 'approval', by: 'reviewer' }],
  ['a rule on arguments', { kind: 'arguments', schema: { required: ['ticket'] } }],
])('applies %s to a call that claims to continue another call', async (_what, definition) => {
  await withRule(definition);
  const sent = calls().length;
  for (const requestState of ['gw1.x', 'gw2.x', 'gw3.x', 'gw1.', 'x']) {
    const plain = call({});
    const params = {
      ...plain.params,
      requestState,
      inputResponses: { approval: { action: 'accept' } },
    };
    const asked = modern({ ...plain, params });
    for (const [body, headers] of [
      [{ ...plain, params }, {}],
      [asked.body, asked.headers],
    ] as const) {
      const answer = await send(hub, token, body, headers);
      expect(
        (await first(messagesIn(answer), (message) => message.method === undefined)).error,
      ).toMatchObject({
        code: -32602,
      });
    }
  }
  expect(calls().length).toBe(sent);
});

test.each(['monitor', 'redact', 'block'] as const)(
  'applies a guardrail with the action %s',
  async (action) => {
    await withRule({
      kind: 'guardrail',
      direction: 'both',
      action,
      detectors: ['email'],
      patterns: [{ name: 'ticket', pattern: 'T-[0-9]{4}' }],
      words: ['project x'],
    });
    const id = `guarded-${action}`;
    answerText = 'ask bob@example.com about T-1234';
    before = [
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'seen carol@example.com' },
      },
    ];
    const sent = calls().length;
    const answer = messagesIn(
      await send(hub, token, call({ to: 'ada@example.com', on: 'Project X' }, id)),
    );
    const all = [];
    for await (const message of answer) all.push(message);
    const text = JSON.stringify(all);
    const row = await rowOf(id);
    const seen = calls().at(-1)?.body ?? '';
    if (action === 'block') {
      expect(calls().length).toBe(sent);
      expect(all[0]?.error?.message).toMatch(/blocked the call: it contains email/);
      expect(row.guardrails.input).toMatchObject({ outcome: 'blocked', is_blocked: true });
      expect(JSON.stringify(row.payload)).not.toContain('ada@example.com');
      const clean = await answerOf({});
      expect(clean.error?.message).toMatch(/blocked the response/);
      return;
    }
    const outcome = action === 'monitor' ? 'monitored' : 'redacted';
    expect(row.guardrails).toMatchObject({ input: { outcome }, output: { outcome } });
    const categories = (side: 'input' | 'output') =>
      row.guardrails[side].predictions.map(
        (prediction: { category: string }) => prediction.category,
      );
    expect(categories('input')).toEqual(['email', 'denied_word']);
    expect(new Set(categories('output'))).toEqual(new Set(['email', 'ticket']));
    const kept = action === 'monitor';
    for (const logged of [seen, text, JSON.stringify(row.payload)]) {
      expect(logged.includes('@example.com')).toBe(kept);
    }
    expect(seen.includes('Project X')).toBe(kept);
    expect(text.includes('T-1234')).toBe(kept);
  },
);

test('lets a client of the older revision send no unchecked state to its server', async () => {
  await withRule({ kind: 'guardrail', direction: 'input', action: 'block', detectors: ['email'] });
  const { params, ...plain } = call({});
  const requestState = 'of ann@example.com';
  const answer = await send(hub, token, { ...plain, params: { ...params, requestState } });
  expect((await first(messagesIn(answer), (message) => message.id === 1)).result).toBeDefined();
  expect(calls().at(-1)?.body).not.toContain('ann@');
  const named = { 'io.modelcontextprotocol/of-their-own': 'ann@example.com' };
  const asked = modern({ ...plain, params: { ...params, _meta: named } });
  const refused = await send(hub, token, asked.body, asked.headers);
  expect((await first(messagesIn(refused), () => true)).error).toMatchObject({ code: -32602 });
});

test('blocks when any guardrail blocks, whatever other guardrails would do', async () => {
  const about = { kind: 'guardrail', direction: 'both', detectors: ['email'] };
  for (const action of ['redact', 'monitor', 'redact', 'monitor', 'redact']) {
    await withRule({ ...about, action });
  }
  const { id: ruleId } = await withRule({ ...about, action: 'block' });
  const sent = calls().length;
  const { error } = await answerOf({ to: 'ann@example.com' });
  expect(error).toMatchObject({ data: { rule_id: ruleId } });
  expect(calls().length).toBe(sent);
});

test('checks names and members beside the arguments', async () => {
  await withRule({ kind: 'guardrail', direction: 'input', action: 'block', detectors: ['email'] });
  const { params, ...rest } = call({});
  const withMeta = { ...rest, params: { ...params, _meta: { note: 'ada@example.com' } } };
  const messageFor = async (body: object) =>
    (await first(messagesIn(await send(hub, token, body)), () => true)).error?.message;
  expect(await messageFor(withMeta)).toMatch(/contains email/);
  expect(await messageFor(call({}, 1, 'echo__ada@example.com'))).toMatch(/contains email/);
  const withToken = (progressToken: unknown) =>
    messageFor({ ...rest, params: { ...params, _meta: { progressToken } } });
  expect(await withToken('ada@example.com')).toMatch(/contains email/);
  expect(await withToken(7)).toBeUndefined();
  expect(await withToken('token-7')).toBeUndefined();
});

test('applies a guardrail to its backend and its tools only', async () => {
  await withRule(
    { kind: 'guardrail', direction: 'input', action: 'block', detectors: ['email'] },
    { tool: 'sa*d' },
  );
  expect((await answerOf({ to: 'ada@example.com' })).error).toBeUndefined();
  const unmatched = await send(hub, token, call({ to: 'ada@example.com' }, 1, 'echo__sad'));
  expect((await first(messagesIn(unmatched), () => true)).error).toBeDefined();
});

test.each([
  [{ kind: 'arguments', schema: { $ref: '#' } }, /\/definition\/schema\/\$ref/],
  [{ kind: 'guardrail', direction: 'both', action: 'block' }, /must hold detectors/],
  [
    {
      kind: 'guardrail',
      direction: 'both',
      action: 'block',
      patterns: [{ name: 'a', pattern: '(?=a)' }],
    },
    /\/definition\/patterns\/0\/pattern/,
  ],
])('rejects %j with its pointer', async (definition, message) => {
  const refused = await hub.console('POST', '/mcp/call-rules', { body: { name: 'x', definition } });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringMatching(message),
  ]);
});

const options = () => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
async function client(kind: 'old' | 'new', approve: boolean | null) {
  const capabilities = approve === null ? {} : { elicitation: {} };
  const asked: unknown[] = [];
  const answer = async (request: { params: unknown }) => {
    const { message } = request.params as { message: string };
    if (message.startsWith('Which colour')) {
      return { action: 'accept' as const, content: { colour: 'blue' } };
    }
    asked.push(message);
    return { action: 'accept' as const, content: { approve: approve === true } };
  };
  const url = new URL(`${hub.url}/gwone/mcp`);
  if (kind === 'old') {
    const mcpClient = new OldClient({ name: 'old', version: '1' }, { capabilities });
    if (approve !== null) mcpClient.setRequestHandler(ElicitRequestSchema, answer);
    await mcpClient.connect(new OldTransport(url, options()) as never);
    return { mcpClient, asked };
  }
  const mcpClient = new NewClient({ name: 'new', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
    capabilities,
  } as never);
  if (approve !== null) mcpClient.setRequestHandler('elicitation/create', answer as never);
  await mcpClient.connect(new NewTransport(url, options()));
  return { mcpClient, asked };
}

test.each(['old', 'new'] as const)(
  'elicits approval in the %s client, and sends only the approved call to the server',
  async (kind) => {
    await withRule({ kind: 'approval', by: 'caller' }, { backend_id: null });
    const yes = await client(kind, true);
    const sent = calls().length;
    const toolCall = { name: 'echo__write', arguments: { to: kind } };
    expect(await yes.mcpClient.callTool(toolCall)).toMatchObject({ content: [{ text: 'fine' }] });
    expect(yes.asked).toEqual([expect.stringContaining(`{"to":"${kind}"}`)]);
    expect(calls().length).toBe(sent + 1);
    // The server's own questions come after, once each.
    const ask = await yes.mcpClient.callTool({ name: 'talking__ask', arguments: {} });
    expect(ask).toMatchObject({ content: [{ text: 'blue state-of-the-server' }] });
    expect(yes.asked).toHaveLength(2);
    await yes.mcpClient.close();
    const no = await client(kind, false);
    await expect(no.mcpClient.callTool(toolCall)).rejects.toThrow(/was denied/);
    expect(calls().length).toBe(sent + 1);
    await no.mcpClient.close();
  },
);

test('waits for an approval in the console without elicitation, and lets the call through once', async () => {
  const { id } = await withRule({ kind: 'approval', by: 'caller' });
  const { mcpClient } = await client('old', null);
  const toolCall = { name: 'echo__write', arguments: { amount: 7, password: 'hunter2-of-ours' } };
  await expect(mcpClient.callTool(toolCall)).rejects.toThrow(
    /needs approval by you, in the console/,
  );
  await expect(mcpClient.callTool(toolCall)).rejects.toThrow(/needs approval by you/);
  const as = await hub.tokenFor('Viewer');
  const approvals = await hub.console('GET', '/mcp/approvals', { token: as });
  expect(approvals.body.items).toEqual([]);
  const all = await hub.console('GET', '/mcp/approvals?of=all');
  const waiting = all.body.items.filter((rule: { rule_id: string }) => rule.rule_id === id);
  expect(waiting).toMatchObject([
    { email, tool: 'write', state: 'pending', by: 'caller', arguments: { amount: 7 } },
  ]);
  expect(JSON.stringify(waiting)).not.toContain('hunter2');
  const path = `/mcp/approvals/${waiting[0].id}`;
  // Only the caller may approve; an administrator's approval does not count.
  expect((await hub.console('POST', `${path}/grant`)).status).toBe(404);
  const own = await tokenOf(email);
  expect((await hub.console('POST', `${path}/grant`, { token: own })).body.approval.state).toBe(
    'granted',
  );
  expect((await hub.console('POST', `${path}/deny`, { token: own })).status).toBe(409);
  await expect(
    mcpClient.callTool({ ...toolCall, arguments: { ...toolCall.arguments, amount: 8 } }),
  ).rejects.toThrow(/needs approval by you/);
  const both = await Promise.allSettled([
    mcpClient.callTool(toolCall),
    mcpClient.callTool(toolCall),
  ]);
  expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  await mcpClient.close();
});

test('waits for an approval in the console when the client only opens URLs', async () => {
  await withRule({ kind: 'approval', by: 'caller' });
  const { body, headers } = modern({ ...call({ of: 'address' }) }, { elicitation: { url: {} } });
  const refused = await first(
    messagesIn(await send(hub, token, body, headers)),
    (message) => message.method === undefined,
  );
  expect(refused.error?.message).toMatch(/needs approval by you, in the console/);
});

test('counts matches in many messages of a response as a single finding', async () => {
  const words = { kind: 'guardrail', direction: 'output', action: 'monitor', words: ['codename'] };
  const { id } = await withRule(words);
  const params = { progressToken: 1, progress: 1, message: 'of codename' };
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
  before = Array.from({ length: 50 }, () => progress);
  answerText = 'codename, at last';
  expect((await answerOf({}, 'single-finding')).result).toBeDefined();
  expect((await rowOf('single-finding')).guardrails.output).toMatchObject({
    outcome: 'monitored',
    predictions: [{ rule_id: id, category: expect.any(String), count: 51 }],
  });
});

test('requires a reviewer where the guardrail does, not the caller', async () => {
  await withRule({ kind: 'approval', by: 'reviewer' });
  const { mcpClient, asked } = await client('old', true);
  const toolCall = { name: 'echo__write', arguments: { of: 'reviewer' } };
  await expect(mcpClient.callTool(toolCall)).rejects.toThrow(/needs approval by a reviewer/);
  expect(asked).toEqual([]);
  const { body } = await hub.console('GET', '/mcp/approvals?of=all');
  const path = `/mcp/approvals/${body.items[0].id}/grant`;
  expect((await hub.console('POST', path, { token: await tokenOf(email) })).status).toBe(404);
  expect((await hub.console('POST', path)).status).toBe(200);
  expect(await mcpClient.callTool(toolCall)).toMatchObject({ content: [{ text: 'fine' }] });
  await mcpClient.close();
});

async function tokenOf(who: string): Promise<string> {
  const { createAdminToken } = await import(
    '@gatewarden/hub/src/features/people/identity/index.ts'
  );
  return createAdminToken(hub.context.database.db, hub.context.sealer, {
    origin: hub.url,
    tenantId: hub.tenantId,
    email: who,
    role: 'Viewer',
  });
}
