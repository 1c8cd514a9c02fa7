// Servers of the revision 2024-11-05 speak HTTP+SSE only and work behind the gateway.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aToken } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aSession, first, type Message, messagesIn, send } from '../support/mcp-messages.ts';
import { aServer, everythingServer } from '../support/mcp-servers.ts';

let m: McpHub;
let everything: Awaited<ReturnType<typeof everythingServer>>;

beforeAll(async () => {
  m = await startMcpHub();
  everything = await everythingServer(undefined, 'sse');
  await m.aBackend('old', everything.url);
});
afterAll(async () => {
  await m.hub.stop();
  await everything.close();
});

const call = (name: string, args: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const answerTo = async (message: object, headers = {}): Promise<Message> =>
  first(
    messagesIn(await send(m.hub, m.token, message, headers)),
    (message) => message.method === undefined,
  );

test('lists and calls tools, several calls at once', async () => {
  const { result } = await answerTo({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  expect(result.tools.map((tool: { name: string }) => tool.name)).toContain('old__echo');
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((message, id) => answerTo(call('old__echo', { message }, id))),
  );
  expect(answers.map((message) => [message.id, message.result.content[0].text])).toEqual([
    [0, 'Echo: a'],
    [1, 'Echo: b'],
    [2, 'Echo: c'],
  ]);
});

test('forwards elicitations of the server to the client', async () => {
  const session = await aSession(m.hub, m.token, { elicitation: {}, sampling: {} });
  const stream = messagesIn(
    await send(m.hub, m.token, call('old__trigger-sampling-request', { prompt: 'hi' }), session),
  );
  const question = await first(stream, (message) => message.method === 'sampling/createMessage');
  const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'model words' } };
  await send(m.hub, m.token, { jsonrpc: '2.0', id: question.id, result }, session);
  const answer = await first(stream, (message) => message.method === undefined);
  expect(JSON.stringify(answer.result)).toContain('model words');
});

test('forwards the instructions of the server', async () => {
  const token = await aToken(m.hub, m.email, { prefix: '/old' });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
  const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const answer = await send(m.hub, token, begin, {}, '/old/mcp');
  const { result } = (await answer.json()) as { result: { instructions?: string } };
  expect(result.instructions?.length).toBeGreaterThan(10);
});

test('reconnects to a restarted server', async () => {
  await everything.close();
  everything = await everythingServer(Number(new URL(everything.url).port), 'sse');
  const echoed = async () =>
    (await answerTo(call('old__echo', { message: 'x' }))).result !== undefined;
  await expect.poll(echoed).toBe(true);
});

test('sends nothing to a message endpoint at another origin', async () => {
  const evil = await aServer((_request, response) => void response.writeHead(202).end());
  const lying = await aServer(
    (request, response) => {
      if (request.method !== 'GET') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${evil.url}\n\n`);
    },
    { allMethods: true },
  );
  await m.aBackend('lying', lying.url, { auth: { kind: 'shared', secret: 'the-secret' } });
  expect((await answerTo(call('lying__x'))).error?.message).toContain('404 to initialize');
  expect(evil.requests).toEqual([]);
  await Promise.all([evil.close(), lying.close()]);
});
