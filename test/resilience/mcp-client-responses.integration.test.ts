// Clients of the older revision send responses to servers beside their calls: input guardrails apply to these
// responses, for servers of either revision.

import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { anOldServer, type Running } from '../support/mcp-servers.ts';
import { aServerOfBefore, aTalkingServer } from '../support/mcp-talking-servers.ts';

const SECRET = 'ann@example.com';

let hub: TestHub;
let token: string;
let talking: Awaited<ReturnType<typeof aTalkingServer>>;
let before: Awaited<ReturnType<typeof aServerOfBefore>>;
let plain: Running;
let plainId = '';
let client: Client;

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  [talking, before, plain] = await Promise.all([
    aTalkingServer(),
    aServerOfBefore(),
    anOldServer({}),
  ]);
  for (const [slug, { url }] of Object.entries({ talking, before, plain })) {
    const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
    plainId = (await hub.console('POST', '/mcp/backends', { body })).body.backend.id;
  }
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
  client = new Client(
    { name: 'old', version: '1' },
    { capabilities: { elicitation: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept' as const,
    content: { colour: SECRET },
  }));
  client.setRequestHandler(ListRootsRequestSchema, async () => ({
    roots: [{ uri: `file:///home/${SECRET}`, name: 'a-root' }],
  }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${hub.url}/gwone/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
});
afterAll(async () => {
  await client.close();
  await hub.stop();
  await Promise.all([talking.close(), before.close(), plain.close()]);
});

/** Returns the result of the call as JSON, or the message of its error. */
const outcomeOf = (name: string) =>
  client.callTool({ name, arguments: {} }).then(
    (result) => JSON.stringify(result),
    (error: Error) => error.message,
  );

test.each([
  ['block', /blocked the response/, /gateway blocked the response/, 'blocked'],
  ['redact', /\[REDACTED_EMAIL\] state/, /accept \[REDACTED_EMAIL\]/, 'redacted'],
  ['monitor', /ann@example\.com state/, /accept ann@example\.com/, 'monitored'],
])(
  'applies a guardrail with the action %s to responses for a server',
  async (action, newer, older, outcome) => {
    const body = {
      name: 'No addresses',
      definition: { kind: 'guardrail', direction: 'input', action, detectors: ['email'] },
    };
    const { rule } = (await hub.console('POST', '/mcp/call-rules', { body })).body;
    const passes = action === 'monitor';
    expect(await outcomeOf('talking__ask')).toMatch(newer);
    for (const [name, words] of [
      ['before__ask', older],
      ['before__ask-besides', action === 'block' ? older : /a-root/],
    ] as const) {
      const text = await outcomeOf(name);
      expect(text).toMatch(words);
      expect(text.includes(SECRET)).toBe(passes);
    }
    const row = async () => {
      const { items } = (await hub.console('GET', '/mcp/tool-calls?limit=200')).body;
      return items.find(
        (item: { event: { guardrails: { input: { outcome: string } } } }) =>
          item.event.guardrails.input.outcome === outcome,
      )?.event;
    };
    await expect.poll(row).toMatchObject({
      tool: { name: 'ask' },
      guardrails: {
        input: { is_blocked: action === 'block', predictions: [{ rule_id: rule.id }] },
      },
    });
    const session = await aSession(hub, token, {});
    const params = { progressToken: `gw:${plainId}:5`, progress: 1, message: `of ${SECRET}` };
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
    const sent = plain.requests.length;
    expect((await send(hub, token, progress, session)).status).toBe(202);
    const heard = plain.requests.slice(sent).map((request) => request.body);
    expect(heard.some((value) => value.includes('notifications/progress'))).toBe(
      action !== 'block',
    );
    expect(heard.some((value) => value.includes(SECRET))).toBe(passes);
    await hub.console('DELETE', `/mcp/call-rules/${rule.id}`, {
      headers: { 'if-match': rule.version },
    });
  },
);

test('states in a call approval how much of the arguments is hidden', async () => {
  const body = { name: 'Asked', definition: { kind: 'approval', by: 'caller' } };
  const { rule } = (await hub.console('POST', '/mcp/call-rules', { body })).body;
  for (const [length, more] of [
    [10, false],
    [5_000, true],
  ] as const) {
    const params = { name: 'plain__x', arguments: { text: 'x'.repeat(length) } };
    const asked = modern({ id: length, method: 'tools/call', params }, { elicitation: {} });
    const answer = messagesIn(await send(hub, token, asked.body, asked.headers));
    const { result } = await first(answer, (message) => message.method === undefined);
    const { message } = result.inputRequests.approval.params;
    expect(/… \(and 30\d\d characters more\)\?$/.test(message)).toBe(more);
  }
  await hub.console('DELETE', `/mcp/call-rules/${rule.id}`, {
    headers: { 'if-match': rule.version },
  });
});
