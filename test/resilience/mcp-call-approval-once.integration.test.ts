// An approval lets a single call through, also when its server elicits input before it answers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aTalkingServer } from '../support/mcp-talking-servers.ts';

let m: McpHub;
let talking: Awaited<ReturnType<typeof aTalkingServer>>;

beforeAll(async () => {
  m = await startMcpHub();
  talking = await aTalkingServer();
  await m.aBackend('talking', talking.url);
  const definition = { kind: 'approval', by: 'caller' };
  await m.hub.console('POST', '/mcp/call-rules', { body: { name: 'Ask first', definition } });
});
afterAll(async () => {
  await m.hub.stop();
  await talking.close();
});

async function ask(more: object = {}) {
  const params = { name: 'talking__ask', arguments: {}, ...more };
  const { body, headers } = modern({ id: 1, method: 'tools/call', params }, { elicitation: {} });
  return first(
    messagesIn(await send(m.hub, m.token, body, headers)),
    (message) => message.id === 1,
  );
}
const accept = (content: object) => ({ action: 'accept', content });

test('accepts the state of an approved call once, also from many simultaneous clients', async () => {
  const { requestState } = (await ask()).result;
  const inputResponses = { approval: accept({ approve: true }) };
  const approved = (await ask({ requestState, inputResponses })).result;
  expect(approved).toMatchObject({ resultType: 'input_required', inputRequests: { colour: {} } });
  const answered = {
    requestState: approved.requestState,
    inputResponses: { colour: accept({ colour: 'green' }) },
  };
  const all = await Promise.all(Array.from({ length: 10 }, () => ask(answered)));
  const done = all.filter((message) => message.result !== undefined);
  expect(done.map((message) => message.result.content[0].text)).toEqual([
    'green state-of-the-server',
  ]);
  const refused = all.filter((message) => message.error !== undefined);
  expect(new Set(refused.map((message) => message.error?.message))).toEqual(
    new Set(['Invalid or expired requestState']),
  );
  expect(refused).toHaveLength(9);
});
