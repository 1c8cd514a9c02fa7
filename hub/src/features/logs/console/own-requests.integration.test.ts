// A user sees only their own LLM requests, with the blocking guardrail and the explanation, and without prompts and
// responses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine, minutesAgo } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { hears } from '../../../../../test/support/page-events.ts';

let hub: TestHub;
let token: string;
beforeAll(async () => {
  hub = await sharedTestHub();
  await makeApp(await manage(hub), 'logged');
  token = await hub.tokenFor('Member');
});
afterAll(() => hub.stop());

const asked = (id: string, email: string, minutes: number, more: object = {}) =>
  aRequestLine(
    { id, timestamp: minutesAgo(minutes), model: 'm-1', provider: 'vendor', status_code: 200 },
    {
      metadata: { user_email: email, client_ip: '192.0.2.7' },
      payload: { request_text: 'planted-question', response_text: 'planted-answer' },
      ...more,
    },
  );
const own = (query = '') => hub.console('GET', `/own/llm-requests${query}`, { token });

test("lists a user's own requests newest first by page, and no other user's", async () => {
  const node = await aNode(hub, hub.tenantId);
  const blocked = {
    guardrails: { is_blocked: true, actions_and_categories: { block: { pii: ['email'] } } },
  };
  await node.send('llm-requests', [
    asked('old', 'Member@Example.com', 30),
    asked('theirs', 'viewer@example.com', 20),
    asked('new', 'member@example.com', 10, blocked),
  ]);
  const other = await hub.newTenant('Other');
  await (await aNode(hub, other.tenantId)).send('llm-requests', [
    asked('elsewhere', 'member@example.com', 5),
  ]);
  const all = (await own()).body;
  expect(all.items).toEqual([
    {
      request_id: 'new',
      timestamp: expect.any(String),
      app: 'logged',
      model: 'm-1',
      provider: 'vendor',
      status_code: 200,
      is_blocked: true,
      is_failed: false,
      is_anonymized: false,
      reasons: [{ action: 'block', category: 'pii', subcategories: ['email'] }],
    },
    expect.objectContaining({ request_id: 'old', is_blocked: false, reasons: [] }),
  ]);
  expect(JSON.stringify(all)).not.toMatch(/planted|192\.0\.2\.7/);
  const first = (await own('?limit=1')).body;
  const second = (await own(`?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)).body;
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect((await own('?blocked=true')).body.items).toHaveLength(1);
  // A cursor belongs to its user.
  const viewer = await hub.tokenFor('Viewer');
  const taken = `/own/llm-requests?cursor=${encodeURIComponent(first.next_cursor)}`;
  expect((await hub.console('GET', taken, { token: viewer })).status).toBe(400);
});

test('explains a request to its user, and answers 404 to other users', async () => {
  const why = (id: string) =>
    hub.console('GET', `/own/llm-requests/why?request_id=${id}`, { token });
  expect((await why('new')).body).toMatchObject({
    request: { llm_request_id: 'new', is_blocked: true },
    app: { name: 'logged', now: { enabled: true } },
    configuration: { made: { operation: 'app.create' } },
  });
  expect([(await why('theirs')).status, (await why('nothing')).status]).toEqual([404, 404]);
});

test("notifies a page about the user's own requests only", async () => {
  const { tenantId, adminToken } = await hub.newTenant('Heard');
  const node = await aNode(hub, tenantId);
  const mine = await hub.tokenFor('Member', tenantId);
  const page = await hears(hub, `${tenantId}/own/events`, mine);
  const everything = await hears(hub, `${tenantId}/events`, adminToken);
  await node.send('llm-requests', [asked('of another', 'viewer@example.com', 1)]);
  await expect.poll(() => everything.countEvents('llm-requests'), { timeout: 20_000 }).toBe(1);
  expect(page.countEvents('llm-requests')).toBe(0);
  await node.send('llm-requests', [asked('of me', 'member@example.com', 1)]);
  await expect.poll(() => page.countEvents('llm-requests'), { timeout: 20_000 }).toBe(1);
  await Promise.all([page.end(), everything.end()]);
});
