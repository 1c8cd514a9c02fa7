// A draining listener ends with its last answer, whatever its clients do with their connections.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createListener } from './listener.ts';

async function openAnswer() {
  const answer = Promise.withResolvers<ServerResponse>();
  const listener = createListener((_request, response) => {
    response.write('begun, ');
    answer.resolve(response);
  });
  const url = await listener.listen('127.0.0.1', 0);
  const agent = new Agent({ keepAlive: true });
  const [incoming] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return { listener, url, incoming, agent, answer: await answer.promise };
}

it('ends after a running answer, although its client keeps the connection', async () => {
  const { listener, incoming, agent, answer } = await openAnswer();
  const drained = listener.drain();
  answer.end('ended');
  expect(await text(incoming)).toBe('begun, ended');
  await drained;
  agent.destroy();
});

it('closes connections without a request, and refuses new connections', async () => {
  const { listener, url, incoming, agent, answer } = await openAnswer();
  const port = Number(new URL(url).port);
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  const drained = listener.drain();
  await closed;
  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  answer.end('ended');
  expect(await text(incoming)).toBe('begun, ended');
  await drained;
  agent.destroy();
});
