// Names that clients reject are offered under valid names, and used in calls and policies under their own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aToken } from '../support/mcp-client.ts';
import { aFaultyServer, type FaultyServer } from '../support/mcp-faulty-server.ts';
import { type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import { type Message, modern } from '../support/mcp-messages.ts';

const ODD = [
  'has space',
  'namé☃',
  'a'.repeat(80),
  'files/read.all',
  '點子',
  'x__h0123456789abcdef',
];
const PLAIN = ['note', 'get_weather-2'];
const LONG_SLUG = 's'.repeat(64);
const VALID = /^[A-Za-z0-9_-]{1,64}$/;

let m: McpHub;
let server: FaultyServer;
let id: string;
let ownToken: string;

beforeAll(async () => {
  m = await startMcpHub();
  server = await aFaultyServer();
  server.setTools([...ODD, ...PLAIN]);
  id = (await m.aBackend('alpha', server.url)).id;
  ownToken = await aToken(m.hub, m.email, { prefix: '/alpha' });
  await m.aBackend(LONG_SLUG, server.url);
  await m.aBackend(`${'s'.repeat(63)}t`, server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

interface Item {
  name: string;
  title?: string;
  _meta?: Record<string, unknown>;
}
const answerTo = async (
  method: string,
  params: object,
  path = '/gwone/mcp',
  rpcId = 'x',
): Promise<Message> => {
  const headers = path === '/gwone/mcp' ? {} : { authorization: `Bearer ${ownToken}` };
  const answer = await m.post({ jsonrpc: '2.0', id: rpcId, method, params }, headers, path);
  return (await answer.json()) as Message;
};
const listed = async (kind: 'tools' | 'prompts', path?: string): Promise<Item[]> =>
  (await answerTo(`${kind}/list`, {}, path)).result[kind];
const ORIGINAL = 'dev.gatewarden/original_name';
const calledNames = () =>
  server.received
    .filter((message) => message.method === 'tools/call')
    .map((message) => message.params.name);

test.each(['tools', 'prompts'] as const)(
  'offers %s under valid and different names',
  async (kind) => {
    const names = (await listed(kind)).map((item) => item.name);
    expect(names).toHaveLength(3 * (ODD.length + PLAIN.length));
    expect(names.filter((name) => !VALID.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of PLAIN) expect(names).toContain(`alpha__${name}`);
    expect((await listed(kind)).map((item) => item.name)).toEqual(names);
  },
);

test('keeps the original name as title and in _meta', async () => {
  const tools = await listed('tools');
  for (const name of ODD) {
    const tool = tools.find((tool) => tool.name.startsWith('alpha__') && tool.title === name);
    expect(tool?._meta).toEqual({ [ORIGINAL]: name });
  }
  expect(tools.find((tool) => tool.name === 'alpha__note')).not.toHaveProperty('title');
});

test.each([
  ['the aggregated URL', '/gwone/mcp', 'alpha__'],
  ['the URL of the server', '/alpha/mcp', ''],
])('calls what it offers by the name of the server at %s', async (_where, path, prefix) => {
  const ownNames = async (kind: 'tools' | 'prompts') =>
    (await listed(kind, path)).filter(({ name }) => name.startsWith(prefix));
  const tools = await ownNames('tools');
  expect(tools).toHaveLength(ODD.length + PLAIN.length);
  for (const { name, title } of tools) {
    server.received.splice(0);
    const { result } = await answerTo('tools/call', { name, arguments: {} }, path);
    expect(result).toEqual({ content: [] });
    expect(calledNames()).toEqual([title ?? name.slice(prefix.length)]);
  }
  for (const { name, title } of await ownNames('prompts')) {
    const { result } = await answerTo('prompts/get', { name }, path);
    expect(result.description).toBe(title ?? name.slice(prefix.length));
  }
});

test('finds tools of servers whose slugs begin alike', async () => {
  const tools = (await listed('tools')).filter((item) => item.name.startsWith('ss'));
  expect(tools).toHaveLength(2 * (ODD.length + PLAIN.length));
  for (const tool of tools) {
    server.received.splice(0);
    expect(await answerTo('tools/call', { name: tool.name })).toHaveProperty('result');
    expect(calledNames()).toEqual([tool.title ?? expect.anything()]);
  }
});

test('still takes the original name behind the slug', async () => {
  server.received.splice(0);
  expect(await answerTo('tools/call', { name: 'alpha__has space' })).toHaveProperty('result');
  expect(calledNames()).toEqual(['has space']);
});

test('accepts a mapped name from a client of the newest revision', async () => {
  const tool = (await listed('tools')).find((item) => item.title === 'namé☃');
  const asked = modern({ id: 1, method: 'tools/call', params: { name: tool?.name } });
  server.received.splice(0);
  expect((await m.post(asked.body, asked.headers)).status).toBe(200);
  expect(calledNames()).toEqual(['namé☃']);
});

test('logs the original name, and applies policies by it', async () => {
  const tool = (await listed('tools')).find(
    (item) => item.title === 'has space' && item.name.startsWith('alpha__'),
  );
  await answerTo('tools/call', { name: tool?.name, arguments: {} }, '/gwone/mcp', 'logged');
  expect((await toolCallRow(m.hub, 'logged')).tool.name).toBe('has space');
  const rule = { effect: 'deny', backend_id: id, tool: 'has *', subject: { kind: 'everybody' } };
  const created = await m.hub.console('POST', '/mcp/rules', { body: rule });
  expect(created.status).toBe(201);
  const { error } = await answerTo('tools/call', { name: tool?.name, arguments: {} });
  expect(error?.message).toContain('"has space"');
  expect((await listed('tools')).some((item) => item.name === tool?.name)).toBe(false);
});

test('shows in the console which tools are offered under another name', async () => {
  const { body } = await m.hub.console('GET', `/mcp/backends/${id}/tools/listed`);
  const exposed = new Map(
    body.tools.map((tool: { name: string; exposed_name: string | null }) => [
      tool.name,
      tool.exposed_name,
    ]),
  );
  for (const name of ODD) expect(exposed.get(name)).toMatch(VALID);
  for (const name of PLAIN) expect(exposed.get(name)).toBeNull();
});
