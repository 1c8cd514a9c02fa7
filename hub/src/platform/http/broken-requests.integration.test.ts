// What is answered on the socket itself, on connections that served before.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** A connection whose first request has its answer, though none of its body was sent. */
async function answeredEarly(): Promise<{ socket: Socket; answers(): string }> {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n\{.*\}$/s);
  return { socket, answers: () => text };
}

it('a request that is too large is told so behind one that was answered before its body came', async () => {
  const { socket, answers } = await answeredEarly();
  const closed = once(socket, 'close');
  socket.write(`12345GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
  await closed;
  expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 431']);
});

it('the rest of a body that was answered already gets no second answer', async () => {
  const { socket, answers } = await answeredEarly();
  const closed = once(socket, 'close');
  // Its five bytes never come: the connection is cut when their time is up.
  socket.end('123');
  await closed;
  expect(answers().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
});
