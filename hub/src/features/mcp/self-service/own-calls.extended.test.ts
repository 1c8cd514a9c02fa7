// A user sees their own tool calls only, with the reason of each refusal, and without arguments and results.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  aRequestLine,
  aToolCallLine,
  minutesAgo,
} from '../../../../../test/support/logs.ts';
import { hears } from '../../../../../test/support/page-events.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const ofMember = async (query = '', tenantId = hub.tenantId) => {
  const token = await hub.tokenFor('Member', tenantId);
  return (await hub.console('GET', `/own/mcp-calls${query}`, { token, tenantId })).body;
};
const called = (tool: string, email: string, minutes: number, more: object = {}) =>
  aToolCallLine(
    { started_at: minutesAgo(minutes) },
    {
      tool: { name: tool },
      metadata: { user_email: email, agent: 'client/1.0' },
      payload: { tool_arguments: { to: 'planted-argument' }, response_content: 'planted-answer' },
      ...more,
    },
  );

test("lists a user's own calls newest first by page, and no other user's", async () => {
  const node = await aNode(hub, hub.tenantId);
  const found = (rule: string) => ({
    rule_id: randomUUID(),
    rule,
    action: 'block',
    category: 'key',
  });
  const twice = found('first');
  const predictions = [twice, twice, found('other')];
  const refusal = {
    guardrails: { input: { outcome: 'block', is_blocked: true, predictions } },
    response: { success: false, error_message: 'It may not be called by you.' },
  };
  const sent = await node.send('mcp-tool-calls', [
    called('old', 'Member@Example.com', 30, { response: { success: true } }),
    called('theirs', 'viewer@example.com', 20),
    called('new', 'member@example.com', 10, refusal),
  ]);
  expect(sent.body.accepted).toBe(3);
  const other = await hub.newTenant('Other');
  const otherNode = await aNode(hub, other.tenantId);
  await otherNode.send('mcp-tool-calls', [called('elsewhere', 'member@example.com', 5)]);

  const all = await ofMember();
  expect(all.items).toMatchObject([
    {
      tool: 'new',
      outcome: 'blocked',
      message: 'It may not be called by you.',
      refused: null,
      found: [{ side: 'input', action: 'block', category: 'key' }],
    },
    { tool: 'old', outcome: 'passed', message: null, server: 'weather', agent: 'client/1.0' },
  ]);
  expect(JSON.stringify(all)).not.toContain('planted');
  const first = await ofMember('?limit=1');
  expect(first.items).toEqual([all.items[0]]);
  expect((await ofMember(`?limit=1&cursor=${first.next_cursor}`)).items).toEqual([all.items[1]]);
  expect((await ofMember('?blocked=true')).items).toEqual([all.items[0]]);
  expect((await ofMember('', other.tenantId)).items).toMatchObject([{ tool: 'elsewhere' }]);
});

test("shows the chain of a user's own call without arguments, and of no other user's", async () => {
  const { tenantId } = await hub.newTenant('Asking');
  const node = await aNode(hub, tenantId);
  await node.send('mcp-tool-calls', [
    called('mine', 'Member@Example.com', 2),
    called('theirs', 'viewer@example.com', 1),
  ]);
  const all = (await hub.console('GET', '/mcp/tool-calls', {
    tenantId,
    token: await hub.tokenFor('Viewer', tenantId),
  })) as { body: { items: { tool: string; log_id: number }[] } };
  const token = await hub.tokenFor('Member', tenantId);
  const whyOf = (tool: string, at = tenantId) => {
    const row = all.body.items.find((item) => item.tool === tool);
    return hub.console('GET', `/own/mcp-calls/${row?.log_id}/why`, { token, tenantId: at });
  };
  const mine = await whyOf('mine');
  expect(mine.body).toMatchObject({
    call: { outcome: 'running', message: null, sent_by: { kind: 'node', node: 'node' } },
    server: 'weather',
    tool: 'mine',
    approved: null,
    access: { why: null, rule: null },
    call_rules: [],
    approval: null,
  });
  expect(JSON.stringify(mine.body)).not.toContain('planted');
  expect((await whyOf('theirs')).status).toBe(404);
  expect((await whyOf('none')).status).toBe(400);
});

test("notifies a page about the user's own calls, and an administrator's page about all calls", async () => {
  const { tenantId, adminToken } = await hub.newTenant('Calling');
  const node = await aNode(hub, tenantId);
  const page = await hears(hub, `${tenantId}/own/events`, await hub.tokenFor('Member', tenantId));
  const all = await hears(hub, `${tenantId}/events`, adminToken);
  await node.send('mcp-tool-calls', [called('theirs', 'viewer@example.com', 3)]);
  await expect.poll(() => all.countEvents('tool-calls'), { timeout: 10_000 }).toBe(1);
  await node.send('mcp-tool-calls', [called('mine', 'Member@Example.com', 2)]);
  await expect.poll(() => page.countEvents('tool-calls'), { timeout: 10_000 }).toBe(1);
  await node.send('llm-requests', [aRequestLine()]);
  await expect.poll(() => all.countEvents('llm-requests'), { timeout: 10_000 }).toBe(1);
  expect(page.countEvents('tool-calls') + page.countEvents('llm-requests')).toBe(1);
  await Promise.all([page.end(), all.end()]);
});

test("ignores a user filter, and rejects another user's cursor", async () => {
  const asked = await ofMember('?user=viewer@example.com');
  expect(asked.error.code).toBe('invalid_request');
  const { next_cursor: cursor } = await ofMember('?limit=1');
  const viewer = { token: await hub.tokenFor('Viewer', hub.tenantId) };
  const taken = await hub.console('GET', `/own/mcp-calls?cursor=${cursor}`, viewer);
  expect([taken.status, taken.body.error.code]).toEqual([400, 'invalid_cursor']);
});
