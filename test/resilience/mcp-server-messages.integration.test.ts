// Servers of the older revision send requests and messages on their own stream: the gateway listens from the first call
// of a session, as long as the client keeps a stream open.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createClientStreams } from '@gatewarden/hub/src/features/mcp/sessions/index.ts';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, listen, messagesIn, send } from '../support/mcp-messages.ts';
import { aServer } from '../support/mcp-servers.ts';
import { aServerOfBefore } from '../support/mcp-talking-servers.ts';

let hub: TestHub;
let secondHub: TestHub;
let token: string;
let before: Awaited<ReturnType<typeof aServerOfBefore>>;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const config = { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
  hub = await startTestHub(config);
  secondHub = await startTestHub(config);
  before = await aServerOfBefore();
  await offer('before', before.url);
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await secondHub.stop();
  await before.close();
});

async function offer(slug: string, url: string): Promise<void> {
  const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
  expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
}

const CAPABILITIES = { roots: {} };
const call = (name: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: {} },
});

test.each([
  ['the process that is called', () => hub],
  ['another process', () => secondHub],
])('forwards a server request during the first call to a stream at %s', async (_at, at) => {
  const session = await aSession(hub, token, CAPABILITIES);
  const stream = messagesIn(await listen(at(), token, session));
  const answer = send(hub, token, call('before__ask-besides'), session);
  const question = await first(stream, (message) => message.method === 'roots/list');
  const result = { roots: [{ uri: 'file:///home/me', name: 'a-root' }] };
  await send(hub, token, { jsonrpc: '2.0', id: question.id, result }, session);
  const done = await first(messagesIn(await answer), (message) => message.id === 1);
  expect(done.result.content[0].text).toContain('a-root');
  await stream.return(undefined);
});

test('waits only for a session with an open client stream, until its server is followed', async () => {
  const { db, connection } = hub.context.database;
  const notifications = await startNotifications({
    ...{ connection, log: createLog('silent') },
    revive: async () => undefined,
  });
  const streams = createClientStreams(db, notifications, () => undefined, 60_000);
  const opened = () => {
    const stream = streams.open({
      ...{
        tenantId: hub.tenantId,
        tokenId: 'token',
        holder: 'token',
        session: 'mine',
        backendId: null,
      },
      response: new ServerResponse(new IncomingMessage(new Socket())),
      toClient: (message) => message,
      revalidate: async () => undefined,
      refresh: () => undefined,
    });
    if (stream === null) throw new Error('no stream');
    return stream;
  };
  const isOver = (waiting: Promise<void>) =>
    Promise.race([
      waiting.then(() => true),
      new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
    ]);
  expect(await isOver(streams.awaitFollowed('mine', 'server'))).toBe(true);
  await streams.announceOpening('mine');
  const first = opened();
  const second = opened();
  expect(first.signal.aborted).toBe(true);
  const waiting = streams.awaitFollowed('mine', 'server');
  expect(await isOver(waiting)).toBe(false);
  streams.announceFollowed('mine', 'server');
  await waiting;
  second.end();
  expect(await isOver(streams.awaitFollowed('mine', 'server'))).toBe(true);
  streams.stop();
  await notifications.stop();
});

test('reopens the stream of a server that promised to keep it, once for all subscriptions', async () => {
  const streams: ServerResponse[] = [];
  const busy = await aServer(
    (request, response, body) => {
      if (request.method === 'GET') {
        // A server that has not noticed yet that the stream before was closed answers so.
        if (streams.push(response) === 1) return void response.writeHead(409).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
        return;
      }
      const { id, method } = body === '' ? {} : JSON.parse(body);
      if (method === 'server/discover') return void response.writeHead(404).end();
      const capabilities = { resources: { subscribe: true }, tools: {} };
      const result = method === 'initialize' ? { capabilities } : { content: [] };
      response.writeHead(200, {
        'content-type': 'application/json',
        'mcp-session-id': 'busy-session',
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    },
    { allMethods: true },
  );
  await offer('busy', busy.url);
  const session = await aSession(hub, token, CAPABILITIES);
  const stream = messagesIn(await listen(hub, token, session));
  await (await send(hub, token, call('busy__x'), session)).text();
  await expect.poll(() => streams.length).toBe(2);
  for (const uri of ['gw-busy+memo://a', 'gw-busy+memo://b']) {
    const subscribe = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } };
    const { result } = await first(
      messagesIn(await send(hub, token, subscribe, session)),
      () => true,
    );
    expect(result).toBeDefined();
  }
  const update = { jsonrpc: '2.0', method: 'notifications/resources/updated' };
  const announce = (uri: string) =>
    streams[1]?.write(`data: ${JSON.stringify({ ...update, params: { uri } })}\n\n`);
  for (const uri of ['memo://b', 'memo://a']) {
    announce(uri);
    const { params } = await first(stream, (message) => message.method === update.method);
    expect(params.uri).toBe(`gw-busy+${uri}`);
  }
  expect(streams).toHaveLength(2);
  await stream.return(undefined);
  await busy.close();
});
