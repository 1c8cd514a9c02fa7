// Clients receive responses of megabytes completely; the log row is marked as truncated.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

const LONG = 'y'.repeat(3 * 1024 * 1024);
let m: McpHub;
let server: Running;

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServer((_request, response, body) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const text = params?.name === 'much' ? LONG : 'a little';
    const answer =
      params?.name === 'complains'
        ? { error: { code: -32000, message: LONG } }
        : { result: { content: [{ type: 'text', text }] } };
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await m.aBackend('talks', server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

const call = async (id: string, name: string, args: object = {}) => {
  const params = { name: `talks__${name}`, arguments: args };
  const answer = await m.post({ jsonrpc: '2.0', id, method: 'tools/call', params });
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the protocol
  return (await answer.json()) as any;
};
const rowOf = async (id: string) => {
  const { body } = await m.hub.console('GET', '/mcp/tool-calls?limit=200');
  return body.items.find((item: { request_id: string }) => item.request_id === id)?.event;
};
const NOT_KEPT = '[not stored: longer than 1048576 characters]';

test('truncates a large result in its row, and returns it completely to the client', async () => {
  const args = { text: 'z'.repeat(2 * 1024 * 1024) };
  const answers = await Promise.all([
    call('much', 'much'),
    call('sent', 'sent', args),
    call('complains', 'complains'),
    call('little', 'little', { of: 'it' }),
  ]);
  expect(answers[0].result.content[0].text).toHaveLength(LONG.length);
  expect(
    JSON.parse(server.requests.find((request) => request.body.includes('zzz'))?.body ?? ''),
  ).toMatchObject({
    params: { arguments: args },
  });
  expect(answers[2].error.message).toHaveLength(LONG.length);
  for (const id of ['much', 'sent', 'complains', 'little']) {
    await expect.poll(() => rowOf(id), { timeout: 30_000 }).toBeDefined();
  }
  expect(await rowOf('much')).toMatchObject({
    payload: { tool_arguments: {}, response_content: NOT_KEPT },
    response: { success: true },
  });
  expect(await rowOf('sent')).toMatchObject({
    payload: { tool_arguments: NOT_KEPT, response_content: [{ text: 'a little' }] },
  });
  expect(await rowOf('complains')).toMatchObject({
    response: { success: false, error_message: '[not stored: longer than 8192 characters]' },
  });
  expect(await rowOf('little')).toMatchObject({
    payload: { tool_arguments: { of: 'it' }, response_content: [{ text: 'a little' }] },
  });
});
