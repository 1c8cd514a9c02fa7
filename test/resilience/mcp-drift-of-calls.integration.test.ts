// Clients that call and never list: what changed since it was approved is kept back from them, too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestHub } from '../support/hub.ts';
import { aCall, type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aServer } from '../support/mcp-servers.ts';

let hub: TestHub;
let post: McpHub['post'];
let aBackend: McpHub['aBackend'];

beforeAll(async () => {
  ({ hub, post, aBackend } = await startMcpHub());
});
afterAll(async () => {
  await hub.stop();
});

/** A server that counts what it is asked and lists what it is told to; null: it gives no list. */
async function aChangingServer(slug: string, drift: 'flag' | 'hide') {
  const asked: string[] = [];
  const state: { tools: object[] | null } = { tools: [aTool('Reads a file')] };
  const server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    asked.push(method);
    const unknown = { error: { code: -32601, message: 'no' } };
    const answer =
      method === 'server/discover' || (method === 'tools/list' && state.tools === null)
        ? unknown
        : { result: method === 'tools/list' ? { tools: state.tools } : { content: [] } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  const { id } = await aBackend(slug, server.url, { drift });
  const approve = async () => {
    expect((await hub.console('POST', `/mcp/backends/${id}/pin-tools`)).status).toBe(200);
  };
  const refusal = async (tool: string) => {
    const answer = await post(aCall(`${slug}__${tool}`));
    return ((await answer.json()) as { error?: { message: string } }).error?.message ?? null;
  };
  return { state, approve, refusal, asked, close: () => server.close() };
}

const aTool = (description: string, name = 'read') => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

test('a call of a tool that changed or came since the approval is refused, though nobody listed', async () => {
  const server = await aChangingServer('quiet', 'hide');
  await server.approve();
  server.state.tools = [aTool('Reads a file and sends it away'), aTool('New', 'extra')];
  expect(await server.refusal('read')).toMatch(/not as it was when it was approved/);
  expect(await server.refusal('extra')).toMatch(/not as it was when it was approved/);
  expect(server.asked).not.toContain('tools/call');
  await server.approve();
  expect(await server.refusal('read')).toBeNull();
  await server.close();
});

test('calls one after the other ask for the list once', async () => {
  const server = await aChangingServer('often', 'hide');
  await server.approve();
  server.asked.length = 0;
  for (let i = 0; i < 5; i++) expect(await server.refusal('read')).toBeNull();
  expect(server.asked.filter((one) => one === 'tools/list')).toHaveLength(1);
  expect(server.asked.filter((one) => one === 'tools/call')).toHaveLength(5);
  await server.close();
});

test('where changes are only flagged, or nothing was ever approved, a call asks for no list', async () => {
  const flagged = await aChangingServer('flagged', 'flag');
  await flagged.approve();
  flagged.asked.length = 0;
  expect(await flagged.refusal('read')).toBeNull();
  const open = await aChangingServer('open', 'hide');
  expect(await open.refusal('read')).toBeNull();
  expect([...flagged.asked, ...open.asked]).not.toContain('tools/list');
  await Promise.all([flagged.close(), open.close()]);
});

test('a server that gives no list for now is called by what was approved', async () => {
  const server = await aChangingServer('mute', 'hide');
  await server.approve();
  server.state.tools = null;
  expect(await server.refusal('read')).toBeNull();
  expect(await server.refusal('other')).toMatch(/not as it was when it was approved/);
  await server.close();
});
