// Overrides for the same application may name it differently or have other scopes; a changed override may collide with
// an existing override.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const device = aDevice();
const app = anEntity('Contested', { kind: 'ai_tool' });
const other = anEntity('Other', { kind: 'ai_tool' });
beforeAll(async () => {
  hub = await startTestHub();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [app, other]),
  });
});
afterAll(() => hub.stop());

const block = { approval_status: 'blocked', execution_policy: 'block' };
const byId = { entity_id: app.entity_id };
const byName = { name: 'contested' };
const tenant = { kind: 'tenant' };

async function decide(body: object) {
  const { status, body: answer } = await hub.console('POST', '/overrides', {
    body: { ...block, scope: tenant, ...body },
  });
  return { status, override: answer.override, error: answer.error };
}

async function preview(body: object) {
  const { body: answer } = await hub.console('POST', '/overrides/preview', {
    body: { ...block, scope: tenant, ...body },
  });
  return answer;
}

const withdraw = ({ override_id, version }: { override_id: string; version: string }) =>
  hub.console('DELETE', `/overrides/${override_id}`, { headers: { 'if-match': version } });

test('lists overrides of an application by every name', async () => {
  const listed = async (query: string) => {
    const { body } = await hub.console('GET', `/overrides?${query}`);
    return body.items.map((item: { reason: string }) => item.reason).sort();
  };
  const made = [
    { match: byId, reason: 'by id' },
    { match: byName, reason: 'by name' },
    { match: { kind: 'ai_tool' }, reason: 'by kind' },
    { match: { entity_id: other.entity_id }, reason: 'of another' },
    { match: { name: 'contested', kind: 'package' }, reason: 'of another kind' },
    { match: { executable_sha256: 'f'.repeat(64) }, reason: 'by a file' },
  ];
  const overrides = [];
  for (const item of made) overrides.push((await decide(item)).override);
  const concerns = `concerns=${app.entity_id}`;
  expect(await listed(concerns)).toEqual(['by id', 'by kind', 'by name']);
  expect(await listed(`entity_id=${app.entity_id}`)).toEqual(['by id']);
  expect(await listed(`concerns=${'0'.repeat(64)}`)).toEqual([]);
  await withdraw(overrides[1]);
  expect(await listed(concerns)).toEqual(['by id', 'by kind']);
  expect(await listed(`${concerns}&state=withdrawn`)).toEqual(['by name']);
  const first = (await hub.console('GET', `/overrides?${concerns}&limit=1`)).body;
  expect(first.items).toHaveLength(1);
  expect(await listed(`${concerns}&limit=1&cursor=${first.next_cursor}`)).toHaveLength(1);
  for (const override of [...overrides.slice(0, 1), ...overrides.slice(2)])
    await withdraw(override);
});

test.each([
  ['by its name while somebody decides by its id', byName, byId],
  ['by its id while somebody decides by its name', byId, byName],
])('warns about an existing override when a user decides %s', async (_how, mine, theirs) => {
  const seen = (await preview({ match: mine })).as_of_revision;
  const { override } = await decide({ match: theirs });
  const refused = await decide({ match: mine, as_of_revision: seen });
  expect(refused.status).toBe(412);
  expect(refused.error.message).toMatch(
    /^admin@example.com set a policy: blocked \(block\) for the same app and scope \(.+\)\./,
  );
  const now = await preview({ match: mine });
  expect(now.standing).toMatchObject({ count: 1, items: [{ match: theirs, scope: tenant }] });
  expect(now.elsewhere).toEqual({ count: 0, items: [] });
  expect((await preview({ match: { entity_id: other.entity_id } })).standing.count).toBe(0);
  const again = await decide({ match: mine, as_of_revision: now.as_of_revision });
  expect(again.status).toBe(201);
  await withdraw(override);
  await withdraw(again.override);
});

test('allows overrides for other scopes, and counts them in the preview', async () => {
  const scope = { kind: 'device', device_id: device.device_id };
  const seen = (await preview({ match: byId })).as_of_revision;
  const { override } = await decide({ match: byName, scope });
  const now = await preview({ match: byId });
  expect(now.standing.count).toBe(0);
  expect(now.elsewhere).toMatchObject({
    count: 1,
    items: [{ override_id: override.override_id, scope, match: byName, execution_policy: 'block' }],
  });
  const { body: many } = await hub.console('POST', '/overrides/bulk/preview', {
    body: { ...block, scope: tenant, entity_ids: [other.entity_id, app.entity_id] },
  });
  expect(many).toMatchObject({ standing: { count: 0 }, elsewhere: { count: 1 } });
  const mine = await decide({ match: byId, as_of_revision: seen });
  expect(mine.status).toBe(201);
  await withdraw(override);
  await withdraw(mine.override);
});

test('ignores a default policy as a conflict', async () => {
  const policies = [{ kind: 'ai_tool', execution_policy: 'warn' }];
  const stored = await hub.console('PUT', '/default-policies', { body: { policies } });
  expect(stored.status).toBe(200);
  const { standing, elsewhere } = await preview({ match: { kind: 'ai_tool' } });
  expect([standing.count, elsewhere.count]).toEqual([0, 0]);
});

test('rejects a change that collides with another override, and never with itself', async () => {
  const { override } = await decide({ match: { entity_id: other.entity_id } });
  const path = `/overrides/${override.override_id}`;
  const change = (version: string, body: object) =>
    hub.console('PATCH', path, { headers: { 'if-match': version }, body });
  const seen = (await preview({ match: byId, replaces: override.override_id })).as_of_revision;
  const theirs = await decide({ match: byName });
  const refused = await change(override.version, { match: byId, as_of_revision: seen });
  expect(refused.status).toBe(412);
  expect(refused.body.error.message).toContain('admin@example.com set a policy: blocked (block)');
  expect((await hub.console('GET', path)).body.override.version).toBe(override.version);

  const now = await preview({ match: byId, replaces: override.override_id });
  expect(now.standing).toMatchObject({ count: 1, items: [{ match: byName }] });
  const asOf = { as_of_revision: now.as_of_revision };
  const moved = await change(override.version, { match: byId, ...asOf });
  expect(moved.status).toBe(200);
  const reasoned = await change(moved.body.override.version, { reason: 'Why', ...asOf });
  expect(reasoned.status).toBe(200);
  await withdraw(theirs.override);
  await withdraw(reasoned.body.override);
});
