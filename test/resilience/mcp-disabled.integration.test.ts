// Streams to a disabled server are closed, for every client.
import { createServer, type Server, request as send_ } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServerOfBefore, aTalkingServer } from '../support/mcp-talking-servers.ts';

let m: McpHub;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  m = await startMcpHub();
});
afterAll(async () => {
  await m.hub.stop();
  for (const close of closing) await close();
});

/** Passes everything on to a server, and counts the streams that stay open there. */
async function counted(target: { url: string; close(): Promise<void> }) {
  let open = 0;
  const server: Server = createServer((request, response) => {
    const { method = 'GET', headers } = request;
    const asked = send_(target.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders();
      open++;
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    asked.on('response', () => response.once('close', () => open--));
    response.once('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => target.close(),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    open: () => open,
  };
}
const disable = async ({ id, version }: { id: string; version: string }) => {
  const changed = { body: { enabled: false }, headers: { 'if-match': version } };
  expect((await m.hub.console('PATCH', `/mcp/backends/${id}`, changed)).status).toBe(200);
};
const list = async () => (await m.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).json();

test.each([
  ['of the newest revision', aTalkingServer],
  ['of the older revision', aServerOfBefore],
])('closes the stream on which a server %s announces list changes', async (_of, begin) => {
  const server = await counted(await begin());
  const backend = await m.aBackend(`lists-${closing.length}`, server.url);
  await list();
  await expect.poll(server.open).toBe(1);
  await disable(backend);
  await expect.poll(server.open).toBe(0);
});

test('closes subscriptions of sessions and of clients of the newest revision', async () => {
  const before = await counted(await aServerOfBefore());
  const talking = await counted(await aTalkingServer());
  const [followed, listened] = [
    await m.aBackend('followed', before.url),
    await m.aBackend('listened', talking.url),
  ];
  const session = await aSession(m.hub, m.token);
  const controller = new AbortController();
  const stream = fetch(`${m.hub.url}/gwone/mcp`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${m.token}`, ...session },
    signal: controller.signal,
  })
    .then((answer) => answer.text())
    .catch(() => '');
  const params = { uri: 'gw-followed+memo://note' };
  await first(
    messagesIn(
      await send(
        m.hub,
        m.token,
        { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params },
        session,
      ),
    ),
    (answer) => answer.id === 1,
  );
  const notifications = { resourceSubscriptions: ['gw-listened+memo://note'] };
  const { body, headers } = modern({
    id: 2,
    method: 'subscriptions/listen',
    params: { notifications },
  });
  const listening = messagesIn(await send(m.hub, m.token, body, headers));
  await listening.next();
  await expect.poll(before.open).toBe(1);
  await expect.poll(talking.open).toBe(1);
  await disable(followed);
  await disable(listened);
  await expect.poll(before.open).toBe(0);
  await expect.poll(talking.open).toBe(0);
  controller.abort();
  await stream;
  await listening.return(undefined);
});
