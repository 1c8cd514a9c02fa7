// Groups with a membership query follow their devices: members, changes, and audit events.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { follower } from '../../../../../test/support/follower.ts';
import { groupCalls } from '../../../../../test/support/group-calls.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { followRules } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const { call, aGroup, put, remove } = groupCalls(() => hub);

async function reportDevice(device: ReturnType<typeof aDevice>): Promise<string> {
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')], { kind: 'delta' }),
  });
  expect(answer.status).toBe(202);
  return device.device_id;
}
/** Hosts whose name begins with this; each test has its own. */
const hosts = (prefix: string) => ({
  conditions: [{ field: 'hostname', test: 'one_of', values: [`${prefix}*`] }],
});
const prefixed = () => `h${randomUUID().slice(0, 8)}-`;
async function members(groupId: string): Promise<string[]> {
  const { items } = (await call('GET', `/device-groups/${groupId}/devices`)).body;
  return items.map((item: { device_id: string }) => item.device_id).sort();
}
const follow = () => followRules(hub.context.database.db);

it('adds matching devices at once and later, and removes others', async () => {
  const prefix = prefixed();
  const first = aDevice({ hostname: `${prefix}one`, platform: 'darwin' });
  const second = aDevice({ hostname: `x${prefix}two` });
  await reportDevice(first);
  await reportDevice(second);
  const rule = hosts(prefix);
  const preview = await call('POST', '/device-groups/preview', { body: { rule } });
  expect(preview.body).toMatchObject({
    device_count: 1,
    devices: [{ device_id: first.device_id, platform: 'darwin' }],
  });
  const group = await aGroup(hub, { name: prefix, rule });
  expect(group).toMatchObject({ device_count: 1, rule });
  expect(await members(group.group_id)).toEqual([first.device_id]);

  await reportDevice({ ...second, hostname: `${prefix}two` });
  await reportDevice({ ...first, hostname: 'renamed' });
  await Promise.all([follow(), follow()]);
  expect(await members(group.group_id)).toEqual([second.device_id]);
  await follow();
  const { rows } = await sql<{ operation: string; detail: object }>`
    SELECT operation, detail FROM audit_events
    WHERE tenant_id = ${hub.tenantId} AND resource ->> 'id' = ${group.group_id} ORDER BY at`.execute(
    hub.context.database.db,
  );
  expect(rows).toMatchObject([
    { operation: 'device_group.create' },
    {
      operation: 'device_group.follow_rule',
      detail: {
        joined: [second.device_id],
        left: [first.device_id],
        joined_count: 1,
        left_count: 1,
      },
    },
  ]);
});

it('rejects manual changes while a query exists, and keeps devices after its removal', async () => {
  const prefix = prefixed();
  const device = await reportDevice(aDevice({ hostname: `${prefix}one` }));
  const other = await reportDevice(aDevice());
  const group = await aGroup(hub, { name: prefix, rule: hosts(prefix) });
  for (const refused of [await put(group.group_id, other), await remove(group.group_id, device)]) {
    expect([refused.status, refused.body.error.code]).toEqual([409, 'group_by_rule']);
  }
  const path = `/device-groups/${group.group_id}`;
  const patch = (version: string, body: object) =>
    call('PATCH', path, { headers: { 'if-match': version }, body });
  const freed = await patch('"1"', { rule: null });
  expect(freed.body.group).toMatchObject({ rule: null, device_count: 1, version: '"2"' });
  expect((await put(group.group_id, other)).status).toBe(200);
  expect(await members(group.group_id)).toEqual([device, other].sort());
  // A query replaces memberships that were added by hand.
  const ruled = await patch('"2"', { rule: hosts(prefix) });
  expect(ruled.body.group).toMatchObject({ device_count: 1, version: '"3"' });
  expect((await patch('"3"', { rule: hosts(prefix) })).body.group.version).toBe('"3"');
  expect(await members(group.group_id)).toEqual([device]);
});

it('removes a retired device, and adds no device of another tenant', async () => {
  const prefix = prefixed();
  const device = await reportDevice(aDevice({ hostname: `${prefix}one` }));
  const other = await hub.newTenant('Other');
  await deviceCall({ ...hub, ...other }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice({ hostname: `${prefix}two` }), [anEntity('curl')]),
  });
  const group = await aGroup(hub, { name: prefix, rule: hosts(prefix) });
  expect(await members(group.group_id)).toEqual([device]);
  expect((await call('DELETE', `/devices/${device}`)).status).toBe(200);
  await follow();
  expect(await members(group.group_id)).toEqual([]);
});

it('applies overrides of the group to new members', async () => {
  const prefix = prefixed();
  const device = aDevice({ hostname: 'elsewhere' });
  await reportDevice(device);
  const group = await aGroup(hub, { name: prefix, rule: hosts(prefix) });
  const decided = await call('POST', '/overrides', {
    body: {
      match: { name: 'curl' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'group', group_id: group.group_id },
    },
  });
  expect(decided.status).toBe(201);
  const follows = follower(hub, device.device_id);
  const held = async () => {
    await follows.pull();
    return follows.ids();
  };
  expect(await held()).not.toContain(decided.body.override.override_id);
  await reportDevice({ ...device, hostname: `${prefix}moved` });
  await follow();
  await expect.poll(held).toContain(decided.body.override.override_id);
});

it('follows user groups from any source', async () => {
  const name = `Design ${randomUUID()}`;
  const person = `Kim.${randomUUID()}@example.com`;
  const device = aDevice({ hostname: prefixed() });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    headers: { 'x-subscriber-id': person },
    body: aBatch(device, [anEntity('curl')]),
  });
  const made = await hub.console('POST', '/people-groups', {
    body: { name, members: [person.toLowerCase()] },
  });
  expect(made.status).toBe(201);
  const rule = {
    conditions: [{ field: 'people_group', test: 'one_of', values: [name.toUpperCase()] }],
  };
  const group = await aGroup(hub, { name, rule });
  expect(await members(group.group_id)).toEqual([device.device_id]);
  const { people_group_id: id, version } = made.body.group;
  const left = await hub.console('PATCH', `/people-groups/${id}`, {
    body: { members: [] },
    headers: { 'if-match': version },
  });
  expect(left.status).toBe(200);
  await follow();
  expect(await members(group.group_id)).toEqual([]);
});

it('rejects a meaningless query with its pointer, and stores nothing', async () => {
  const rule = { conditions: [{ field: 'arch', test: 'below', values: ['2'] }] };
  for (const [path, body] of [
    ['/device-groups', { name: prefixed(), rule }],
    ['/device-groups/preview', { rule }],
  ] as const) {
    const refused = await call('POST', path, { body });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^\/rule\/conditions\/0\/test/),
    ]);
  }
  const none = await call('POST', '/device-groups', {
    body: { name: prefixed(), rule: { conditions: [] } },
  });
  expect(none.status).toBe(400);
});
