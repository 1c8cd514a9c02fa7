// Malformed requests are answered on the socket itself, on connections that served requests before.
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { sendBrokenRequestError } from '../errors/errors.ts';
import { listen } from './listener.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** A connection, and all that comes on it. */
function talk(port: number, host = 'localhost'): { socket: Socket; answers(): string } {
  const socket = connect(port, host);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  return { socket, answers: () => text };
}

function talkToHub() {
  const { hostname, port } = new URL(hub.url);
  return talk(Number(port), hostname);
}

/** A connection whose first request has its answer, though none of its body was sent. */
async function answeredEarly(): Promise<{ socket: Socket; answers(): string }> {
  const { socket, answers } = talkToHub();
  socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
  await expect.poll(answers).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n\{.*\}$/s);
  return { socket, answers };
}

it('answers an oversized request behind a request that was answered early', async () => {
  const { socket, answers } = await answeredEarly();
  const closed = once(socket, 'close');
  socket.write(`12345GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  await closed;
  expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 431']);
});

it.each([
  ['what is no HTTP', 'GARBAGE\r\n\r\n'],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
])(
  'disconnects a client that keeps the connection open after the answer to %s',
  async (_what, sent) => {
    const server = createServer().on('clientError', sendBrokenRequestError).listen(0);
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
    const [ours] = (await once(server, 'connection')) as [Socket];
    const closed = once(ours, 'close');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    const ended = once(socket, 'end');
    socket.write(sent);
    await ended;
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d .*\}$/s);
    await closed;
    socket.destroy();
    server.close();
  },
);

it('finishes a running response before a malformed request', async () => {
  const answer = Buffer.alloc(1_500_000, 'a');
  const sent = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.on('finish', sent.resolve);
    response.end(answer);
  });
  server.on('clientError', sendBrokenRequestError).listen(0);
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
  const [ours] = (await once(server, 'connection')) as [Socket];
  const closed = once(ours, 'close');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await sent.promise;
  socket.write('GARBAGE\r\n\r\n');
  await closed;
  let bytes = 0;
  socket.on('data', (part) => {
    bytes += part.length;
  });
  const ended = once(socket, 'end');
  socket.resume();
  await ended;
  expect(bytes).toBeGreaterThan(answer.length);
  socket.destroy();
  server.close();
});

it('sends no second answer for the rest of an answered body', async () => {
  const { socket, answers } = await answeredEarly();
  const closed = once(socket, 'close');
  // Its five bytes never come: the connection is cut when their time is up.
  socket.end('123');
  await closed;
  expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
});

it.each([
  ['with a declared length', 'Content-Length: 8388608', (part: string) => part],
  [
    'in chunks',
    'Transfer-Encoding: chunked',
    (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`,
  ],
])('answers readably while a client sends an oversized body %s', async (_how, header, framed) => {
  const { socket, answers } = talkToHub();
  const broken = new Promise<string>((resolve) => socket.once('error', () => resolve('broken')));
  socket.write(
    `POST /gwone/oauth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
  );
  for (let sent = 0; sent < 128; sent++) {
    if (socket.write(framed(' '.repeat(65_536)))) continue;
    expect(await Promise.race([once(socket, 'drain').then(() => 'taken'), broken])).toBe('taken');
  }
  if (header.startsWith('Transfer')) socket.write('0\r\n\r\n');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect
    .poll(() => answers().match(/HTTP\/1\.1 \d+/g))
    .toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  socket.destroy();
});

it('stops reading an endless body', async () => {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  socket.write(
    'POST /gwone/oauth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const part = `100000\r\n${' '.repeat(1024 * 1024)}\r\n`;
  let isOver = false;
  for (let sent = 0; sent < 200 && !isOver; sent++) {
    const taken = socket.write(part)
      ? false
      : once(socket, 'drain').then(
          () => false,
          () => true,
        );
    isOver = await Promise.race([taken, closed]);
  }
  expect(isOver).toBe(true);
});

it.each([
  ['without a host', '', 400, '/header/host is missing.'],
  ['with two hosts', 'Host: x\r\nHost: y', 400, '/header/host is a duplicate.'],
  [
    'with two types',
    'Host: x\r\nContent-Type: application/json\r\nContent-Type: text/plain',
    400,
    '/header/content-type is a duplicate.',
  ],
  [
    'with both headers',
    'Host: x\r\nAuthorization: Bearer a\r\nCookie: a=1\r\nCookie: b=2',
    200,
    null,
  ],
])('answers a request %s in the common error format', async (_how, head, status, message) => {
  const { socket, answers } = talkToHub();
  const closed = once(socket, 'close');
  const lines = ['GET /healthz HTTP/1.1', ...(head === '' ? [] : [head]), 'Connection: close'];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await closed;
  expect(answers()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const body = JSON.parse(answers().slice(answers().indexOf('\r\n\r\n') + 4));
  expect(body.error?.message ?? null).toBe(message);
  if (status !== 200) expect(body.error.code).toBe('invalid_request');
});

it('sends a pending response, whatever follows it', async () => {
  const { socket, answers } = talkToHub();
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n');
  await once(socket, 'close');
  expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(answers()).toMatch(/\r\nconnection: close\r\n/i);
});

/** All that a server with this handler answers to these bytes, until it ends the connection. */
async function answered(handler: RequestListener, sent: string): Promise<string> {
  const server = createServer(handler).on('clientError', sendBrokenRequestError).listen(0);
  const { socket, answers } = talk((server.address() as AddressInfo).port);
  socket.on('error', () => undefined);
  socket.write(sent);
  await once(socket, 'close');
  server.close();
  return answers();
}

it('ignores requests behind a request that ends its connection', async () => {
  const listener = await listen('127.0.0.1', 0);
  const carriedOut: unknown[] = [];
  const started = Promise.withResolvers<ServerResponse>();
  listener
    .attach((request, response) => {
      carriedOut.push(request.url);
      started.resolve(response);
    })
    .on('clientError', sendBrokenRequestError);
  listener.serve();
  const { socket, answers } = talk(listener.port, '127.0.0.1');
  socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n');
  const first = await started.promise;
  const broken = once(listener.server, 'clientError');
  socket.write('garbage\r\n\r\n');
  await broken;
  first.end('done');
  await once(socket, 'close');
  expect(answers()).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/);
  await listener.drain(0);
  expect(carriedOut).toEqual(['/first']);
});

it('writes nothing into a streaming response', async () => {
  const text = await answered((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  }, 'GET / HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n');
  expect(text.match(/HTTP\/1\.1 \d+/g) ?? ['HTTP/1.1 200']).toEqual(['HTTP/1.1 200']);
});

it('sends a written response completely', async () => {
  const much = 'a'.repeat(8 * 1024 * 1024);
  const text = await answered(
    (_request, response) => response.end(much),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n',
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(text.endsWith(much)).toBe(true);
});

it('reports a malformed body to its own request', async () => {
  const text = await answered(
    () => undefined,
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  );
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
});
