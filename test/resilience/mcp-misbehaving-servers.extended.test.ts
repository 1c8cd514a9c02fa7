// Servers that break the protocol run beside a correct server: faulty items, forgotten sessions and odd requests do not
// affect other servers, and end with their cause.

import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { anOldServer, aServer, everythingServer, type Running } from '../support/mcp-servers.ts';

let hub: TestHub;
let otherServer: TestHub;
let token: string;
let fine: Running;
let odd: Running;
let oddId: string;
// biome-ignore lint/suspicious/noExplicitAny: items that are none
let items: any[] = [];

const aTool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  hub = await startTestHub(config);
  otherServer = await startTestHub(config);
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
  fine = await anOldServer({
    'tools/list': () => ({ tools: [aTool('well')] }),
    'prompts/list': () => ({ prompts: [{ name: 'well' }] }),
    'resources/list': () => ({ resources: [{ name: 'well', uri: 'memo://well' }] }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ name: 'well', uriTemplate: 'memo://{well}' }],
    }),
  });
  odd = await anOldServer({
    'tools/list': () => ({ tools: items }),
    'prompts/list': () => ({ prompts: items }),
    'resources/list': () => ({ resources: items }),
    'resources/templates/list': () => ({ resourceTemplates: items }),
    'tools/call': () => ({ content: [], structuredContent: ['a', 'list'] }),
  });
  await aBackend('fine', fine.url);
  oddId = await aBackend('odd', odd.url);
});
afterAll(async () => {
  await hub.stop();
  await otherServer.stop();
  await Promise.all([fine.close(), odd.close()]);
});

async function aBackend(slug: string, url: string): Promise<string> {
  const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
  const created = await hub.console('POST', '/mcp/backends', { body });
  expect(created.status).toBe(201);
  return created.body.backend.id;
}
/** Changes the backend, which invalidates the cached lists. */
async function patched(body: object): Promise<void> {
  const { body: found } = await hub.console('GET', `/mcp/backends/${oddId}`);
  const headers = { 'if-match': found.backend.version };
  const done = await hub.console('PATCH', `/mcp/backends/${oddId}`, { body, headers });
  expect(done.status).toBe(200);
}
let times = 0;
const renewed = (more = {}) => patched({ name: `The odd ${++times}`, ...more });

const options = () => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
async function clients() {
  const old = new OldClient({ name: 'old', version: '1' }, { capabilities: {} });
  await old.connect(new OldTransport(new URL(`${hub.url}/gwone/mcp`), options()) as never);
  const newest = new NewClient({ name: 'new', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
  } as never);
  await newest.connect(new NewTransport(new URL(`${hub.url}/gwone/mcp`), options()));
  return [old, newest] as const;
}
const call = (name: string, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const answerTo = async (message: object, headers = {}, at = hub) =>
  first(
    messagesIn(await send(at, token, message, headers)),
    (message) => message.method === undefined,
  );
const names = (all: { name: string }[]) => all.map((item) => item.name);

test('skips an invalid list item and keeps the rest', async () => {
  const good = aTool('good', { uri: 'memo://good', uriTemplate: 'memo://{good}' });
  const odds: unknown[] = [
    null,
    5,
    'text',
    [],
    {},
    { name: 5 },
    { name: '' },
    { name: 'without-schema' },
    aTool('schema-of-text', { inputSchema: { type: 'string' }, uri: 1, uriTemplate: 1 }),
    ...['description', 'title', 'icons', '_meta'].map((value) => ({ ...good, [value]: 7 })),
    { ...good, icons: [{}] },
    { ...good, inputSchema: { type: 'object', required: 'x' }, mimeType: 7, arguments: [{}] },
    { ...good, annotations: { readOnlyHint: 'yes', priority: 7 }, arguments: {} },
    { ...good, annotations: 5, arguments: 5 },
    { ...good, outputSchema: 7, annotations: { lastModified: 'yesterday' }, arguments: [null] },
  ];
  const [old, newest] = await clients();
  for (const [i, odd] of odds.entries()) {
    items = [odd, { ...good, name: `good-${i}` }];
    await renewed();
    for (const client of [old, newest]) {
      const [tools, prompts, resources, templates] = await Promise.all([
        client.listTools().then((found) => names(found.tools)),
        client.listPrompts().then((found) => names(found.prompts)),
        client.listResources().then((found) => names(found.resources)),
        client.listResourceTemplates().then((found) => names(found.resourceTemplates)),
      ]);
      expect(tools).toEqual(expect.arrayContaining(['fine__well', `odd__good-${i}`]));
      expect(prompts).toEqual(expect.arrayContaining(['fine__well', `odd__good-${i}`]));
      // Names identify these lists' entries to clients, and the odd server may list an entry twice.
      for (const found of [resources, templates]) expect(found).toContain('well');
    }
  }
  await Promise.all([old.close(), newest.close()]);
});

test('keeps an item with null members or a schema with missing parts', async () => {
  const nulls = { title: null, description: null, annotations: null, icons: null, _meta: null };
  items = [
    aTool('nulls', { ...nulls, outputSchema: null, arguments: null, uri: 'memo://nulls' }),
    aTool('untyped', { inputSchema: { properties: { a: {} } } }),
  ];
  await renewed();
  const [old, newest] = await clients();
  for (const client of [old, newest]) {
    const { tools } = await client.listTools();
    expect(names(tools)).toEqual(expect.arrayContaining(['odd__nulls', 'odd__untyped']));
    expect(names((await client.listPrompts()).prompts)).toContain('odd__nulls');
    expect(names((await client.listResources()).resources)).toContain('nulls');
  }
  await Promise.all([old.close(), newest.close()]);
});

test('keeps an item with odd or null optional members', async () => {
  const oddities: object[] = [
    { inputSchema: { type: 'object', properties: null, required: null } },
    { inputSchema: { type: null, $schema: null, properties: { a: { default: null } } } },
    { annotations: { title: null, readOnlyHint: true, audience: null, priority: null } },
    { arguments: [{ name: 'a', description: null, required: null }], execution: { x: null } },
    { icons: [{ src: 'https://a.example/i.png', mimeType: null, sizes: '48x48' }] },
    { icons: [{ src: 'https://a.example/i.png', mimeType: null, sizes: null }] },
    { annotations: { readOnlyHint: 'yes', lastModified: '2026-01-02', audience: ['User'] } },
    { outputSchema: 'none', title: 7, mimeType: 7, size: '12', _meta: [] },
  ];
  items = oddities.map((more, i) => {
    const [uri, uriTemplate] = [`memo://${i}`, `memo://${i}/{a}`];
    return aTool(`odd-${i}`, { uri, uriTemplate, ...more });
  });
  await renewed();
  const expected = oddities.map((_, i) => `odd-${i}`);
  const behind = expected.map((value) => `odd__${value}`);
  for (const client of await clients()) {
    const { tools } = await client.listTools();
    expect(names(tools)).toEqual(expect.arrayContaining(behind));
    const hinted = tools.find((tool) => tool.name === 'odd__odd-2');
    expect(hinted?.annotations).toEqual({ readOnlyHint: true });
    const schema = tools.find((tool) => tool.name === 'odd__odd-1')?.inputSchema;
    expect(schema).toEqual({ type: 'object', properties: { a: { default: null } } });
    const { prompts } = await client.listPrompts();
    expect(names(prompts)).toEqual(expect.arrayContaining(behind));
    expect(names((await client.listResources()).resources)).toEqual(
      expect.arrayContaining(expected),
    );
    expect(names((await client.listResourceTemplates()).resourceTemplates)).toEqual(
      expect.arrayContaining(expected),
    );
    await client.close();
  }
});

test('offers older clients a tool with features of the newest revision only', async () => {
  items = [
    aTool('listing', { outputSchema: { type: 'array', items: { type: 'string' } } }),
    aTool('truth', { inputSchema: { type: 'object', properties: { any: true, none: false } } }),
  ];
  await renewed();
  const [old, newest] = await clients();
  for (const client of [old, newest]) {
    const { tools } = await client.listTools();
    expect(names(tools)).toEqual(expect.arrayContaining(['odd__listing', 'odd__truth']));
  }
  expect(await old.callTool({ name: 'odd__listing', arguments: {} })).toEqual({ content: [] });
  await Promise.all([old.close(), newest.close()]);
});

test('approves and shows a duplicate or oddly named tool at most once', async () => {
  const listed = async () =>
    names(
      (await answerTo({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).result.tools,
    );
  const long = Array.from({ length: 4_000 }, (_, i) => (i * 7919).toString(36)).join('');
  items = [aTool('a'), aTool('a', { description: 'Another' }), aTool(long), aTool('nul\0')];
  const pinned = await hub.console('POST', `/mcp/backends/${oddId}/pin-tools`, {});
  expect([pinned.status, names(pinned.body.tools)]).toEqual([200, ['a']]);
  for (const drift of ['flag', 'hide']) {
    await renewed({ drift });
    items = [aTool('a', { description: 'x' }), aTool('a', { description: 'y' }), aTool(long)];
    expect(await listed()).toEqual(drift === 'hide' ? ['fine__well'] : ['fine__well', 'odd__a']);
    const { body } = await hub.console('GET', `/mcp/backends/${oddId}/tools`);
    expect(body.tools).toMatchObject([{ name: 'a', state: 'changed' }]);
    items = [aTool('a')];
    await renewed();
    expect(await listed()).toEqual(['fine__well', 'odd__a']);
  }
  await renewed({ drift: 'flag' });
});

test.each([401, 403, 408, 429])(
  'does not infer the protocol revision from a single %i',
  async (status) => {
    let isRefusing = true;
    const newest = await aServer((request, response, body) => {
      const { id, method } = JSON.parse(body);
      if (isRefusing) return void response.writeHead(status).end();
      if (request.headers['mcp-protocol-version'] !== '2026-07-28') {
        return void response.writeHead(400).end();
      }
      const result =
        method === 'server/discover'
          ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : { content: [{ type: 'text', text: 'hello' }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    await aBackend(`refuses-${status}`, newest.url);
    expect(await answerTo(call(`refuses-${status}__x`))).toMatchObject({
      error: { code: -32000, message: expect.stringContaining(`it responded with ${status}`) },
    });
    isRefusing = false;
    expect(await answerTo(call(`refuses-${status}__x`))).toMatchObject({
      result: { content: [{ text: 'hello' }] },
    });
    await newest.close();
  },
);

test('refuses an elicitation for a client without a stream, and continues the call', async () => {
  let answerCall: ((message: object) => void) | null = null;
  const answered: object[] = [];
  const asking = await aServer((_request, response, body) => {
    const message = JSON.parse(body);
    const { id, method } = message;
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method === undefined) {
      answered.push(message);
      answerCall?.(message);
    }
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (item: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...item })}\n\n`);
    if (method === 'initialize') {
      write({ id, result: { protocolVersion: '2025-11-25', capabilities: {} } });
      return void response.end();
    }
    answerCall = () => {
      write({ id, result: { content: [] } });
      response.end();
    };
    write({ id: 'the-question', method: 'elicitation/create', params: { message: 'Which?' } });
  });
  await aBackend('asking', asking.url);
  const session = await aSession(hub, token, { elicitation: {} });
  const headers = { ...session, accept: 'application/json' };
  expect(await answerTo(call('asking__x'), headers)).toMatchObject({ result: { content: [] } });
  expect(answered).toMatchObject([{ id: 'the-question', error: { code: -32600 } }]);
  await asking.close();
});

test.each([
  ['404', 404, ''],
  [
    '400 with words',
    400,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"}}',
  ],
])(
  'starts a single new session per process when many calls get %s for a lost session',
  async (what, status, words) => {
    let initialized = 0;
    let forgotten = 0;
    const forgetful = await aServer((request, response, body) => {
      const { id, method, params } = JSON.parse(body);
      if (method === 'server/discover') return void response.writeHead(404).end();
      const given = Number(request.headers['mcp-session-id']);
      if (method !== 'initialize' && given <= forgotten) {
        response.writeHead(status, { 'content-type': 'application/json' });
        return void response.end(words);
      }
      if (id === undefined) return void response.writeHead(202).end();
      if (params?.name === 'odd') {
        response.writeHead(400, { 'content-type': 'application/json' });
        const error = { code: -32602, message: 'Not so.' };
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: {} }
          : { content: [{ type: 'text', text: String(given) }] };
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(method === 'initialize' ? { 'mcp-session-id': String(++initialized) } : {}),
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const slug = `forgetful-${status}`;
    await aBackend(slug, forgetful.url);
    const session = await aSession(hub, token);
    for (const at of [hub, otherServer]) await answerTo(call(`${slug}__x`), session, at);
    forgotten = initialized;
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        answerTo(call(`${slug}__x`, i), session, i % 2 === 0 ? hub : otherServer),
      ),
    );
    expect(all.map((message) => message.error)).toEqual(all.map(() => undefined));
    expect(initialized - forgotten).toBeLessThanOrEqual(2);
    const { error } = await answerTo(call(`${slug}__odd`, what), session);
    expect([error, initialized - forgotten <= 2]).toEqual([
      { code: -32602, message: 'Not so.' },
      true,
    ]);
    await forgetful.close();
  },
);

test('continues with a restarted real server for clients of either revision', async () => {
  const everything = await everythingServer();
  await aBackend('everything', everything.url);
  const [old, newest] = await clients();
  const echoed = async () => {
    for (const client of [old, newest]) {
      const sent = { name: 'everything__echo', arguments: { message: 'still there' } };
      const { content } = await client.callTool(sent);
      expect(JSON.stringify(content)).toContain('still there');
    }
  };
  await echoed();
  await everything.close();
  const again = await everythingServer(Number(new URL(everything.url).port));
  await echoed();
  await Promise.all([old.close(), newest.close()]);
  await again.close();
});

test('limits client metadata and subscriptions', async () => {
  const capabilities = { experimental: { much: { text: 'x'.repeat(20_000) } } };
  const begin = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'x', version: '1' },
  };
  const listed = modern({ id: 1, method: 'tools/list', params: {} }, capabilities);
  const addresses = Array.from({ length: 1_001 }, (_, i) => `gw-fine+memo://${i}`);
  const listening = (some: string[]) =>
    modern({
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: some } },
    });
  const tooMany = listening(addresses);
  for (const [body, headers] of [
    [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: begin }, {}],
    [listed.body, listed.headers],
    [tooMany.body, tooMany.headers],
  ] as const) {
    const refused = await send(hub, token, body, headers);
    const reply = await first(messagesIn(refused), () => true);
    expect([refused.status, reply.error?.code]).toEqual([400, -32602]);
  }
  const { body, headers } = listening(addresses.slice(1));
  const stream = messagesIn(await send(hub, token, body, headers));
  const reply = await first(
    stream,
    (message) => message.method?.endsWith('/acknowledged') === true,
  );
  expect(reply.params.notifications.resourceSubscriptions).toHaveLength(1_000);
  await stream.return(undefined);
});
