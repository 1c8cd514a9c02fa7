// Numbers beyond a double pass the gateway losslessly in both directions, into rows, and through guardrails and
// approvals.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

const ID = '1234567890123456789';
const OTHER = '1234567890123456788';
let m: McpHub;
let server: Running;

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServer((request, response, body) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const isStream = params?.name === 'streamed';
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': type });
    const result =
      method === 'tools/list'
        ? `{"tools":[{"name":"take","inputSchema":{"type":"object","properties":{"id":{"maximum":9223372036854775807}}}}]}`
        : `{"content":[{"type":"text","text":"b@example.org"}],"structuredContent":{"id":${ID},"tiny":1e-400,"of":[${OTHER}]},"total":${ID}}`;
    const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":${result}}`;
    const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${ID}}}`;
    response.end(isStream ? `data: ${progress}\n\ndata: ${answer}\n\n` : answer);
  });
  await m.aBackend('numbers', server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

const sent = async (name: string, digits: string, more = '') => {
  const args = `{"id":${digits}${more}}`;
  const answer = await m.post(
    `{"jsonrpc":"2.0","id":"${name}","method":"tools/call","params":{"name":"numbers__${name}","arguments":${args}}}`,
  );
  return answer.text();
};
const arrived = (name: string) =>
  server.requests
    .filter((request) => request.body.includes(`"${name}"`))
    .map((request) => request.body);
const makeRule = (definition: object, tool: string) =>
  m.hub.console('POST', '/mcp/call-rules', { body: { name: `Of ${tool}`, tool, definition } });

test('forwards numbers unchanged to the server, to the client and into the row', async () => {
  const answer = await sent('take', ID, ',"list":[0.12345678901234567891]');
  expect(arrived('take')[0]).toContain(`{"id":${ID},"list":[0.12345678901234567891]}`);
  expect(answer).toContain(`"structuredContent":{"id":${ID},"tiny":1e-400,"of":[${OTHER}]}`);
  expect(answer).toContain(`"total":${ID}`);
  const rows = async () => {
    const { rows } = await m.hub.context.database.pool.query<{ sent: string }>(
      'SELECT event AS sent FROM mcp_tool_calls WHERE tenant_id = $1',
      [m.hub.tenantId],
    );
    return rows.map((row) => String(row.sent));
  };
  await expect
    .poll(rows, { timeout: 30_000 })
    .toEqual([
      expect.stringContaining(`"tool_arguments":{"id":${ID},"list":[0.12345678901234567891]}`),
    ]);
});

test('forwards numbers unchanged in events and lists', async () => {
  const answer = await sent('streamed', ID);
  expect(answer).toContain(`"progress":${ID}`);
  expect(answer).toContain(`"of":[${OTHER}]`);
  const lists = await m.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(await lists.text()).toContain('"maximum":9223372036854775807');
});

test('keeps numbers beside a redacted value', async () => {
  const created = await makeRule(
    { kind: 'guardrail', direction: 'output', action: 'redact', detectors: ['email'] },
    'masked',
  );
  expect(created.status).toBe(201);
  const answer = await sent('masked', ID);
  expect(answer).not.toContain('b@example.org');
  expect(answer).toContain(`"structuredContent":{"id":${ID},"tiny":1e-400,"of":[${OTHER}]}`);
  expect(answer).toContain(`"total":${ID}`);
});

test('approves exact numbers, and treats another number of the same double as another call', async () => {
  const created = await makeRule({ kind: 'approval', by: 'reviewer' }, 'asked');
  expect(created.status).toBe(201);
  expect(await sent('asked', ID)).toContain('needs approval');
  const { body } = await m.hub.console('GET', '/mcp/approvals?of=all');
  expect(body.items[0].arguments).toEqual({ id: ID });
  const granted = await m.hub.console('POST', `/mcp/approvals/${body.items[0].id}/grant`);
  expect(granted.status).toBe(200);
  expect(await sent('asked', OTHER)).toContain('needs approval');
  expect(arrived('asked')).toEqual([]);
  expect(await sent('asked', ID)).toContain('structuredContent');
  expect(arrived('asked')[0]).toContain(`{"id":${ID}}`);
});

test('matches guardrails on arguments against the exact number', async () => {
  const schema = { type: 'object', properties: { id: { enum: [Number(ID)] } } };
  const created = await makeRule({ kind: 'arguments', schema }, 'listed');
  expect(created.status).toBe(201);
  expect(await sent('listed', OTHER)).toContain("doesn't allow these arguments");
  expect(arrived('listed')).toEqual([]);
  expect(await sent('listed', '7')).toContain("doesn't allow these arguments");
});

test('finds card numbers in every spelling', async () => {
  const definition = {
    kind: 'guardrail',
    direction: 'input',
    action: 'block',
    detectors: ['card'],
  };
  expect((await makeRule(definition, 'paid')).status).toBe(201);
  for (const digits of [
    '4111111111111111',
    '4.1111111111111110000001e15',
    '0.41111111111111110000000000000000001e16',
  ]) {
    expect(await sent('paid', digits)).toContain('contains card');
  }
  expect(arrived('paid')).toEqual([]);
});

test('asks for approval of numbers that no double represents', async () => {
  expect((await makeRule({ kind: 'approval', by: 'reviewer' }, 'far')).status).toBe(201);
  expect(await sent('far', '1e400')).toContain('needs approval');
});

test('rejects a truncated string at once', async () => {
  const answer = await m.post('{"jsonrpc":"2.0","id":1,"method":"x:1234567890123456');
  expect(answer.status).toBe(400);
});
