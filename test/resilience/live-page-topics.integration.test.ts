// A write of a user reaches the open pages of every user with the topic of the pages that show it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { reaching } from '../support/sinks.ts';

let hub: TestHub;
const left = new AbortController();
const heard: string[] = [];
beforeAll(async () => {
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase())));
  const at = `${hub.url}/console/api/v1/tenants/${hub.tenantId}/events`;
  const headers = { authorization: `Bearer ${hub.adminToken}` };
  const { body } = await fetch(at, { headers, signal: left.signal });
  void listen(body).catch(() => 'the test has ended');
});
afterAll(async () => {
  left.abort();
  await hub?.stop();
});

async function listen(body: ReadableStream<Uint8Array> | null) {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) heard.push(/"topic":"([^"]+)"/.exec(line)?.[1] ?? '');
  }
}

/** Sends the request, and waits until the stream of the pages has named the topic since. */
async function expectTopic(
  topic: string,
  method: string,
  path: string,
  body?: object,
  ifMatch?: string,
) {
  // Events of earlier writes must have arrived.
  while (heard.splice(0).length > 0) await sleep(50);
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const answer = await hub.console(method, path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
  await expect.poll(() => heard).toContain(topic);
  return answer.body;
}

test('notifies pages of the emergency stop', async () => {
  await expectTopic('overrides', 'POST', '/emergency-stop', { enforcement_ceiling: 'monitor' });
});

test('notifies pages when a device becomes stale', async () => {
  await expectTopic('devices', 'PUT', '/device-settings', { stale_after_hours: 5 });
});

test('notifies pages of changed log retention', async () => {
  const { settings } = (await hub.console('GET', '/log-settings')).body;
  const wanted = { store_payloads: false, retention_days: 3 };
  await expectTopic('gateway', 'PUT', '/log-settings', wanted, settings.version);
});

test('notifies pages of an export key, created and revoked', async () => {
  const { key } = await expectTopic('gateway', 'POST', '/log-export-keys', { scope: 'all_apps' });
  await expectTopic('gateway', 'DELETE', `/log-export-keys/${key.key_id}`, undefined, key.version);
});

test('notifies pages of a direct token, created and revoked', async () => {
  const server = { slug: 'b', name: 'B', url: 'http://127.0.0.1:9/mcp', auth: { kind: 'none' } };
  const { backend } = await expectTopic('mcp', 'POST', '/mcp/backends', server);
  const path = `/mcp/backends/${backend.id}/api-tokens`;
  const { token } = await expectTopic('mcp', 'POST', path, { name: 'x', agent: 'Cursor' });
  await expectTopic('mcp', 'DELETE', `${path}/${token.id}`);
});

test('notifies pages of a guardrail, created, changed and deleted', async () => {
  const definition = { kind: 'approval', by: 'caller' };
  const { rule } = await expectTopic('mcp', 'POST', '/mcp/call-rules', { name: 'x', definition });
  const path = `/mcp/call-rules/${rule.id}`;
  const changed = await expectTopic('mcp', 'PATCH', path, { enabled: false }, rule.version);
  await expectTopic('mcp', 'DELETE', path, undefined, changed.rule.version);
});

test("notifies pages of the MCP gateway's settings", async () => {
  await expectTopic('mcp', 'PUT', '/mcp/settings', { allowed_email_domains: ['example.com'] });
});

test('notifies pages of a user group, created and deleted', async () => {
  const { group } = await expectTopic('mcp', 'POST', '/people-groups', { name: 'Writers' });
  const path = `/people-groups/${group.people_group_id}`;
  await expectTopic('mcp', 'DELETE', path, undefined, group.version);
});
