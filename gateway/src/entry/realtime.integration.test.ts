// A WebSocket passes through the node to the provider and back.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts';

let gateway: TestGateway;
let upstream: Server;
const handshakes: IncomingMessage[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  upstream = createServer().on('upgrade', (request, socket: Socket) => {
    handshakes.push(request);
    sockets.push(socket);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // Unmasked text frames (RFC 6455 §5.2): at once, and after the first bytes of the client.
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
    socket.once('data', () =>
      socket.write(Buffer.concat([Buffer.from([0x81, 3]), Buffer.from('got')])),
    );
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
  for (const connection of sockets) connection.destroy();
  upstream.close();
});

const makeApp = (app: Record<string, unknown> = {}) =>
  gateway.makeApp({
    provider_name: 'vendorA_realtime',
    provider_settings: {
      api_key: 'sk-upstream',
      base_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
    },
    app,
  });

const open = (key: string) =>
  new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`, {
    headers: { authorization: `Bearer ${key}` },
  });

test('tunnels a WebSocket with the credentials of the provider, and logs it at its end', async () => {
  const app = await makeApp();
  const socket = open(app.key);
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    messages.push(String(data));
    if (messages.length === 1) socket.send('ping');
  });
  await expect.poll(() => messages, { interval: 20 }).toEqual(['hello', 'got']);
  expect(handshakes[0]?.url).toBe('/v1/realtime?model=gpt-realtime');
  expect(handshakes[0]?.headers.authorization).toBe('Bearer sk-upstream');
  for (const connection of sockets) connection.end();
  const find = async () => {
    const { rows } = await gateway.hub.context.database.pool.query(
      "SELECT event FROM llm_requests WHERE tenant_id = $1 AND event::text LIKE '%/v1/realtime%'",
      [gateway.hub.tenantId],
    );
    return rows.length;
  };
  await expect.poll(find, { interval: 20 }).toBe(1);
});

test('refuses a WebSocket of an app with guardrails, and a WebSocket without a key', async () => {
  const app = await makeApp({ detection: { enabled_categories: { pci: true } } });
  for (const key of [app.key, 'gwk_wrong']) {
    const failed = new Promise((resolve) => open(key).addEventListener('error', resolve));
    await failed;
  }
  expect(handshakes).toHaveLength(1);
});
