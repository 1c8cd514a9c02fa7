// Calls that no client waits for any more are cancelled at their server in every phase.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

let m: McpHub;
let secondHub: TestHub;
let server: Running;
let open = 0;

beforeAll(async () => {
  m = await startMcpHub();
  secondHub = await startTestHub(m.hub.config);
  server = await aServerThatAsksOn();
  await m.aBackend('asking', server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await secondHub.stop();
  await server.close();
});

/** Starts a server that asks a question for each call, sends progress once it was answered, and never ends. */
async function aServerThatAsksOn() {
  const calls = new Map<string, (data: object) => void>();
  return aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    if (method === 'tools/call') {
      open++;
      response.once('close', () => open--);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const writeEvent = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
      calls.set(`question of ${id}`, writeEvent);
      const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
      return void writeEvent({
        jsonrpc: '2.0',
        id: `question of ${id}`,
        method: 'elicitation/create',
        params,
      });
    }
    response.writeHead(202).end();
    const params = { progressToken: 1, progress: 1, message: 'words that stop' };
    calls.get(id)?.({ jsonrpc: '2.0', method: 'notifications/progress', params });
  });
}

const cancelled = () =>
  server.requests.filter((request) => request.body.includes('notifications/cancelled')).length;
const aCall = (more: object = {}) =>
  modern(
    { id: 1, method: 'tools/call', params: { name: 'asking__x', arguments: {}, ...more } },
    { elicitation: {} },
  );
const asked = async () => {
  const { headers, body } = aCall();
  const answer = messagesIn(await send(m.hub, m.token, body, headers));
  const { result } = await first(answer, (message) => message.id === 1);
  expect(result.resultType).toBe('input_required');
  const inputResponses = { question: { action: 'accept', content: {} } };
  return aCall({ requestState: result.requestState, inputResponses });
};

test.each([
  ['in the process that has it', () => m.hub],
  ['in another process', () => secondHub],
])(
  'cancels a call whose client disconnects after it answered an elicitation, %s',
  async (_where, at) => {
    const before = cancelled();
    const { headers, body } = await asked();
    const stream = messagesIn(await send(at(), m.token, body, headers));
    // The progress has arrived, so the server has resumed its work.
    await first(stream, (message) => message.method === 'notifications/progress');
    await stream.return(undefined);
    await expect.poll(cancelled).toBe(before + 1);
    await expect.poll(() => open).toBe(0);
  },
);

test('cancels a call whose elicitation a guardrail stops', async () => {
  const before = cancelled();
  const definition = {
    kind: 'guardrail',
    direction: 'output',
    action: 'block',
    words: ['Which'],
  };
  const created = await m.hub.console('POST', '/mcp/call-rules', {
    body: { name: 'No questions', tool: '*', definition },
  });
  expect(created.status).toBe(201);
  const blocked = aCall();
  const refused = await first(
    messagesIn(await send(m.hub, m.token, blocked.body, blocked.headers)),
    (message) => message.id === 1,
  );
  expect(refused.error?.message).toMatch(/blocked the response/);
  await expect.poll(cancelled).toBe(before + 1);
  await expect.poll(() => open).toBe(0);
});
