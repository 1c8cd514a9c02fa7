// A server sends faster than its client reads, after the client returned with an elicitation response.
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startMcpHub } from '../support/mcp-hub.ts';
import { first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServer } from '../support/mcp-servers.ts';

const MB = 1024 * 1024;
const ENOUGH = 200 * MB;
const params = { level: 'info', data: 'x'.repeat(64 * 1024) };
const event = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n\n`;

test('applies backpressure to a server when the returned client does not read', async () => {
  const m = await startMcpHub();
  let stream: ServerResponse | undefined;
  let sent = 0;
  const flood = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && sent < ENOUGH) {
        sent += event.length;
        if (!response.write(event)) break;
      }
    };
    response.on('drain', more);
    more();
  };
  const server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method === 'tools/call') {
      stream = response;
      const question = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
      const asked = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: question };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`data: ${JSON.stringify(asked)}\n\n`);
    }
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    response.writeHead(202).end();
    if (id === 'q' && stream !== undefined) flood(stream);
  });
  await m.aBackend('flooding', server.url);
  const aCall = (more: object = {}) =>
    modern(
      { id: 1, method: 'tools/call', params: { name: 'flooding__x', arguments: {}, ...more } },
      { elicitation: {} },
    );
  const asked = aCall();
  const { result } = await first(
    messagesIn(await send(m.hub, m.token, asked.body, asked.headers)),
    (message) => message.id === 1,
  );
  const inputResponses = { question: { action: 'accept', content: {} } };
  const again = aCall({ requestState: result.requestState, inputResponses });
  const { hostname, port, host } = new URL(m.hub.url);
  const body = JSON.stringify(again.body);
  const headers = {
    ...again.headers,
    host,
    authorization: `Bearer ${m.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`POST /gwone/mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  socket.pause();
  // The hub reads what it can between two answers to others: where none of many makes it take more, the server waits.
  await expect.poll(() => sent).toBeGreaterThan(0);
  for (let taken = -1, quiet = 0; quiet < 200 && sent < ENOUGH; taken = sent) {
    await (await m.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).json();
    quiet = sent === taken ? quiet + 1 : 0;
  }
  expect(sent).toBeGreaterThan(MB);
  expect(sent).toBeLessThan(ENOUGH / 2);
  socket.destroy();
  await m.hub.stop();
  await server.close();
});
