// Static headers of an MCP server: sent with every request, stored sealed, never read back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFaultyServer, type FaultyServer } from '../support/mcp-faulty-server.ts';
import { aCall, type McpHub, startMcpHub } from '../support/mcp-hub.ts';

let m: McpHub;
let server: FaultyServer;
let id: string;

beforeAll(async () => {
  m = await startMcpHub();
  server = await aFaultyServer();
  const backend = await m.aBackend('r', server.url, {
    auth: { kind: 'shared', secret: 'the-credential' },
    headers: [
      { name: 'X-Org', value: '42' },
      { name: 'X-Api-Key', value: 'the-secret-key' },
    ],
  });
  id = backend.id;
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

const read = async () => (await m.hub.console('GET', `/mcp/backends/${id}`)).body.backend;
const patch = async (body: object) =>
  m.hub.console('PATCH', `/mcp/backends/${id}`, {
    body,
    headers: { 'if-match': (await read()).version },
  });
const sentHeaders = async () => {
  server.headers.splice(0);
  expect((await m.post(aCall('r__note'))).status).toBe(200);
  return server.headers;
};

test('sends every static header with every request, beside the credential', async () => {
  const all = await sentHeaders();
  expect(all.length).toBeGreaterThan(1);
  for (const headers of all) {
    expect(headers).toMatchObject({
      'x-org': '42',
      'x-api-key': 'the-secret-key',
      authorization: 'Bearer the-credential',
    });
  }
});

test('reads back the names of static headers and no value', async () => {
  expect((await read()).headers).toEqual([{ name: 'X-Org' }, { name: 'X-Api-Key' }]);
  const stored = await m.hub.context.database.pool.query('SELECT * FROM mcp_backends');
  const events = await m.hub.console('GET', '/audit?limit=200');
  for (const text of [JSON.stringify(stored.rows), JSON.stringify(events.body)]) {
    expect(text).not.toContain('the-secret-key');
  }
});

test('keeps the value of a header that is sent by its name alone', async () => {
  const { version } = await read();
  const same = await patch({ headers: [{ name: 'X-Org' }, { name: 'X-Api-Key' }] });
  expect([same.status, same.body.backend.version]).toEqual([200, version]);
  expect((await patch({ headers: [{ name: 'x-api-key' }] })).status).toBe(200);
  const [headers] = await sentHeaders();
  expect(headers).toMatchObject({ 'x-api-key': 'the-secret-key' });
  expect(headers).not.toHaveProperty('x-org');
  expect((await patch({ name: 'Another' })).body.backend.headers).toEqual([{ name: 'x-api-key' }]);
});

test.each([
  ['a header without a stored value', [{ name: 'X-New' }], '/headers/0/value'],
  ['a header that the gateway sets', [{ name: 'Mcp-Session-Id', value: 'a' }], '/headers/0/name'],
  ['the header of the credential', [{ name: 'authorization', value: 'a' }], '/headers/0/name'],
  [
    'a duplicate header',
    [
      { name: 'X-A', value: 'a' },
      { name: 'x-a', value: 'b' },
    ],
    '/headers/1/name',
  ],
])('rejects %s', async (_what, headers, pointer) => {
  const refused = await patch({ headers });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain(pointer);
});

test('rejects a credential in a header that is static already', async () => {
  const auth = { kind: 'shared', header: 'X-Api-Key', secret: 'other' };
  expect((await patch({ auth })).status).toBe(400);
});
