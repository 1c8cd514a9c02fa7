// Clients that do not read their responses are disconnected, limited to a single response each, and bounded together.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../server/listener.ts';
import { SLOW_READER_LIMITS } from './slow-reader-guard.ts';

/** Exceeds the kernel's buffers at both ends of a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
function* pieces() {
  for (let at = 0; at < LARGE.length; at += 64 * 1024) yield LARGE.subarray(at, at + 64 * 1024);
}
/** The time that a slow handler takes: several times the limit of a stalled response. */
const HANDLER_MS = 500;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.drain(0);
});

async function serve(handler: RequestListener, limits: Partial<typeof SLOW_READER_LIMITS> = {}) {
  const listener = await listen('127.0.0.1', 0, { ...SLOW_READER_LIMITS, ...limits });
  listeners.push(listener);
  listener.attach(handler);
  listener.serve();
  const closed: Socket[] = [];
  listener.server.on('connection', (socket) => socket.on('close', () => closed.push(socket)));
  return { port: listener.port, closed };
}

/** Connects a client that sends requests and reads nothing until it is resumed. */
function connectClient(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(REQUEST.repeat(requests));
  return socket;
}

/** Makes the client pause after each read. Returns a function that returns the bytes it has read. */
function readSlowly(client: Socket, pauseMs: number): () => number {
  let received = 0;
  client.on('data', (bytes) => {
    received += bytes.length;
    client.pause();
    setTimeout(() => client.resume(), pauseMs);
  });
  client.resume();
  return () => received;
}

describe('client that does not read its response', () => {
  it('disconnects a client that takes nothing for a while', async () => {
    const { port } = await serve((_request, response) => response.end(LARGE), {
      stalledMs: 100,
    });
    const client = connectClient(port);
    const [server] = (await once(listeners[0]?.server as never, 'connection')) as [Socket];
    await once(server, 'close');
    // The reset discards what the kernel has buffered.
    const cut = once(client, 'error');
    client.resume();
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it('disconnects a client while the response is written in pieces', async () => {
    const { port } = await serve(
      (_request, response) => void Readable.from(pieces()).pipe(response),
      { stalledMs: 1_000 },
    );
    const client = connectClient(port);
    const [server] = (await once(listeners[0]?.server as never, 'connection')) as [Socket];
    await once(server, 'close');
    client.destroy();
  });

  it('tolerates pauses between pieces while the client takes some bytes', async () => {
    const { port } = await serve(
      (_request, response) => void Readable.from(pieces()).pipe(response),
      { stalledMs: 1_000 },
    );
    const client = connectClient(port);
    const received = readSlowly(client, 10);
    await expect.poll(received, { timeout: 50_000 }).toBeGreaterThan(LARGE.length);
    client.destroy();
  });

  it('leaves a client alone while the hub works on its response', async () => {
    const { port } = await serve(
      (_request, response) => void setTimeout(() => response.end('late'), HANDLER_MS),
      { stalledMs: 100 },
    );
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('late');
  });

  it('tolerates a slow client that takes some bytes', async () => {
    const { port } = await serve((_request, response) => response.end(LARGE), {
      stalledMs: 2_000,
    });
    const client = connectClient(port);
    const received = readSlowly(client, 10);
    await expect.poll(received, { timeout: 50_000 }).toBeGreaterThan(LARGE.length);
    client.destroy();
  });

  it('serves no next request of a client that does not read', async () => {
    let served = 0;
    const { port } = await serve((_request, response) => {
      served++;
      response.end(LARGE);
    });
    const client = connectClient(port, 3);
    await expect.poll(() => served).toBe(1);
    let received = 0;
    client.on('data', (bytes) => {
      received += bytes.length;
    });
    client.resume();
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(3 * LARGE.length);
    expect(served).toBe(3);
    client.destroy();
  });

  it('disconnects a client that pipelines too many requests', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      maxPipelined: 10,
    });
    const client = connectClient(port, 12);
    await expect.poll(() => closed.length).toBe(1);
    client.destroy();
  });

  it('ignores pipelined requests of a disconnected client', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      maxPipelined: 10,
    });
    let served = 0;
    listeners[0]?.attach((_request, response) => {
      served++;
      response.end(LARGE);
    });
    const client = connectClient(port, 1_000);
    await expect.poll(() => closed.length).toBe(1);
    expect(served).toBe(1);
    client.destroy();
    // The next connection is served.
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect((await response.arrayBuffer()).byteLength).toBe(LARGE.length);
  });

  it('disconnects a slow client first when all unread bytes exceed the limit', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      maxBytes: 2.5 * LARGE.length,
    });
    const clients: Socket[] = [];
    for (let i = 0; i < 3; i++) {
      const connected = once(listeners[0]?.server as never, 'connection');
      clients.push(connectClient(port));
      const [server] = (await connected) as [Socket];
      await expect.poll(() => server.writableLength > 0 || server.destroyed).toBe(true);
    }
    await expect.poll(() => closed.length).toBe(1);
    // A client that reads is served meanwhile.
    const reading = connectClient(port);
    let received = 0;
    reading.on('data', (bytes) => {
      received += bytes.length;
    });
    reading.resume();
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(LARGE.length);
    for (const client of [...clients, reading]) client.destroy();
  });
});

describe('requests of a connection', () => {
  it('answers requests in their order, each after its predecessor', async () => {
    const bodies: string[] = [];
    let n = 0;
    const { port } = await serve((_request, response) => {
      const index = n++;
      setImmediate(() => response.end(`<${index}>`));
    });
    const client = connectClient(port, 20);
    client.on('data', (bytes) => bodies.push(...(bytes.toString().match(/<\d+>/g) ?? [])));
    client.resume();
    await expect.poll(() => bodies.length).toBe(20);
    expect(bodies).toEqual(Array.from({ length: 20 }, (_, i) => `<${i}>`));
    client.destroy();
  });
});
