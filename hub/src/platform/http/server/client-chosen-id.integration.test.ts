// A creation with an id that its client chose is performed once although it is sent twice.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { reaching } from '../../../../../test/support/sinks.ts';

let hub: TestHub;
let backendId: string;
beforeAll(async () => {
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase())));
  const { body } = await hub.console('POST', '/mcp/backends', {
    body: { slug: 'b', name: 'B', url: 'http://127.0.0.1:9/mcp', auth: { kind: 'none' } },
  });
  backendId = body.backend.id;
});
afterAll(async () => {
  await hub?.stop();
});

const approval = { kind: 'approval', by: 'caller' };

test.each([
  ['/agent-tokens', 'token_id', { name: 'x', expires_in_days: 1 }, '/agent-tokens'],
  [
    '/mcp/backends/:b/api-tokens',
    'token_id',
    { name: 'x', agent: 'Cursor' },
    '/mcp/api-tokens?of=all',
  ],
  ['/log-export-keys', 'key_id', { scope: 'all_apps' }, '/log-export-keys'],
  [
    '/alert-routes',
    'route_id',
    { kind: 'chat', name: 'x', url: 'http://127.0.0.1:9/' },
    '/alert-routes',
  ],
  ['/mcp/call-rules', 'rule_id', { name: 'x', definition: approval }, '/mcp/call-rules'],
  ['/mcp/rules', 'rule_id', { effect: 'deny', subject: { kind: 'everybody' } }, '/mcp/rules'],
])('creates once at %s by its %s', async (path, field, body, list) => {
  const ids = async (): Promise<string[]> => {
    const { items } = (await hub.console('GET', list)).body;
    return items.map((item: Record<string, string>) => item[field] ?? item.id);
  };
  const before = await ids();
  const id = randomUUID();
  const send = (chosen: string) =>
    hub.console('POST', path.replace(':b', backendId), { body: { ...body, [field]: chosen } });
  // Both at once, and once more later.
  const answers = await Promise.all([send(id), send(id.toUpperCase())]);
  answers.push(await send(id));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  for (const { status, body } of answers) {
    if (status === 409) expect(body.error.code).toBe('already_exists');
  }
  expect((await ids()).filter((id) => !before.includes(id))).toEqual([id]);
});
