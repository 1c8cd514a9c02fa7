// Messages of the gateway itself cannot be imitated or inflated by a server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCall, type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { anOldServer, aServer } from '../support/mcp-servers.ts';

let at: McpHub;
let aBackend: McpHub['aBackend'];
beforeAll(async () => {
  at = await startMcpHub();
  ({ aBackend } = at);
});
afterAll(() => at.hub.stop());

// biome-ignore lint/suspicious/noExplicitAny: an answer of JSON-RPC
const answerTo = async (message: object): Promise<any> => (await at.post(message)).json();

test("removes metadata in the gateway's name from server results, and shortens a server's list error", async () => {
  const boasting = await anOldServer({
    'tools/call': () => ({
      content: [],
      _meta: { 'dev.gatewarden/missing': [{ server: 'fine', reason: 'gone' }], 'own/key': 1 },
    }),
  });
  await aBackend('boasting', boasting.url);
  const { result } = await answerTo(aCall('boasting__x'));
  expect(result._meta).toEqual({ 'own/key': 1 });
  await boasting.close();
  const wordy = await aServer((_request, response, body) => {
    const { id } = JSON.parse(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    const error = { code: -32000, message: 'no '.repeat(10_000) };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  });
  await aBackend('wordy', wordy.url);
  const list = await answerTo({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const missing = list.result._meta['dev.gatewarden/missing'] as {
    server: string;
    reason: string;
  }[];
  const reason = missing.find((item) => item.server === 'wordy')?.reason ?? '';
  expect(reason.length).toBeGreaterThan(0);
  expect(reason.length).toBeLessThan(400);
  await wordy.close();
});
