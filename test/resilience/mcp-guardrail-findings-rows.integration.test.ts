// Guardrail findings in resources, prompts and completions have a log row under the id that the caller received.
// Exports leave these rows out, because document 2 exports tool calls.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anExportKey, exportPage } from '../support/logs.ts';
import { signedInBrowser } from '../support/mcp-client.ts';
import { aCall, type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import type { Message } from '../support/mcp-messages.ts';
import { anOldServer, type Running } from '../support/mcp-servers.ts';

let m: McpHub;
let server: Running;
let backend: { id: string };
const MAIL = 'ada.secret@example.com';

beforeAll(async () => {
  m = await startMcpHub();
  server = await anOldServer({
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
    'resources/read': () => ({ contents: [{ uri: 'memo://a', text: `by ${MAIL}` }] }),
    'prompts/get': () => ({
      messages: [{ role: 'user', content: { type: 'text', text: `ask ${MAIL}` } }],
    }),
    'completion/complete': () => ({ completion: { values: [MAIL] } }),
  });
  backend = await m.aBackend('files', server.url);
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});
beforeEach(async () => {
  for (const list of ['/mcp/call-rules', '/mcp/rules']) {
    const { body } = await m.hub.console('GET', list);
    for (const rule of body.items) {
      const headers = { 'if-match': rule.version };
      await m.hub.console('DELETE', `${list}/${rule.id ?? rule.rule_id}`, { headers });
    }
  }
});

const ASKED: Record<string, object> = {
  'resources/read': { uri: 'gw-files+memo://a' },
  'prompts/get': { name: 'files__brief', arguments: { of: 'bob.other@example.com' } },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'files__brief' },
    argument: { name: 'of', value: 'bob.other@example.com' },
  },
};
const METHODS = Object.keys(ASKED);
let numbered = 0;

async function ask(method: string) {
  const id = `asked-${++numbered}`;
  const answer = await m.post({ jsonrpc: '2.0', id, method, params: ASKED[method] });
  return { id, message: (await answer.json()) as Message };
}
async function aRule(direction: 'input' | 'output', action: string) {
  const definition = { kind: 'guardrail', direction, action, detectors: ['email'] };
  const created = await m.hub.console('POST', '/mcp/call-rules', {
    body: { name: 'mail', definition },
  });
  expect(created.status).toBe(201);
  return created.body.rule as { id: string };
}
async function itemsBy(requestId: string) {
  return (await m.hub.console('GET', `/mcp/tool-calls?request_id=${requestId}`)).body.items;
}

test.each(METHODS)('logs a finding in %s that is only recorded', async (method) => {
  const rule = await aRule('output', 'monitor');
  const { id, message } = await ask(method);
  expect(JSON.stringify(message.result)).toContain(MAIL);
  const event = await toolCallRow(m.hub, id);
  expect(event.guardrails.output).toMatchObject({
    outcome: 'monitored',
    predictions: [{ rule_id: rule.id, category: 'email' }],
  });
  const [item] = await itemsBy(id);
  expect(item).toMatchObject({ tool: null, method, is_blocked: false, user_email: m.email });
});

test.each(METHODS)('keeps redacted content of %s out of the row', async (method) => {
  await aRule('output', 'redact');
  await aRule('input', 'redact');
  const { id } = await ask(method);
  const event = await toolCallRow(m.hub, id);
  expect(event.guardrails.output.outcome).toBe('redacted');
  expect(JSON.stringify(event)).not.toMatch(/ada\.secret|bob\.other/);
});

test.each(METHODS)('answers a blocked %s with the id of its row', async (method) => {
  const rule = await aRule('output', 'block');
  const { message } = await ask(method);
  const { request_id: requestId } = (message.error?.data ?? {}) as { request_id: string };
  expect(message.error?.message).toContain(`Request ${requestId}`);
  await expect.poll(() => itemsBy(requestId)).toHaveLength(1);
  const [item] = await itemsBy(requestId);
  expect(item).toMatchObject({ tool: null, method, is_blocked: true, success: false });
  expect(JSON.stringify(item.event)).not.toContain('ada.secret');
  const why = await m.hub.console('GET', `/mcp/tool-calls/${item.log_id}/why`);
  expect(why.body).toMatchObject({
    call: { method, outcome: 'blocked' },
    tool: { name: null },
    call_rules: [{ rule_id: rule.id, found: [{ side: 'output', action: 'block' }] }],
  });
});

test('logs denied resources and denied subscriptions of a session', async () => {
  const created = await m.hub.console('POST', '/mcp/rules', {
    body: { effect: 'deny', backend_id: backend.id, subject: { kind: 'everybody' } },
  });
  expect(created.status).toBe(201);
  for (const method of [...METHODS, 'resources/subscribe']) {
    const params = ASKED[method] ?? ASKED['resources/read'];
    const answer = await m.post({ jsonrpc: '2.0', id: 1, method, params });
    const { error } = (await answer.json()) as Message;
    const { request_id: requestId } = (error?.data ?? {}) as { request_id: string };
    await expect.poll(() => itemsBy(requestId)).toMatchObject([{ method, is_blocked: true }]);
  }
});

test("lists the row among the user's own calls, with the deciding guardrail", async () => {
  const rule = await aRule('input', 'block');
  await ask('prompts/get');
  const browser = await signedInBrowser(m.hub, m.email);
  const own = async () => (await browser.console('GET', '/own/mcp-calls?blocked=true')).body.items;
  await expect.poll(async () => (await own())[0]?.method).toBe('prompts/get');
  const [call] = await own();
  expect(call).toMatchObject({ server: 'The files', tool: null, outcome: 'blocked' });
  expect(call.found).toEqual([{ side: 'input', action: 'block', category: 'email' }]);
  const why = await browser.console('GET', `/own/mcp-calls/${call.log_id}/why`);
  expect(why.body.call_rules).toMatchObject([{ rule_id: rule.id }]);
});

test('logs no row without a finding', async () => {
  await aRule('input', 'monitor');
  const { id } = await ask('resources/read');
  await m.post(aCall('files__write', 'after'));
  await toolCallRow(m.hub, 'after');
  expect(await itemsBy(id)).toEqual([]);
});

test('exports tool calls only', async () => {
  await m.post(aCall('files__write', 'exported'));
  await toolCallRow(m.hub, 'exported');
  await aRule('output', 'monitor');
  const { id } = await ask('resources/read');
  await toolCallRow(m.hub, id);
  // A distributed table on a cluster accepts this expression, too.
  await m.hub.context.database.pool.query(
    "UPDATE mcp_tool_calls SET at = (at AT TIME ZONE 'UTC' - interval '1 hour') AT TIME ZONE 'UTC'",
  );
  for (const scope of [{ scope: 'all_backends' }, { scope: 'backend', backend_id: backend.id }]) {
    const { secret } = await anExportKey(m.hub, scope);
    const { events } = await exportPage(m.hub, 'mcpgateway', secret);
    const ids = events.map((event: { request: { id: string } }) => event.request.id);
    expect(ids).toContain('exported');
    expect(ids.filter((id: string) => id.startsWith('asked-'))).toEqual([]);
  }
});
