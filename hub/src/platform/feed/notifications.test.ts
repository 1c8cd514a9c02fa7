// A database disconnects during the first connection to it: the start fails with a reason, and the process lives.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../telemetry/log.ts';
import { startNotifications } from './notifications.ts';

const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));

/** One message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Speaks as PostgreSQL until it goes away, with or without a word. */
async function aDatabaseThat(goes: (socket: Socket, heard: number) => void): Promise<number> {
  const server = createServer((socket) => {
    let heard = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => goes(socket, heard++));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test.each<[string, (socket: Socket, heard: number) => void]>([
  ['before it knows us', (socket) => socket.destroy()],
  ['with a word', (socket) => socket.end(Buffer.from('E\0\0\0\x14SFATAL\0C57P03\0\0\0'))],
  [
    'at its LISTEN statement',
    (socket, heard) => {
      if (heard === 0) socket.write(Buffer.concat([AUTHENTICATED, READY]));
      else socket.destroy();
    },
  ],
])('fails the start when the database disconnects %s', async (_when, goes) => {
  const port = await aDatabaseThat(goes);
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.off('uncaughtException', note);
  });
  await expect(
    startNotifications({
      connection: { host: '127.0.0.1', port, user: 'hub', database: 'hub' },
      log: createLog('silent'),
      revive: async () => undefined,
    }),
  ).rejects.toThrow();
  // What a broken connection still has to say comes after its refusal.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(thrown).toEqual([]);
});
