// Log rows of refused calls contain only what guardrails let through; rows of results contain everything that the
// client received.

import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { toolCallRow } from '../support/mcp-hub.ts';
import { first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { anOldServer, type Running } from '../support/mcp-servers.ts';

let hub: TestHub;
let token: string;
let server: Running;

const CARD = '4111 1111 1111 1111';

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
  server = await anOldServer({
    'tools/list': () => ({ tools: [] }),
    'tools/call': ({ name }) =>
      name === 'only-structured'
        ? { content: [], structuredContent: { balance: 17 } }
        : { content: [{ type: 'text', text: 'fine' }] },
  });
  const body = {
    slug: 'rows',
    name: 'Rows',
    url: server.url,
    auth: { kind: 'none' },
    tools: { deny: ['not-offered'] },
  };
  const { backend } = (await hub.console('POST', '/mcp/backends', { body })).body;
  const schema = { type: 'object', properties: { note: { type: 'string', maxLength: 3 } } };
  for (const [path, rule] of [
    [
      '/mcp/call-rules',
      {
        name: 'Cards',
        definition: {
          kind: 'guardrail',
          detectors: ['card'],
          action: 'redact',
          direction: 'both',
        },
      },
    ],
    [
      '/mcp/call-rules',
      { name: 'Short', tool: 'by-arguments', definition: { kind: 'arguments', schema } },
    ],
    [
      '/mcp/rules',
      {
        effect: 'deny',
        backend_id: backend.id,
        tool: 'denied',
        subject: { kind: 'everybody' },
      },
    ],
  ] as const) {
    expect((await hub.console('POST', path, { body: rule })).status).toBe(201);
  }
});
afterAll(async () => {
  await hub.stop();
  await server.close();
});

const rowOf = (id: string) => toolCallRow(hub, id);

test.each([
  ['a tool that is not offered', 'rows__not-offered', {}],
  ['a tool that a rule keeps from them', 'rows__denied', {}],
  ['arguments that a rule does not allow', 'rows__by-arguments', {}],
  ['a server that there is none of', 'nowhere__write', {}],
  ['a header that contradicts the arguments', 'rows__write', { 'mcp-param-note': 'another' }],
])('logs no card number for %s', async (what, name, more) => {
  const asked = modern({
    id: what,
    method: 'tools/call',
    params: { name, arguments: { note: `It is ${CARD}.`, [CARD]: [CARD] } },
  });
  const answer = await send(hub, token, asked.body, { ...asked.headers, ...more });
  expect(await first(messagesIn(answer), () => true)).toHaveProperty('error');
  const { payload, response } = await rowOf(what);
  expect(payload.tool_arguments.note).toBe('It is [REDACTED_CARD].');
  expect(JSON.stringify(payload)).not.toContain('4111');
  expect(response.success).toBe(false);
});

test('logs structured content without text content', async () => {
  const message = { jsonrpc: '2.0', id: 'structured', method: 'tools/call' };
  for (const [name, expected] of [
    ['only-structured', { content: [], structuredContent: { balance: 17 } }],
    ['write', [{ type: 'text', text: 'fine' }]],
  ] as const) {
    const params = { name: `rows__${name}`, arguments: {} };
    await send(hub, token, { ...message, id: name, params });
    expect((await rowOf(name)).payload.response_content).toEqual(expected);
  }
});
