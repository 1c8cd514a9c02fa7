// The explanation of an LLM request shows the configuration of its app at that time, and its author.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const why = (id: string, as: object = {}) =>
  hub.console('GET', `/llm/requests/why?request_id=${encodeURIComponent(id)}`, as);
const now = () => new Date().toISOString();
const wait = () => new Promise((resolve) => setTimeout(resolve, 5));

test('explains a request by its node and the app version of its time', async () => {
  const api = await manage(hub);
  await makeApp(api, 'logged');
  await wait();
  const before = now();
  await wait();
  const shown = await hub.console('GET', '/gateway/apps/logged');
  const changed = await hub.console('PATCH', '/gateway/apps/logged', {
    body: { tags: ['changed'] },
    headers: { 'if-match': shown.headers.get('etag') ?? '', 'idempotency-key': 'a change' },
  });
  expect(changed.status).toBe(200);
  await wait();
  const own = await aNode(hub, hub.tenantId, 'edge');
  const shared = await aNode(hub, null, 'for everybody');
  const blocked = {
    metadata: { user_email: 'ann@example.com' },
    guardrails: { is_blocked: true, actions_and_categories: { block: { pii: ['email'] } } },
  };
  await own.send('llm-requests', [
    aRequestLine({ id: 'before', timestamp: before }, blocked),
    aRequestLine({ id: 'after/it.', timestamp: now() }),
  ]);
  const line = aRequestLine({ id: 'ghost' }, { app: { name: 'ghost' } });
  await shared.send('llm-requests', [{ ...line, tenant_id: hub.tenantId }]);

  const token = await hub.tokenFor('Viewer');
  expect((await why('before', { token })).body).toMatchObject({
    request: {
      llm_request_id: 'before',
      is_blocked: true,
      user_email: 'ann@example.com',
      reasons: [{ action: 'block', category: 'pii', subcategories: ['email'] }],
      sent_by: { kind: 'node', node: 'edge' },
    },
    app: { name: 'logged', now: { enabled: true } },
    configuration: {
      version_id: null,
      changed: [],
      made: { operation: 'app.create', is_since: false },
      newer: 1,
    },
    policy_authority: { enabled: false },
  });
  const { body: after } = await why('after/it.', { token });
  expect(after.configuration).toMatchObject({
    version_id: expect.any(String),
    changed: ['/tags'],
    made: { operation: 'app.update', by: 'admin@example.com', is_since: false },
    newer: 0,
  });
  const { event_id } = after.configuration.made;
  expect((await hub.console('GET', `/audit/${event_id}`)).body.event.detail.version_id).toBe(
    after.configuration.version_id,
  );
  // The name of a node that serves other tenants, too, is not disclosed.
  expect((await why('ghost', { token })).body).toMatchObject({
    request: { sent_by: { kind: 'node', node: null } },
    app: { app_id: null, name: 'ghost', now: null },
    configuration: null,
  });
  const other = await hub.newTenant('Other');
  const asked = { tenantId: other.tenantId, token: other.adminToken };
  expect((await why('before', asked)).status).toBe(404);
  expect((await why('no such')).status).toBe(404);
  expect((await why('before', { token: await hub.tokenFor('Member') })).status).toBe(403);
});
