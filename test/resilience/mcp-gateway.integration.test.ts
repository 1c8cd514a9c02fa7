// Real MCP clients call real MCP servers through the gateway: both revisions on either side, names, policies, log rows,
// and faulty servers.

import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aCall, type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aModernServer, aServer, everythingServer, type Running } from '../support/mcp-servers.ts';

let hub: TestHub;
let email: string;
let token: string;
let post: McpHub['post'];
let modern: Running;
let everything: Awaited<ReturnType<typeof everythingServer>>;
let odd: Running;
let answerOdd: Parameters<typeof aServer>[0] = (_request, response) => void response.destroy();

beforeAll(async () => {
  const [opened, ...servers] = await Promise.all([
    startMcpHub(),
    aModernServer(),
    everythingServer(),
    aServer((request, response, body) => answerOdd(request, response, body)),
  ]);
  [modern, everything, odd] = servers;
  ({ hub, email, token, post } = opened);
  await opened.aBackend('modern', modern.url, {
    auth: { kind: 'shared', secret: 'upstream-credential' },
    tools: { deny: ['secret-*'] },
  });
  await opened.aBackend('everything', everything.url);
  await opened.aBackend('odd', odd.url);
});
afterAll(async () => {
  await hub.stop();
  await modern.close();
  await everything.close();
  await odd.close();
});

const options = (bearer = token) => ({
  requestInit: { headers: { authorization: `Bearer ${bearer}` } },
});

async function newClient(path = '/gwone/mcp', bearer = token) {
  const client = new NewClient({ name: 'new', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
  } as never);
  await client.connect(new NewTransport(new URL(hub.url + path), options(bearer)));
  return client;
}
async function oldClient(path = '/gwone/mcp', bearer = token) {
  const client = new OldClient({ name: 'old', version: '1' });
  await client.connect(new OldTransport(new URL(hub.url + path), options(bearer)) as never);
  return client;
}

test.each([
  ['the newest official client', newClient],
  ['the client of before', oldClient],
])(
  'lets %s list and call tools of servers of either revision by prefixed names',
  async (_who, connect) => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    expect(names).toContain('modern__greet');
    expect(names).toContain('everything__echo');
    expect(names).not.toContain('modern__secret-tool');
    expect(await client.callTool({ name: 'modern__greet', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'hello' }],
    });
    expect(
      await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } }),
    ).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('hi') }] });
    await expect(client.callTool({ name: 'modern__secret-tool', arguments: {} })).rejects.toThrow(
      /isn't available to you/,
    );
    await expect(client.callTool({ name: 'nobody__x', arguments: {} })).rejects.toThrow(
      /Unknown name/,
    );
    const { resources } = await client.listResources();
    const note = resources.find((resource) => resource.uri.includes('memo://note'));
    const read = await client.readResource({ uri: note?.uri ?? '' });
    expect(read.contents).toMatchObject([{ text: 'a note', uri: note?.uri }]);
    const { prompts } = await client.listPrompts();
    const prompt = prompts.find(
      (prompt) => prompt.name.startsWith('everything__') && !prompt.arguments?.length,
    );
    expect((await client.getPrompt({ name: prompt?.name ?? '' })).messages.length).toBeGreaterThan(
      0,
    );
    await client.close();
  },
);

test('speaks the newest revision with the newest client', async () => {
  const client = await newClient();
  expect(
    (
      client as unknown as { getNegotiatedProtocolVersion?(): string }
    ).getNegotiatedProtocolVersion?.(),
  ).toBe('2026-07-28');
  await client.close();
});

test('streams progress of a long call before its result', async () => {
  const client = await oldClient();
  const { tools } = await client.listTools();
  const long = tools.find((tool) => /long.?running/i.test(tool.name));
  const seen: number[] = [];
  const result = await client.callTool(
    { name: long?.name ?? '', arguments: { duration: 1, steps: 4 } },
    undefined,
    { onprogress: ({ progress }) => void seen.push(progress) },
  );
  expect(result.isError).not.toBe(true);
  expect(seen.length).toBeGreaterThan(1);
  await client.close();
});

test("uses the server's own names and a separate token at a backend's own URL", async () => {
  const own = await aToken(hub, email, { prefix: '/everything' });
  const client = await oldClient('/everything/mcp', own);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain('echo');
  await client.close();
  await expect(oldClient('/everything/mcp', token)).rejects.toThrow();
  await expect(oldClient('/gwone/mcp', own)).rejects.toThrow();
  await expect(oldClient(`/gwone/${hub.tenantId}/mcp`, token)).rejects.toThrow();
});

test('sends a server the shared credential and nothing of the client', async () => {
  const client = await newClient();
  await client.callTool({ name: 'modern__greet', arguments: {} });
  await client.close();
  expect(modern.requests.length).toBeGreaterThan(0);
  for (const { headers, body } of modern.requests) {
    expect(headers.authorization).toBe('Bearer upstream-credential');
    expect(JSON.stringify(headers) + body).not.toContain(token);
    expect(headers.cookie).toBeUndefined();
  }
  const shown = await hub.console('GET', '/mcp/backends');
  expect(JSON.stringify(shown.body)).not.toContain('upstream-credential');
});

const call = aCall;

test('logs each call with caller, tool and outcome, without a secret', async () => {
  const rpcId = 'row-of-a-call';
  expect((await post(call('modern__greet', rpcId))).status).toBe(200);
  await post(call('modern__secret-tool', 'row-of-a-refusal'));
  const find = async (id: string) => {
    const { body } = await hub.console('GET', '/mcp/tool-calls?limit=200');
    return body.items.find((item: { request_id: string }) => item.request_id === id)?.event;
  };
  await expect
    .poll(() => find(rpcId), { timeout: 10_000 })
    .toMatchObject({
      backend: { name: 'The modern' },
      auth: { mode: 'oauth' },
      tool: { name: 'greet' },
      response: { success: true },
      metadata: { user_email: email },
    });
  const row = await find(rpcId);
  expect(row).toMatchObject({
    request: { completed_at: expect.any(String), duration_ms: expect.any(Number) },
  });
  expect(JSON.stringify(row)).not.toContain('hunter2');
  await expect
    .poll(() => find('row-of-a-refusal'), { timeout: 10_000 })
    .toMatchObject({
      guardrails: { input: { is_blocked: true } },
      response: { success: false },
    });
});

test('logs a call to an unknown server under the requested name', async () => {
  const tried = 'x'.repeat(5_000);
  await post(call('nobody__read_mail', 'row-of-nobody'));
  await post(call(tried, 'row-of-no-name'));
  const find = async (id: string) => {
    const { body } = await hub.console('GET', '/mcp/tool-calls?limit=200');
    return body.items.find((item: { request_id: string }) => item.request_id === id);
  };
  await expect
    .poll(() => find('row-of-nobody'), { timeout: 10_000 })
    .toMatchObject({
      backend: { id: null, name: 'nobody', known: false },
      tool: 'read_mail',
      success: false,
      user_email: email,
    });
  await expect
    .poll(() => find('row-of-no-name'), { timeout: 10_000 })
    .toMatchObject({ backend: { id: null, name: 'unknown', known: false }, success: false });
});

test('challenges an invalid token with a pointer to the metadata', async () => {
  for (const authorization of [
    '',
    'Bearer x',
    `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    'Basic eDp5',
  ]) {
    const answer = await post(call('modern__greet'), { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(
      `resource_metadata="${hub.url}/.well-known/oauth-protected-resource/gwone/mcp"`,
    );
  }
  const query = await fetch(`${hub.url}/gwone/mcp?access_token=${token}`, { method: 'POST' });
  expect(query.status).toBe(401);
  expect((await fetch(`${hub.url}/nothing/mcp`)).status).toBe(404);
});

test('rejects a web page of another origin', async () => {
  expect((await post(call('modern__greet'), { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(call('modern__greet'), { origin: hub.url })).status).toBe(200);
});

test.each([
  ['no JSON', '{"jsonrpc', 400, -32700],
  ['a batch', [call('x')], 400, -32600],
  ['no message', { a: 1 }, 400, -32600],
  ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
  [
    'what is nested too deep',
    `{"jsonrpc":"2.0","a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    400,
    -32700,
  ],
  ['a request whose id is null', { jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600],
  [
    'an id that would come back as another',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    400,
    -32600,
  ],
  [
    'a body that is too large',
    { jsonrpc: '2.0', id: 1, method: 'ping', x: 'x'.repeat(4_300_000) },
    413,
    -32600,
  ],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'nothing' }, 200, -32601],
  ["an object's own method", { jsonrpc: '2.0', id: 1, method: 'toString' }, 200, -32601],
  ['a poisoned method', { jsonrpc: '2.0', id: 1, method: '__proto__' }, 200, -32601],
])('answers %s with the JSON-RPC error', async (_what, body, status, code) => {
  const answer = await post(body);
  expect([
    answer.status,
    ((await answer.json()) as { error: { code: number } }).error.code,
  ]).toEqual([status, code]);
});

test('answers 405 with the allowed methods of an MCP URL', async () => {
  const at = (method: string, path = '/gwone/mcp') => fetch(hub.url + path, { method });
  for (const method of ['PUT', 'PATCH', 'HEAD']) {
    const answer = await at(method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      405,
      'GET, POST, DELETE, OPTIONS',
    ]);
  }
  expect((await at('PUT', '/nothing/mcp')).status).toBe(404);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  for (const headers of [
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
  ]) {
    const answer = await post(ping, headers as Record<string, string>);
    expect([
      answer.status,
      ((await answer.json()) as { error: { code: number } }).error.code,
    ]).toEqual([415, -32600]);
  }
});

test.each([
  undefined,
  {},
  { protocolVersion: 1 },
  { protocolVersion: '2025-11-25', capabilities: [] },
])('rejects a session with params %j', async (params) => {
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const { error } = (await answer.json()) as { error: { code: number } };
  expect([answer.status, error.code]).toEqual([400, -32602]);
  expect(answer.headers.get('mcp-session-id')).toBeNull();
});

test('binds a session to its token and endpoint, and ends it on request', async () => {
  const initialized = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    },
  });
  const session = initialized.headers.get('mcp-session-id') ?? '';
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect((await post(list, { 'mcp-session-id': session })).status).toBe(200);
  const otherToken = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
  const stolen = await post(list, {
    'mcp-session-id': session,
    authorization: `Bearer ${otherToken}`,
  });
  expect(stolen.status).toBe(404);
  const ended = await fetch(`${hub.url}/gwone/mcp`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session },
  });
  expect(ended.status).toBe(204);
  expect((await post(list, { 'mcp-session-id': session })).status).toBe(404);
});

const ODD: [string, Parameters<typeof aServer>[0]][] = [
  ['breaks off', (_request, response) => void response.destroy()],
  ['answers 500', (_request, response) => void response.writeHead(500).end('<html>')],
  [
    'redirects to a private address',
    (_request, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  ],
  [
    'redirects, and answers all the same',
    (_request, response, body) =>
      void response
        .writeHead(307, { location: 'http://169.254.169.254/', 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { content: [] } })),
  ],
  [
    'answers no JSON',
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'),
  ],
  [
    'answers broken JSON',
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"'),
  ],
  [
    'answers what nobody can write down again',
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","result":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`),
  ],
  [
    'answers somebody else',
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":"other","result":{}}'),
  ],
  [
    'answers without end',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' });
      const part = 'x'.repeat(1024 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
    },
  ],
];
test.each(ODD)(
  'reports a server that %s as an error, and continues with the others',
  async (_what, respond) => {
    answerOdd = respond;
    const answer = await post(call('odd__x'));
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.has('set-cookie')).toBe(false);
    const { error } = (await answer.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(-32000);
    expect(error.message).toMatch(
      /^The (response of the )?MCP server "The odd" is (not available|too large)/,
    );
    expect((await post(call('modern__greet'))).status).toBe(200);
    const listed = (await (await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' })).json()) as {
      result: { tools: { name: string }[] };
    };
    expect(listed.result.tools.map((tool) => tool.name)).toContain('modern__greet');
  },
);
