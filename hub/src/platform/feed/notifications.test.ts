// A database disconnects during the first connection to it: the start fails with a reason, and the process lives.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startNotifications } from './notifications.ts';

const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));

/** Returns a message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Starts a server that answers like PostgreSQL until it disconnects, with or without an error message. */
async function startServer(respond: (socket: Socket, received: number) => void): Promise<number> {
  const server = createServer((socket) => {
    let received = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => respond(socket, received++));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test.each<[string, (socket: Socket, received: number) => void]>([
  ['before authentication', (socket) => socket.destroy()],
  ['with an error message', (socket) => socket.end(Buffer.from('E\0\0\0\x14SFATAL\0C57P03\0\0\0'))],
  [
    'at its LISTEN statement',
    (socket, received) => {
      if (received === 0) socket.write(Buffer.concat([AUTHENTICATED, READY]));
      else socket.destroy();
    },
  ],
])('fails the start when the database disconnects %s', async (_when, respond) => {
  const port = await startServer(respond);
  const thrown: unknown[] = [];
  const record = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', record);
  onTestFinished(() => {
    process.off('uncaughtException', record);
  });
  await expect(
    startNotifications({
      connection: { host: '127.0.0.1', port, user: 'hub', database: 'hub' },
      log: createLog('silent'),
      revive: async () => undefined,
    }),
  ).rejects.toThrow();
  // Late events of the broken connection arrive after the rejection.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(thrown).toEqual([]);
});
