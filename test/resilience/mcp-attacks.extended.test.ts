// Malicious servers and clients: endless or huge responses, floods for a client that does not read, header names as
// tool names, addresses that change between check and connection.

import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createUpstreams } from '@gatewarden/hub/src/features/mcp/upstream/index.ts';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { createOutbound } from '@gatewarden/hub/src/platform/http/outbound/outbound.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aModernServer, aServer, type Running } from '../support/mcp-servers.ts';

const MB = 1024 * 1024;
type Respond = Parameters<typeof aServer>[0];

let hub: TestHub;
let token: string;
let evil: Running;
let good: Running;
let respond: Respond = (_request, response) => void response.writeHead(404).end();
let sent = 0;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  evil = await aServer((request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method === 'tools/call') return respond(request, response, body);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  });
  good = await aModernServer();
  for (const [slug, { url }] of Object.entries({ evil, good })) {
    const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
    expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  }
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await Promise.all([evil.close(), good.close()]);
});

const call = (name: string, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** Writes as fast as the reader takes it, up to `bytes`. */
function pour(response: Parameters<Respond>[1], bytes: number, part: Buffer, end = '') {
  sent = 0;
  const more = () => {
    while (!response.destroyed && sent < bytes) {
      sent += part.length;
      if (!response.write(part)) return;
    }
    if (sent >= bytes) response.end(end);
  };
  response.on('drain', more);
  more();
}

test.each([
  ['as JSON', 'application/json', '{"jsonrpc":"2.0","id":1,"result":{"x":"'],
  ['as an event', 'text/event-stream', 'data: {"jsonrpc":"2.0","id":1,"result":{"x":"'],
])('cuts and reports a response of 100 MB %s', async (_how, type, begin) => {
  respond = (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(begin);
    pour(response, 100 * MB, Buffer.alloc(MB, 'x'), '"}}');
  };
  const { error } = await first(messagesIn(await send(hub, token, call('evil__x'))), () => true);
  expect(error?.message).toMatch(
    /^The response of the MCP server "The evil" is too large: the limit is 16777216 bytes/,
  );
  // The bytes that were in buffers on the way were sent, the rest never.
  expect(sent).toBeLessThan(40 * MB);
  expect((await send(hub, token, call('good__greet'))).status).toBe(200);
});

/** A connection without a drain for this time is stalled: its reader takes no more. */
const STALL_MS = 1_000;

test('applies backpressure to a server that floods a client', async () => {
  const event = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(64 * 1024) } })}\n\n`;
  let stalled: (() => void) | null = null;
  const isStalled = new Promise<void>((resolve) => {
    stalled = resolve;
  });
  respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    sent = 0;
    let timer: NodeJS.Timeout | undefined;
    const more = () => {
      clearTimeout(timer);
      while (!response.destroyed) {
        sent += event.length;
        if (!response.write(event)) break;
      }
      timer = setTimeout(() => stalled?.(), STALL_MS);
    };
    response.on('drain', more);
    more();
  };
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify(call('evil__x'));
  socket.write(
    `POST /gwone/mcp HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  socket.pause();
  await isStalled;
  expect(sent).toBeLessThan(40 * MB);
  socket.destroy();
});

test('treats names that look like headers as names', async () => {
  for (const name of [
    'greet\r\nx-injected: 1',
    'greet\nx-injected: 1',
    'ä 漢字',
    '=?base64?eA==?=',
    ' greet ',
  ]) {
    const before = good.requests.length;
    const plain = await aSession(hub, token);
    await (await send(hub, token, call(`good__${name}`), plain)).text();
    const seen = good.requests.slice(before).find((request) => request.body.includes('tools/call'));
    expect(seen?.headers['x-injected']).toBeUndefined();
    expect(seen?.headers['mcp-name']).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(seen?.body ?? '').params.name).toBe(name);
  }
});

test('forwards client headers that repeat arguments, and no others', async () => {
  const asked = modern({
    id: 1,
    method: 'tools/call',
    params: { name: 'good__greet', arguments: { region: 'eu' } },
  });
  const sent = good.requests.length;
  const other = { ...asked.headers, 'mcp-param-region': 'us' };
  const refused = await send(hub, token, asked.body, other);
  expect([refused.status, ((await refused.json()) as { error: object }).error]).toEqual([
    400,
    expect.objectContaining({ code: -32020 }),
  ]);
  expect(good.requests.length).toBe(sent);
  await (
    await send(hub, token, asked.body, {
      ...asked.headers,
      'mcp-param-region': 'eu',
      'x-forwarded-for': '10.0.0.1',
      cookie: 'a=b',
      'mcp-session-id': 'stolen',
    })
  ).text();
  const headers: Record<string, unknown> = { ...good.requests.at(-1)?.headers };
  expect(headers['mcp-param-region']).toBe('eu');
  for (const name of ['x-forwarded-for', 'cookie', 'mcp-session-id', 'authorization']) {
    expect(headers[name]).toBeUndefined();
  }
});

test('ignores an oversized session id of a server', async () => {
  const seen: (string | undefined)[] = [];
  const odd = await aServer((request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    seen.push(request.headers['mcp-session-id'] as string | undefined);
    response.writeHead(200, {
      'content-type': 'application/json',
      'mcp-session-id': `${'x'.repeat(4_000)}`,
      'set-cookie': 'a=b',
    });
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 'x\r\ny: z', content: [] } }),
    );
  });
  await hub.console('POST', '/mcp/backends', {
    body: { slug: 'odd', name: 'Odd', url: odd.url, auth: { kind: 'none' } },
  });
  const answer = await send(hub, token, call('odd__x'));
  expect(answer.headers.has('set-cookie')).toBe(false);
  expect((await first(messagesIn(answer), () => true)).result).toEqual({
    content: [],
    protocolVersion: 'x\r\ny: z',
  });
  expect(seen.every((value) => value === undefined)).toBe(true);
  await odd.close();
});

test('does not connect to an address that changes between check and connection', async () => {
  let connections = 0;
  const sink = createServer((_request, response) => void response.end('{}'));
  sink.on('connection', () => connections++);
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const { port } = sink.address() as AddressInfo;
  let looks = 0;
  const outbound = createOutbound(
    { allowed: [], own: { port: 1, origin: 'https://hub.example' } },
    (_host, _options, done) => {
      looks++;
      // DNS rebinding: the check before sees a public address, the connection gets private ones.
      const addresses = [
        { address: '127.0.0.1', family: 4 },
        { address: '::ffff:127.0.0.1', family: 6 },
      ];
      done(
        null,
        looks % 2 === 0 ? addresses : [{ address: '93.184.216.34', family: 4 }, ...addresses],
      );
    },
  );
  const url = `https://rebinding.example:${port}/mcp`;
  outbound.check(url);
  const upstreams = createUpstreams({
    db: hub.context.database.db,
    sealer: hub.context.sealer,
    awaitFollowed: async () => undefined,
    outbound,
  });
  const target = {
    tenantId: hub.tenantId,
    backendId: '00000000-0000-4000-8000-000000000000',
    slug: 'rebinding',
    name: 'Rebinding',
    url,
    version: 1,
    timeouts: { idleMs: 10_000, totalMs: 10_000 },
    isShared: true,
    email: null,
    credentials: async () => ({}),
  };
  const owner = { hash: Buffer.alloc(32), capabilities: {}, logLevel: null };
  for (let i = 0; i < 10; i++) {
    const messages = upstreams.call(
      target,
      owner,
      { id: 1, method: 'tools/list', params: {} },
      AbortSignal.timeout(10_000),
    );
    await expect(messages.next()).rejects.toThrow(/is not available/);
  }
  expect([looks, connections]).toEqual([10, 0]);
  await outbound.close();
  sink.close();
});

test('gives up a server that never answers or falls silent midway', async () => {
  const silent = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing\n\n');
    } else if (method !== 'server/discover' && method !== 'prompts/get') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    } else if (method === 'server/discover') response.writeHead(404).end();
  });
  const outbound = createOutbound({
    allowed: readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }).allowedPrivateNetworks,
    own: { port: 1, origin: 'https://hub.example' },
  });
  const upstreams = createUpstreams({
    db: hub.context.database.db,
    sealer: hub.context.sealer,
    awaitFollowed: async () => undefined,
    outbound,
    limits: { timeoutMs: 2_000, clientInputMs: 2_000, maxBytes: MB },
  });
  const target = {
    tenantId: hub.tenantId,
    backendId: '00000000-0000-4000-8000-000000000001',
    slug: 'silent',
    name: 'Silent',
    url: silent.url,
    version: 1,
    timeouts: { idleMs: 2_000, totalMs: 10_000 },
    isShared: true,
    email: null,
    credentials: async () => ({}),
  };
  const owner = { hash: Buffer.alloc(32, 1), capabilities: {}, logLevel: null };
  for (const method of ['tools/call', 'prompts/get']) {
    const messages = upstreams.call(
      target,
      owner,
      { id: 1, method, params: {} },
      AbortSignal.timeout(30_000),
    );
    await expect(messages.next()).rejects.toThrow(/took too long.*2 s/);
  }
  // A login that never returns a token does not keep the call of a disconnected client, either.
  const login = { ...target, credentials: () => new Promise<never>(() => undefined) };
  const call = { id: 1, method: 'tools/call', params: {} };
  const left = upstreams.call(login, owner, call, AbortSignal.timeout(100));
  await expect(left.next()).rejects.toThrow(/timeout/);
  // The server may still be at work, so it is notified that the caller has left.
  const cancellations = () =>
    silent.requests.filter((request) => request.body.includes('notifications/cancelled'));
  await expect.poll(() => cancellations().length, { timeout: 10_000 }).toBe(2);
  await outbound.close();
  await silent.close();
});

/** Starts a server of the older revision as a backend: `answer` decides how it replies to a request. */
async function aBackendThat(
  slug: string,
  answer: (method: string, response: Parameters<Respond>[1], reply: () => void) => void,
): Promise<Running> {
  const server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    answer(method, response, () => {
      response.writeHead(method === 'server/discover' ? 404 : 200, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });
  });
  const body = { slug, name: `The ${slug}`, url: server.url, auth: { kind: 'none' } };
  expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  return server;
}

test.each(['server/discover', 'initialize'])(
  'continues the shared %s after a waiting client disconnects',
  async (slow) => {
    const waiting: (() => void)[] = [];
    const server = await aBackendThat(`slow-${slow.slice(0, 4)}`, (method, _response, reply) => {
      if (method === slow) waiting.push(reply);
      else reply();
    });
    const name = `slow-${slow.slice(0, 4)}__x`;
    const impatient = new AbortController();
    const cancelled = fetch(`${hub.url}/gwone/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(call(name)),
      signal: impatient.signal,
    }).catch(() => 'given up');
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1);
    const patient = send(hub, token, call(name, 2));
    // The stop of the first caller has been read once this answer is here.
    await send(hub, token, call('good__greet'));
    impatient.abort();
    expect(await cancelled).toBe('given up');
    await send(hub, token, call('good__greet'));
    for (const reply of waiting) reply();
    expect(await (await patient).json()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    await server.close();
  },
);

test.each([
  ['a page', 'text/html', 'not you'],
  ['JSON', 'application/json', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}'],
])('opens no circuit when a server refuses a single user with %s', async (_how, type, text) => {
  let refuses = true;
  const slug = `choosy-${type.slice(0, 4)}`;
  const server = await aBackendThat(slug, (method, response, reply) => {
    if (method === 'tools/call' && refuses)
      response.writeHead(403, { 'content-type': type }).end(text);
    else reply();
  });
  for (let i = 0; i < 6; i++) {
    const [answer] = await Array.fromAsync(
      messagesIn(await send(hub, token, call(`${slug}__x`, i))),
    );
    expect(answer?.error?.message).toMatch(/it responded with 403/);
  }
  refuses = false;
  expect(await (await send(hub, token, call(`${slug}__x`))).json()).toMatchObject({ result: {} });
  await server.close();
});

test.each([
  ['a user leaves open block nobody else', 'person'],
  ['come by a direct API token that only names a person do not keep that person', 'name'],
])('limits calls per user: calls that %s from the same server', async (_whose, by) => {
  const waiting: Parameters<Respond>[1][] = [];
  let hangs = true;
  const slug = `endless-${by}`;
  const server = await aBackendThat(slug, (method, response, reply) => {
    if (method !== 'tools/call' || !hangs) return reply();
    waiting.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  const { email } = await aPerson(hub);
  const begin =
    by === 'person' ? (id: number) => send(hub, token, call(`${slug}__x`, id)) : await named();
  const over = Array.from({ length: 64 }, (_, i) => begin(i));
  await expect.poll(() => waiting.length, { timeout: 30_000 }).toBe(64);
  hangs = false;
  const otherToken = await aToken(hub, email, { prefix: '/gwone' });
  expect(await (await send(hub, otherToken, call(`${slug}__x`))).json()).toMatchObject({
    result: {},
  });
  for (const response of waiting) response.end();
  await Promise.all(over);
  await server.close();

  async function named() {
    await hub.console('PUT', '/mcp/settings', { body: { allowed_email_domains: ['example.com'] } });
    const { items } = (await hub.console('GET', '/mcp/backends?limit=200')).body;
    const { id } = items.find((backend: { slug: string }) => backend.slug === slug);
    const { body } = await hub.console('POST', `/mcp/backends/${id}/api-tokens`, {
      body: { name: 'script', agent: 'my-agent' },
    });
    const headers = { mcpuser: email, 'user-agent': 'my-agent/1.0' };
    return (value: number) =>
      send(hub, body.token.secret, call('x', value), headers, `/${slug}/mcp`);
  }
});

test('rejects text that the database cannot store', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: { odd: '\0' } };
  const answer = await send(hub, token, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
});
