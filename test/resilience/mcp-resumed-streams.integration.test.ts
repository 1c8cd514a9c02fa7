// A client of the older revisions loses its connection: its call continues, and the client fetches the result by its
// last event id at any hub process.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aFaultyServer, type FaultyServer } from '../support/mcp-faulty-server.ts';
import { aCall, type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import { aSession, first, listen, messagesIn, modern, send } from '../support/mcp-messages.ts';

const TIMINGS = { headMs: 20, keepAliveMs: 20 };
let m: McpHub;
let secondHub: TestHub;
let server: FaultyServer;

beforeAll(async () => {
  m = await startMcpHub({ mcpTimings: TIMINGS });
  secondHub = await startTestHub(m.hub.config, { mcpTimings: TIMINGS });
  server = await aFaultyServer();
  await m.aBackend('r', server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await secondHub.stop();
  await server.close();
});

const cancelled = () =>
  server.received.filter((message) => message.method === 'notifications/cancelled').length;
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];

let numbered = 0;
/** Begins a call of `quiet`, and loses the connection once the id of the stream is known. */
async function lostCall(version: string, token = m.token) {
  const session = { ...(await aSession(m.hub, token)), 'mcp-protocol-version': version };
  const id = `lost-${++numbered}`;
  const abort = new AbortController();
  const arrived = server.called('quiet');
  const answer = await fetch(`${m.hub.url}/gwone/mcp`, {
    method: 'POST',
    headers: {
      ...session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(aCall('r__quiet', id)),
    signal: abort.signal,
  });
  await arrived;
  let text = '';
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part as Uint8Array).toString();
    if (/^id: /m.test(text)) break;
  }
  abort.abort();
  const lastEventId = /^id: (.+)$/m.exec(text)?.[1] ?? '';
  return { id, session, lastEventId };
}
const resume = (
  session: Record<string, string>,
  lastEventId: string,
  at: Pick<TestHub, 'url'> = m.hub,
  token = m.token,
) => listen(at, token, { ...session, 'last-event-id': lastEventId });
const resultOf = async (answer: Response) =>
  first(messagesIn(answer), (message) => message.method === undefined);

test.each(REVISIONS)('keeps a call over a lost connection in revision %s', async (version) => {
  const before = cancelled();
  const { id, session, lastEventId } = await lostCall(version);
  server.finish();
  expect(await resultOf(await resume(session, lastEventId))).toEqual({
    jsonrpc: '2.0',
    id,
    result: { content: [] },
  });
  expect(cancelled()).toBe(before);
  expect(await toolCallRow(m.hub, id)).toMatchObject({ response: { success: true } });
});

test.each([
  ['the hub process that has the call', () => m.hub],
  ['another hub process', () => secondHub],
])('resumes a stream at %s during the call and after it', async (_, at) => {
  const { id, session, lastEventId } = await lostCall('2025-11-25');
  const resumed = messagesIn(await resume(session, lastEventId, at()));
  const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
  server.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...progress })}\n\n`);
  expect(await first(resumed, () => true)).toMatchObject(progress);
  server.finish();
  expect(await first(resumed, () => true)).toMatchObject({ id, result: { content: [] } });
  await expect(first(resumed, () => true)).rejects.toThrow('the stream ended');
  // Events stay stored after delivery: the client may have lost this connection, too.
  const again = messagesIn(await resume(session, lastEventId, at()));
  expect(await first(again, () => true)).toMatchObject(progress);
  expect(await first(again, () => true)).toMatchObject({ id });
});

test('resumes after the last received event', async () => {
  const { session, lastEventId } = await lostCall('2025-11-25');
  for (const progress of [1, 2]) {
    const params = { progressToken: 1, progress };
    server.write(
      `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`,
    );
  }
  server.finish();
  await resultOf(await resume(session, lastEventId));
  const after = lastEventId.replace(/\d+$/, '1');
  const [next] = await Array.fromAsync(messagesIn(await resume(session, after)));
  expect(next).toMatchObject({ params: { progress: 2 } });
});

test('resumes elsewhere a stream whose old connection seems alive', async () => {
  const session = await aSession(m.hub, m.token);
  const arrived = server.called('quiet');
  const response = await send(m.hub, m.token, aCall('r__quiet', 'open'), session);
  await arrived;
  const reader = response.body?.getReader();
  let text = '';
  while (!/^id: /m.test(text)) {
    text += Buffer.from((await reader?.read())?.value ?? []).toString();
  }
  const lastEventId = /^id: (.+)$/m.exec(text)?.[1] ?? '';
  const resumed = resume(session, lastEventId, secondHub);
  await expect(resumed).resolves.toMatchObject({ status: 200 });
  server.finish();
  expect(await resultOf(await resumed)).toMatchObject({ id: 'open', result: { content: [] } });
  await reader?.cancel().catch(() => undefined);
});

test('resumes a response that was sent but may not have arrived', async () => {
  const session = await aSession(m.hub, m.token);
  const arrived = server.called('quiet');
  const answer = await send(m.hub, m.token, aCall('r__quiet', 'arrived'), session);
  await arrived;
  server.finish();
  const text = await answer.text();
  const lastEventId = /^id: (.+)$/m.exec(text)?.[1] ?? '';
  expect(text).toContain('"id":"arrived"');
  for (const at of [secondHub, m.hub]) {
    expect(await resultOf(await resume(session, lastEventId, at))).toMatchObject({ id: 'arrived' });
  }
});

test('cancels a disconnected call by a message and by the end of its session', async () => {
  for (const end of ['message', 'session']) {
    const before = cancelled();
    const { id, session } = await lostCall('2025-11-25');
    if (end === 'message') {
      const params = { requestId: id };
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      await send(secondHub, m.token, message, session);
    } else {
      await fetch(`${secondHub.url}/gwone/mcp`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${m.token}`, ...session },
      });
    }
    await expect.poll(cancelled).toBe(before + 1);
  }
});

test('lets no other client resume a stream', async () => {
  const { session, lastEventId } = await lostCall('2025-11-25');
  server.finish();
  await resultOf(await resume(session, lastEventId));
  const stranger = await aToken(m.hub, (await aPerson(m.hub)).email, { prefix: '/gwone' });
  expect((await resume(session, lastEventId, m.hub, stranger)).status).toBe(404);
  const strangerSession = await aSession(m.hub, stranger);
  const stream = messagesIn(await resume(strangerSession, lastEventId, m.hub, stranger));
  // The stream is a new one, as for any client that comes back to a stream whose events were not stored.
  expect((await first(stream, () => true)).method).toMatch(/list_changed$/);
  await stream.return(undefined);
});

test('cancels the call of a client of the newest revision on a lost connection', async () => {
  const before = cancelled();
  const { headers, body } = modern({ id: 1, method: 'tools/call', params: { name: 'r__quiet' } });
  const arrived = server.called('quiet');
  const answer = await send(m.hub, m.token, body, headers);
  await arrived;
  await answer.body?.cancel();
  await expect.poll(cancelled).toBe(before + 1);
});
