// What the socket answers before the application is there, and which requests it hands on.
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from './listener.ts';

const listeners: Listener[] = [];
afterEach(async () => {
  for (const one of listeners.splice(0)) await one.drain(0);
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

describe('while the hub starts', () => {
  it('an answer names the request as the application would, and is not to be stored', async () => {
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

it('a request that expects what nobody knows is served like any other', async () => {
  const listener = await open();
  listener.attach((_request, response) => response.end('served'));
  listener.serve();
  const { status, body } = await ask(listener.port, { expect: '200-maybe' });
  expect([status, body]).toEqual([200, 'served']);
});
