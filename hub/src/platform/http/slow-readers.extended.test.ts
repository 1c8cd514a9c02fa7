// Clients that do not read their responses are disconnected, limited to a single response each, and bounded together.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from './listener.ts';
import { SLOW_READER_LIMITS } from './unread-answers.ts';

/** More than the kernel keeps for both ends of a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
function* pieces() {
  for (let at = 0; at < LARGE.length; at += 64 * 1024) yield LARGE.subarray(at, at + 64 * 1024);
}
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const one of listeners.splice(0)) await one.drain(0);
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

/** A client that asks and does not read until it is told to. */
function ask(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(REQUEST.repeat(requests));
  return socket;
}

/** It takes some, and then nothing for so long, again and again; gives how much that was. */
function takenBy(client: Socket, pauseMs: number): () => number {
  let got = 0;
  client.on('data', (bytes) => {
    got += bytes.length;
    client.pause();
    setTimeout(() => client.resume(), pauseMs);
  });
  client.resume();
  return () => got;
}

describe('client that does not read its response', () => {
  it('disconnects a client that takes nothing for a while', async () => {
    const { port } = await serve((_request, response) => response.end(LARGE), {
      stalledMs: 100,
      lookEveryMs: 20,
    });
    const client = ask(port);
    const [server] = (await once(listeners[0]?.server as never, 'connection')) as [Socket];
    await once(server, 'close');
    // Nothing of it stays in the kernel to be read.
    const cut = once(client, 'error');
    client.resume();
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it('disconnects a client while the response is written in pieces, however often it is checked', async () => {
    const { port } = await serve(
      (_request, response) => void Readable.from(pieces()).pipe(response),
      { stalledMs: 1_000, lookEveryMs: 50 },
    );
    const client = ask(port);
    const [server] = (await once(listeners[0]?.server as never, 'connection')) as [Socket];
    await once(server, 'close');
    client.destroy();
  });

  it('tolerates pauses between pieces while the client takes some bytes', async () => {
    const { port } = await serve(
      (_request, response) => void Readable.from(pieces()).pipe(response),
      { stalledMs: 1_000, lookEveryMs: 50 },
    );
    const client = ask(port);
    const got = takenBy(client, 10);
    await expect.poll(got, { timeout: 50_000 }).toBeGreaterThan(LARGE.length);
    client.destroy();
  });

  it.runIf(process.platform === 'linux').each([
    ['pieces', (_request, response) => void Readable.from(pieces()).pipe(response)],
    ['one piece', (_request, response) => void response.end(LARGE)],
  ] satisfies [string, RequestListener][])(
    'tolerates progress that only the kernel sees (%s)',
    async (_what, answer) => {
      const { port } = await serve(answer, { stalledMs: 3_000, lookEveryMs: 50 });
      const client = ask(port);
      const [server] = (await once(listeners[0]?.server as never, 'connection')) as [Socket];
      const got = takenBy(client, 200);
      // What the kernel took at first is more: Node saw nothing go.
      await expect.poll(got, { timeout: 50_000 }).toBeGreaterThan(1_500_000);
      expect(server.destroyed).toBe(false);
      client.destroy();
    },
  );

  it('tolerates a slow client that takes some bytes', async () => {
    const { port } = await serve((_request, response) => response.end(LARGE), {
      stalledMs: 2_000,
      lookEveryMs: 50,
    });
    const client = ask(port);
    const got = takenBy(client, 10);
    await expect.poll(got, { timeout: 50_000 }).toBeGreaterThan(LARGE.length);
    client.destroy();
  });

  it('serves no next request of a client that does not read', async () => {
    let served = 0;
    const { port } = await serve((_request, response) => {
      served++;
      response.end(LARGE);
    });
    const client = ask(port, 3);
    await expect.poll(() => served).toBe(1);
    let got = 0;
    client.on('data', (bytes) => {
      got += bytes.length;
    });
    client.resume();
    await expect.poll(() => got, { timeout: 30_000 }).toBeGreaterThan(3 * LARGE.length);
    expect(served).toBe(3);
    client.destroy();
  });

  it('disconnects a client that pipelines too many requests', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      waiting: 10,
    });
    const client = ask(port, 12);
    await expect.poll(() => closed.length).toBe(1);
    client.destroy();
  });

  it('ignores pipelined requests of a disconnected client', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      waiting: 10,
    });
    let made = 0;
    listeners[0]?.server.on('request', () => made++);
    const client = ask(port, 1_000);
    await expect.poll(() => closed.length).toBe(1);
    expect(made).toBe(12);
    client.destroy();
    // The parser that heard it serves others.
    const other = await fetch(`http://127.0.0.1:${port}/`);
    expect((await other.arrayBuffer()).byteLength).toBe(LARGE.length);
  });

  it('disconnects a slow client first when all unread bytes exceed the limit', async () => {
    const { port, closed } = await serve((_request, response) => response.end(LARGE), {
      bytes: 2.5 * LARGE.length,
    });
    const clients: Socket[] = [];
    for (let i = 0; i < 3; i++) {
      const connected = once(listeners[0]?.server as never, 'connection');
      clients.push(ask(port));
      const [server] = (await connected) as [Socket];
      await expect.poll(() => server.writableLength > 0 || server.destroyed).toBe(true);
    }
    await expect.poll(() => closed.length).toBe(1);
    // One that reads is served meanwhile.
    const reading = ask(port);
    let got = 0;
    reading.on('data', (bytes) => {
      got += bytes.length;
    });
    reading.resume();
    await expect.poll(() => got, { timeout: 30_000 }).toBeGreaterThan(LARGE.length);
    for (const one of [...clients, reading]) one.destroy();
  });
});

describe('requests of a connection', () => {
  it('answers requests in their order, each after its predecessor', async () => {
    const answers: string[] = [];
    let n = 0;
    const { port } = await serve((_request, response) => {
      const mine = n++;
      setImmediate(() => response.end(`<${mine}>`));
    });
    const client = ask(port, 20);
    client.on('data', (bytes) => answers.push(...(bytes.toString().match(/<\d+>/g) ?? [])));
    client.resume();
    await expect.poll(() => answers.length).toBe(20);
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => `<${i}>`));
    client.destroy();
  });
});
