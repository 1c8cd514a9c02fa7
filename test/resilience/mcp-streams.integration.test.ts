// Servers send messages besides results through the gateway: elicitations for the calling client between revisions and
// hub processes, changes, logs, cancellation; streams end on time.

import { disableUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, listen, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServer, everythingServer } from '../support/mcp-servers.ts';
import { aServerOfBefore, aTalkingServer } from '../support/mcp-talking-servers.ts';

let hub: TestHub;
let secondHub: TestHub;
let token: string;
let talking: Awaited<ReturnType<typeof aTalkingServer>>;
let before: Awaited<ReturnType<typeof aServerOfBefore>>;
let everything: Awaited<ReturnType<typeof everythingServer>>;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
  [talking, before, everything] = await Promise.all([
    aTalkingServer(),
    aServerOfBefore(),
    everythingServer(),
  ]);
  for (const [slug, { url }] of Object.entries({ talking, before, everything })) {
    const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
    expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  }
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await secondHub.stop();
  await Promise.all([talking.close(), before.close(), everything.close()]);
});

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: { listChanged: true } };
const options = (bearer: string) => ({
  requestInit: { headers: { authorization: `Bearer ${bearer}` } },
});
async function oldClient(at = hub, capabilities: object = CAPABILITIES) {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities });
  if ('elicitation' in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept' as const,
      content: { colour: 'green' },
    }));
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      role: 'assistant' as const,
      model: 'a-model',
      content: { type: 'text' as const, text: 'words of the model' },
    }));
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [{ uri: 'file:///home/me', name: 'a-root' }],
    }));
  }
  await client.connect(new OldTransport(new URL(`${at.url}/gwone/mcp`), options(token)) as never);
  return client;
}
async function newClient(capabilities: object = { elicitation: {} }) {
  const client = new NewClient({ name: 'new', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
    capabilities,
  } as never);
  if ('elicitation' in capabilities) {
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept' as const,
      content: { colour: 'green' },
    }));
  }
  await client.connect(new NewTransport(new URL(`${hub.url}/gwone/mcp`), options(token)));
  return client;
}

test.each([
  ['the client of before', () => oldClient()],
  ['the newest client', () => newClient()],
])('lets %s answer elicitations of servers of either revision', async (_who, connect) => {
  const client = await connect();
  expect(await client.callTool({ name: 'talking__ask', arguments: {} })).toMatchObject({
    content: [{ text: 'green state-of-the-server' }],
  });
  expect(await client.callTool({ name: 'before__ask', arguments: {} })).toMatchObject({
    content: [{ text: 'accept green' }],
  });
  await client.close();
});

test('forwards sampling, elicitation and roots of a real server to the calling client', async () => {
  const client = await oldClient();
  const names = () => client.listTools().then(({ tools }) => tools.map((tool) => tool.name));
  await expect.poll(names).toContain('everything__get-roots-list');
  const text = async (name: string, args: object = {}) =>
    JSON.stringify(await client.callTool({ name: `everything__${name}`, arguments: { ...args } }));
  expect(await text('trigger-sampling-request', { prompt: 'hi' })).toContain('words of the model');
  expect(await text('trigger-elicitation-request')).toContain('green');
  expect(await text('get-roots-list')).toContain('a-root');
  await client.close();
});

test.each([
  ['the client of before', () => oldClient(hub, {})],
  ['the newest client', () => newClient({})],
])('returns a clean error to %s without elicitation', async (_who, connect) => {
  const client = await connect();
  const words = async (name: string) =>
    client.callTool({ name, arguments: {} }).then(
      (result) => JSON.stringify(result),
      (error: Error) => error.message,
    );
  expect(await words('talking__ask')).toMatch(/elicitation|capabilit/i);
  expect(await words('before__ask')).toMatch(/elicitation|Method not found/i);
  await client.close();
});

const call = (name: string, id: string | number = 1, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
});
const GREEN = { action: 'accept', content: { colour: 'green' } };

test.each(['talking', 'before'])(
  'forwards a response that reaches another hub process to the %s server',
  async (slug) => {
    const session = await aSession(hub, token, CAPABILITIES);
    const stream = messagesIn(await send(hub, token, call(`${slug}__ask`), session));
    const question = await first(stream, (message) => message.method === 'elicitation/create');
    const answer = { jsonrpc: '2.0', id: question.id, result: GREEN };
    expect((await send(secondHub, token, answer, session)).status).toBe(202);
    const { result } = await first(stream, (message) => message.result !== undefined);
    expect(result.content[0].text).toContain('green');
    // An answer that another session sends reaches no call.
    const otherSession = await aSession(hub, token, CAPABILITIES);
    expect((await send(secondHub, token, answer, otherSession)).status).toBe(202);
  },
);

test('continues a request of the newest revision in another hub process, where its server waits', async () => {
  const asked = modern(
    { id: 1, method: 'tools/call', params: { name: 'before__ask', arguments: {} } },
    { elicitation: {} },
  );
  const { result } = await first(
    messagesIn(await send(hub, token, asked.body, asked.headers)),
    (message) => message.id === 1,
  );
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { question: { method: 'elicitation/create' } },
  });
  const again = (params: object) =>
    modern(
      {
        id: 2,
        method: 'tools/call',
        params: {
          name: 'before__ask',
          arguments: {},
          requestState: result.requestState,
          inputResponses: { question: GREEN },
          ...params,
        },
      },
      { elicitation: {} },
    );
  // The state is of this request, to the letter.
  for (const wrong of [{ arguments: { x: 1 } }, { requestState: `${result.requestState}x` }]) {
    const bad = again(wrong);
    const refused = await first(
      messagesIn(await send(secondHub, token, bad.body, bad.headers)),
      () => true,
    );
    expect(refused.error).toMatchObject({ code: -32602 });
  }
  const good = again({});
  const done = await first(
    messagesIn(await send(secondHub, token, good.body, good.headers)),
    (message) => message.id === 2,
  );
  expect(done.result.content[0].text).toBe('accept green');
});

test('cancels at the server a call that is cancelled at another hub process', async () => {
  const session = await aSession(hub, token);
  const waits = before.untilWaits();
  const answer = send(hub, token, call('before__wait', 'to-cancel'), session);
  await waits;
  const params = { requestId: 'to-cancel' };
  await send(
    secondHub,
    token,
    { jsonrpc: '2.0', method: 'notifications/cancelled', params },
    session,
  );
  const cancelled = await first(messagesIn(await answer), () => true);
  expect(cancelled.error?.message).toMatch(/cancelled/);
  await expect.poll(() => before.seen.cancelled).toBe(1);
});

test("forwards changes of resources and lists, and log messages, to the session's stream", async () => {
  const client = await oldClient();
  const updatedUris: string[] = [];
  let listsChanged = 0;
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updatedUris.push(params.uri);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    listsChanged++;
  });
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).not.toContain('talking__grown');
  const { resources } = await client.listResources();
  const notes = resources
    .map((resource) => resource.uri)
    .filter((uri) => uri.includes('memo://note'));
  expect(notes).toHaveLength(2);
  for (const uri of notes) await client.subscribeResource({ uri });
  await client.setLoggingLevel('error');
  await expect
    .poll(
      () => {
        talking.changed();
        before.changed();
        return new Set(updatedUris);
      },
      { timeout: 15_000 },
    )
    .toEqual(new Set(notes));
  talking.grow();
  await expect.poll(() => listsChanged, { timeout: 15_000 }).toBeGreaterThan(0);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('talking__grown');
  await client.close();
});

test('subscribes a client of the newest revision to servers of either revision', async () => {
  const filter = {
    toolsListChanged: true,
    resourceSubscriptions: [
      'gw-talking+memo://note',
      'gw-before+memo://note',
      'gw-nobody+memo://note',
    ],
  };
  const asked = modern({
    id: 'mine',
    method: 'subscriptions/listen',
    params: { notifications: filter },
  });
  const answer = await send(hub, token, asked.body, asked.headers);
  const stream = messagesIn(answer);
  const meta = { 'io.modelcontextprotocol/subscriptionId': 'mine' };
  expect((await stream.next()).value).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: meta,
      notifications: { resourceSubscriptions: filter.resourceSubscriptions.slice(0, 2) },
    },
  });
  const beat = setInterval(() => {
    talking.changed();
    before.changed();
  }, 50);
  const uris = new Set<string>();
  while (uris.size < 2) {
    const { params } = await first(
      stream,
      (message) => message.method === 'notifications/resources/updated',
    );
    expect(params._meta).toEqual(meta);
    uris.add(params.uri);
  }
  clearInterval(beat);
  expect(uris).toEqual(new Set(filter.resourceSubscriptions.slice(0, 2)));
  const endedBefore = before.seen.ended;
  await stream.return(undefined);
  // The session that was made for it is over with it.
  await expect.poll(() => before.seen.ended).toBeGreaterThan(endedBefore);
});

test('opens a single stream per session, and replays missed events', async () => {
  expect((await listen(hub, token, {})).status).toBe(400);
  expect((await listen(hub, token, { 'mcp-session-id': 'nobody' })).status).toBe(404);
  const session = await aSession(hub, token);
  expect((await listen(hub, token, { ...session, accept: 'application/json' })).status).toBe(406);
  const modernVersion = { ...session, 'mcp-protocol-version': '2026-07-28' };
  expect((await listen(hub, token, modernVersion)).status).toBe(405);
  const stream = messagesIn(await listen(hub, token, session));
  const ended = stream.next();
  const two = messagesIn(
    await listen(secondHub, token, { ...session, 'last-event-id': 'long-ago' }),
  );
  const missed = new Set<string | undefined>();
  while (missed.size < 3) missed.add((await two.next()).value?.method);
  expect([...missed].sort()).toEqual([
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/tools/list_changed',
  ]);
  expect(await ended).toMatchObject({ done: true });
  const last = two.next();
  await fetch(`${hub.url}/gwone/mcp`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}`, ...session },
  });
  expect(await last).toMatchObject({ done: true });
});

test('fetches the rest of a response whose stream the server ended', async () => {
  const asked: (string | undefined)[] = [];
  let answer = '';
  const polling = await aServer(
    (request, response, body) => {
      const { id, method } = body === '' ? {} : JSON.parse(body);
      if (method === 'server/discover') return void response.writeHead(404).end();
      const result = method === 'initialize' ? { capabilities: {} } : { content: [] };
      const text = `id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'mcp-session-id': 'event-session',
      });
      if (method === 'tools/call') {
        answer = text;
        response.end('id: e1\nretry: 10\ndata: \n\n');
      } else if (request.method === 'GET') {
        asked.push(request.headers['last-event-id'] as string | undefined);
        response.end(answer);
      } else response.end(text);
    },
    { allMethods: true },
  );
  const body = { slug: 'polling', name: 'Polling', url: polling.url, auth: { kind: 'none' } };
  expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  const done = await first(messagesIn(await send(hub, token, call('polling__x', 7))), () => true);
  expect(done).toEqual({ jsonrpc: '2.0', id: 7, result: { content: [] } });
  expect(asked).toEqual(['e1']);
  await polling.close();
});

test('ends a stream when its token is revoked or its user disabled', async () => {
  const person = await aPerson(hub);
  for (const revoke of [true, false]) {
    const userToken = await aToken(hub, person.email, { prefix: '/gwone' });
    const session = await aSession(hub, userToken);
    const stream = messagesIn(await listen(secondHub, userToken, session));
    const asked = modern({
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    });
    const listened = messagesIn(await send(hub, userToken, asked.body, asked.headers));
    await listened.next();
    const ends = Promise.all([
      first(stream, () => false).catch((error: Error) => error.message),
      first(listened, (message) => message.result !== undefined),
    ]);
    if (revoke) {
      const { body } = await hub.console('GET', '/mcp/tokens?of=all&limit=200');
      for (const item of body.items) {
        if (item.email === person.email) await hub.console('DELETE', `/mcp/tokens/${item.id}`);
      }
    } else {
      await disableUser(hub.context.database.db, hub.tenantId, person.userId);
    }
    expect((await ends)[0]).toBe('the stream ended');
  }
});
