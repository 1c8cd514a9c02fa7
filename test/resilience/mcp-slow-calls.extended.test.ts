// Slow, silent and oversized calls end at their limits; clients see progress meanwhile, and other calls are not
// affected.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aFaultyServer, type FaultyServer } from '../support/mcp-faulty-server.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';

let m: McpHub;
let server: FaultyServer;
let otherToken: string;

beforeAll(async () => {
  m = await startMcpHub({ mcpTimings: { headMs: 20, keepAliveMs: 20 } });
  otherToken = await aToken(m.hub, (await aPerson(m.hub)).email, { prefix: '/gwone' });
});
afterAll(() => m.hub.stop());

let numbered = 0;
let slug: string;
/** A server of its own for each test: circuits are by server. */
async function aBackend(more: object = {}): Promise<{ id: string; version: string }> {
  slug = `r${++numbered}`;
  return m.aBackend(slug, server.url, more);
}
beforeEach(async () => {
  server = await aFaultyServer();
  return () => server.close();
});

const call = (tool: string, args: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `${slug}__${tool}`, arguments: args },
});
const answerTo = async (message: object, token = m.token, headers = {}) =>
  first(
    messagesIn(await send(m.hub, token, message, headers)),
    (message) => message.method === undefined,
  );
const cancelled = () =>
  server.received.filter((message) => message.method === 'notifications/cancelled').length;

test.each(['quiet', 'mute'])(
  'ends a call of "%s" at its idle timeout, names the limit and cancels it at the server',
  async (tool) => {
    await aBackend({ idle_timeout_seconds: 1 });
    const { error } = await answerTo(call(tool));
    expect(error?.message).toMatch(/took too long.*nothing for 1 s, its idle timeout/);
    await expect.poll(cancelled).toBe(1);
  },
);

test.each([
  ['a comment', ': beat\n\n'],
  ['half a line', ':'],
  [
    'a progress notification',
    `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n`,
  ],
])('restarts the idle timeout after %s from the server', async (_what, bytes) => {
  await aBackend({ idle_timeout_seconds: 1 });
  const arrived = server.called('quiet');
  const answer = answerTo(call('quiet'));
  await arrived;
  const beat = setInterval(() => server.write(bytes), 100);
  const end = setTimeout(() => {
    server.write('\n\n');
    server.finish();
  }, 1_600);
  expect((await answer).result).toEqual({ content: [] });
  clearInterval(beat);
  clearTimeout(end);
  expect(cancelled()).toBe(0);
});

test('ends a call at its total timeout although its server keeps sending', async () => {
  await aBackend({ idle_timeout_seconds: 60, total_timeout_seconds: 1 });
  const arrived = server.called('quiet');
  const answer = answerTo(call('quiet'));
  await arrived;
  const beat = setInterval(() => server.write(': beat\n\n'), 100);
  expect((await answer).error?.message).toMatch(/took too long.*within 1 s, its total timeout/);
  clearInterval(beat);
  await expect.poll(cancelled).toBe(1);
});

test('stores the timeouts of a server, with documented defaults', async () => {
  const backend = await aBackend();
  expect(backend).toMatchObject({ idle_timeout_seconds: 300, total_timeout_seconds: 3_600 });
  const patched = await m.hub.console('PATCH', `/mcp/backends/${backend.id}`, {
    body: { idle_timeout_seconds: 7 },
    headers: { 'if-match': backend.version },
  });
  expect(patched.body.backend).toMatchObject({
    idle_timeout_seconds: 7,
    total_timeout_seconds: 3_600,
  });
  const refused = await m.hub.console('PATCH', `/mcp/backends/${backend.id}`, {
    body: { idle_timeout_seconds: 0 },
    headers: { 'if-match': patched.body.backend.version },
  });
  expect(refused.status).toBe(400);
});

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
test.each([
  ...REVISIONS.map((version) => [version, { 'mcp-protocol-version': version }] as const),
  ['2026-07-28', null] as const,
])('opens the stream early and keeps it alive in revision %s', async (_version, headers) => {
  await aBackend();
  const asked = modern({ id: 1, method: 'tools/call', params: call('mute').params });
  const arrived = server.called('mute');
  const answer = await send(
    m.hub,
    m.token,
    headers === null ? asked.body : call('mute'),
    headers ?? asked.headers,
  );
  await arrived;
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part as Uint8Array);
    if (text.includes('data:')) break;
    if (text.match(/^: keep-alive$/gm)?.length === 3) server.finish();
  }
  expect(text).toMatch(/^: open\n\n(: keep-alive\n\n){3}/);
});

test('keeps the stream alive while an elicitation is pending', async () => {
  await aBackend();
  const session = await aSession(m.hub, m.token, { elicitation: {} });
  const answer = await send(m.hub, m.token, call('ask'), session);
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part as Uint8Array);
    const asked = /data: (.*elicitation.*)/.exec(text);
    if (asked === null || !/elicitation.*(: keep-alive\n\n){2}/s.test(text)) continue;
    if (text.includes('"result"')) break;
    const { id } = JSON.parse(asked[1] ?? '');
    const reply = { jsonrpc: '2.0', id, result: { action: 'accept', content: {} } };
    await send(m.hub, m.token, reply, session);
  }
  expect(text).toContain('"result":{"content":[]}');
});

test('answers a client that accepts JSON only with a single JSON document', async () => {
  await aBackend();
  const arrived = server.called('mute');
  const answer = send(m.hub, m.token, call('mute'), { accept: 'application/json' });
  await arrived;
  // A stream that was asked for later is open: an early head would have been sent by now.
  const otherServer = await aFaultyServer();
  await m.aBackend('other', otherServer.url);
  const streamed = call('mute');
  streamed.params.name = 'other__mute';
  const reached = otherServer.called('mute');
  await send(m.hub, m.token, streamed);
  // The head of a stream may arrive before its call reaches the server.
  await reached;
  otherServer.finish();
  server.finish();
  await otherServer.close();
  expect((await answer).headers.get('content-type')).toContain('application/json');
  expect(await (await answer).json()).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [] } });
});

test.each([
  ['large', { mb: 17 }, /limit is 16777216 bytes \(16 MiB\), and \d{8} bytes were read/],
  [
    'large',
    { mb: 17, events: true },
    /limit is 16777216 bytes \(16 MiB\), and \d{8} bytes were read/,
  ],
  ['broken', {}, /responded with 500/],
  ['hang-up', {}, /closed the connection/],
])('fails %s %j for its caller only', async (tool, args, words) => {
  await aBackend();
  for (let i = 0; i < 6; i++) {
    expect((await answerTo(call(tool, args))).error?.message).toMatch(words);
  }
  expect((await answerTo(call('note'), otherToken)).result).toEqual({ content: [] });
});

test('opens no circuit for an HTML page or slow calls', async () => {
  await aBackend({ idle_timeout_seconds: 1 });
  expect((await answerTo(call('note'))).result).toEqual({ content: [] });
  const slow = Array.from({ length: 6 }, (_, i) => answerTo(call('quiet', {}, `slow-${i}`)));
  await server.setFault('html');
  for (let i = 0; i < 6; i++) {
    expect((await answerTo(call('note'))).error?.message).toMatch(/it sent no JSON/);
  }
  for (const message of await Promise.all(slow)) expect(message.error).toBeDefined();
  await server.setFault(null);
  expect((await answerTo(call('note'), otherToken)).result).toEqual({ content: [] });
});

test('opens the circuit of a server that refuses connections, and goes on listing its tools', async () => {
  await aBackend();
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const names = async (token: string, headers = {}) =>
    (await answerTo(list, token, headers)).result.tools.map((tool: { name: string }) => tool.name);
  expect(await names(m.token)).toContain(`${slug}__note`);
  await server.setFault('refuse');
  for (let i = 0; i < 5; i++) {
    expect((await answerTo(call('note'))).error?.message).toMatch(/can't be reached/);
  }
  const { error } = await answerTo(call('note'), otherToken);
  expect(error?.message).toMatch(/was unreachable several times/);
  expect(await names(otherToken)).toContain(`${slug}__note`);
  // A client with other capabilities than the one before gets its list, too.
  const session = await aSession(m.hub, otherToken, { roots: {} });
  expect(await names(otherToken, session)).toContain(`${slug}__note`);
});

const NOTHING = {};
test.each([
  ['elicitation/create', NOTHING],
  ['elicitation/create', { sampling: {} }],
  ['sampling/createMessage', { elicitation: {} }],
  ['roots/list', { elicitation: {}, sampling: {} }],
])(
  'refuses %s to a client that declares only %j, and the call goes on',
  async (method, declared) => {
    await aBackend();
    const session = await aSession(m.hub, m.token, declared);
    const messages = [];
    for await (const message of messagesIn(
      await send(m.hub, m.token, call('ask', { method }), session),
    ))
      messages.push(message);
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }]);
    const answers = server.received.filter((message) => message.id === 'question');
    expect(answers).toMatchObject([{ error: { code: -32601 } }]);
  },
);
