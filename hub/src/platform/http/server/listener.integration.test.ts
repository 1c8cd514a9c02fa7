// The listener answers before the application is ready, and passes requests on to it.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SLOW_READER_LIMITS } from '../limits/slow-reader-guard.ts';
import { type Listener, listen } from './listener.ts';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.drain(0);
});

async function open(): Promise<Listener> {
  const listener = await listen('127.0.0.1', 0);
  listeners.push(listener);
  return listener;
}

async function ask(port: number, headers: Record<string, string>) {
  const sent = request({ port, host: '127.0.0.1', path: '/', headers });
  sent.end();
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('starting hub', () => {
  it('names the request like the application, and forbids caching', async () => {
    const { port } = await open();
    const named = await ask(port, { 'x-request-id': 'mine' });
    expect([named.status, named.headers['retry-after'], named.headers['cache-control']]).toEqual([
      503,
      '1',
      'no-store',
    ]);
    expect([named.headers['x-request-id'], JSON.parse(named.body).request_id]).toEqual([
      'mine',
      'mine',
    ]);
    const odd = await ask(port, { 'x-request-id': 'a b' });
    expect(odd.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(odd.body).request_id).toBe(odd.headers['x-request-id']);
  });
});

it('serves a request with an unknown expectation', async () => {
  const listener = await open();
  listener.attach((_request, response) => response.end('served'));
  listener.serve();
  const { status, body } = await ask(listener.port, { expect: '200-maybe' });
  expect([status, body]).toEqual([200, 'served']);
});

it('keeps idle connections only while there is room for others', async () => {
  const listener = await listen('127.0.0.1', 0, SLOW_READER_LIMITS, 10);
  listeners.push(listener);
  listener.attach((_request, response) => response.end('served'));
  listener.serve();
  const idle = Array.from({ length: 8 }, () => connect(listener.port, '127.0.0.1'));
  const answered = idle.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer);
  });
  for (const answer of await Promise.all(answered)) expect(answer).toMatch(/keep-alive/);
  for (let i = 0; i < 20; i++) {
    const { status, headers } = await ask(listener.port, { connection: 'keep-alive' });
    expect([status, headers.connection]).toEqual([200, 'close']);
  }
  // The next request of an idle connection gives up its slot.
  const closed = once(idle[0] as Socket, 'close');
  const another = connect(listener.port, '127.0.0.1');
  await once(another, 'connect');
  idle[0]?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
  for (const socket of [...idle, another]) socket.destroy();
});

/** A slow reader pauses for longer than the sweep of idle connections. */
const READER_PAUSE_MS = 300;
/** A slow sender pauses between bytes for less than the stall timeout. */
const SENDER_PAUSE_MS = 100;

describe('draining hub', () => {
  it('finishes a written response that is read slowly', async () => {
    const listener = await open();
    const much = Buffer.alloc(16 * 1024 * 1024, 'a');
    const written = Promise.withResolvers<void>();
    listener.attach((_request, response) => {
      response.end(much);
      written.resolve();
    });
    listener.serve();
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await written.promise;
    const drained = listener.drain(30_000);
    await pause(READER_PAUSE_MS);
    let bytes = 0;
    socket.on('data', (part) => {
      bytes += part.length;
    });
    await once(socket, 'close');
    expect(await drained).toBe(true);
    expect(bytes).toBeGreaterThan(much.length);
  });

  it('waits for a body in progress, and not for an idle body', async () => {
    const listener = await open();
    listener.attach((request, response) => {
      let all = '';
      request.on('data', (part) => {
        all += part;
      });
      request.on('end', () => response.end(all));
    });
    listener.serve();
    const [coming, still] = [1, 2].map(() => {
      const socket = connect(listener.port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n');
      return socket;
    }) as [Socket, Socket];
    const answer = text(coming);
    const cut = once(still, 'close').then(() => 'cut');
    await pause(50);
    const drained = listener.drain(30_000);
    // Each byte arrives within the stall timeout; the whole body takes longer.
    for (let sent = 0; sent < 30; sent++) {
      await pause(SENDER_PAUSE_MS);
      coming.write('a');
    }
    expect(await drained).toBe(true);
    expect(await cut).toBe('cut');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*a{30}$/);
  });

  it('answers a request on a keep-alive connection, and closes it', async () => {
    const listener = await open();
    listener.attach((_request, response) => response.end('served'));
    listener.serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = async () => {
      const sent = request({ port: listener.port, host: '127.0.0.1', agent });
      sent.end();
      const [answer] = await once(sent, 'response');
      return [await text(answer), answer.headers.connection];
    };
    expect(await call()).toEqual(['served', 'keep-alive']);
    const drained = listener.drain(30_000);
    expect(await call()).toEqual(['served', 'close']);
    expect(await drained).toBe(true);
    agent.destroy();
  });
});
