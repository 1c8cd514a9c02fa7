// Device groups over HTTP: roles, tenants, versions, and what their members are sent.
import { randomUUID } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  type Answer,
  type CallOptions,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { groupsOf } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;

async function enrolled(as: Partial<Tenant> = {}): Promise<string> {
  const device = aDevice();
  await deviceCall({ ...hub, ...as }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device.device_id;
}

/** Of a tenant, as its administrator. */
const caller =
  (as: Tenant) =>
  (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    hub.console(method, path, { tenantId: as.tenantId, token: as.adminToken, ...options });
const call: ReturnType<typeof caller> = (...args) => caller(hub)(...args);

async function aGroup(as: Tenant = hub, body: object = { name: `group ${randomUUID()}` }) {
  const answer = await caller(as)('POST', '/device-groups', { body });
  expect(answer.status).toBe(201);
  return answer.body.group;
}

const put = (groupId: string, deviceId: string) =>
  call('PUT', `/device-groups/${groupId}/devices/${deviceId}`);
const remove = (groupId: string, deviceId: string) =>
  call('DELETE', `/device-groups/${groupId}/devices/${deviceId}`);

async function decideFor(groupId: string, over: object = {}): Promise<Answer['body']> {
  const answer = await call('POST', '/overrides', {
    body: {
      match: { name: 'demo' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'group', group_id: groupId },
      ...over,
    },
  });
  expect(answer.status).toBe(201);
  return answer.body.override;
}

/** An agent that follows the delta. */
function follower(deviceId: string, as: Tenant = hub, limit = 2) {
  const held = new Map<string, WireOverride>();
  let cursor: string | null = null;
  const pull = async (): Promise<WireOverride[]> => {
    const heard: WireOverride[] = [];
    for (;;) {
      const query = `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { status, body } = await deviceCall(
        { ...hub, ...as },
        'GET',
        `/ea/v1/sync/delta${query}`,
        { headers: { 'x-device-id': deviceId } },
      );
      expect(status).toBe(200);
      for (const override of body.overrides as WireOverride[]) {
        heard.push(override);
        if (override.deleted) held.delete(override.override_id);
        else held.set(override.override_id, override);
      }
      cursor = body.next_cursor;
      if (!body.has_more) return heard;
    }
  };
  return { held, pull, ids: () => [...held.keys()].sort() };
}

describe('a device group', () => {
  it('is made, read, listed, changed and deleted, with an audit event for each write', async () => {
    const name = `Group ${randomUUID()}`;
    const made = await call('POST', '/device-groups', { body: { name, description: 'The first' } });
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
    const { group } = made.body;
    expect(group).toMatchObject({
      name,
      description: 'The first',
      device_count: 0,
      version: '"1"',
      created_by: 'admin@example.com',
    });
    const path = `/device-groups/${group.group_id}`;
    expect((await call('GET', path)).body.group).toEqual(group);
    const listed = await call('GET', `/device-groups?query=${encodeURIComponent(name)}`);
    expect(listed.body.items).toEqual([group]);

    const change = (headers: Record<string, string>) =>
      call('PATCH', path, { headers, body: { description: null } });
    expect((await change({})).status).toBe(428);
    expect((await change({ 'if-match': '"7"' })).status).toBe(412);
    expect((await change({ 'if-match': '"1"' })).body.group).toMatchObject({
      version: '"2"',
      description: null,
      name,
    });
    expect((await call('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect((await call('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
    const events = await sql<{ operation: string }>`
      SELECT operation FROM audit_events WHERE resource ->> 'id' = ${group.group_id} ORDER BY at`.execute(
      hub.context.database.db,
    );
    expect(events.rows.map((one) => one.operation)).toEqual([
      'device_group.create',
      'device_group.update',
      'device_group.delete',
    ]);
  });

  it('has a name of its own, whatever the letters’ case', async () => {
    const [one, other] = [await aGroup(), await aGroup()];
    const again = await call('POST', '/device-groups', { body: { name: one.name.toUpperCase() } });
    expect([again.status, again.body.error.code]).toEqual([409, 'already_exists']);
    const renamed = await call('PATCH', `/device-groups/${other.group_id}`, {
      headers: { 'if-match': other.version },
      body: { name: one.name },
    });
    expect([renamed.status, renamed.body.error.code]).toEqual([409, 'already_exists']);
    for (const body of [{}, { name: ' ' }, { name: '' }, { name: 'x', colour: 'red' }]) {
      expect([(await call('POST', '/device-groups', { body })).status, body]).toEqual([400, body]);
    }
  });

  it('is managed by administrators, read by viewers and closed to other tenants', async () => {
    const group = await aGroup();
    const deviceId = await enrolled();
    const other = await hub.newTenant('Other');
    const otherDevice = await enrolled(other);
    const routes: [string, string, object?][] = [
      ['POST', '/device-groups', { name: 'mine' }],
      ['PATCH', `/device-groups/${group.group_id}`, { name: 'mine' }],
      ['DELETE', `/device-groups/${group.group_id}`],
      ['PUT', `/device-groups/${group.group_id}/devices/${deviceId}`],
      ['DELETE', `/device-groups/${group.group_id}/devices/${deviceId}`],
    ];
    const reviewer = await hub.tokenFor('Reviewer');
    for (const [method, path, body] of routes) {
      const refused = await hub.console(method, path, { token: reviewer, body });
      expect([method, refused.status]).toEqual([method, 403]);
    }
    const reading = ['', `/${group.group_id}`, `/${group.group_id}/devices`];
    const viewer = await hub.tokenFor('Viewer');
    const member = await hub.tokenFor('Member');
    for (const path of reading) {
      expect((await hub.console('GET', `/device-groups${path}`, { token: viewer })).status).toBe(
        200,
      );
      expect((await hub.console('GET', `/device-groups${path}`, { token: member })).status).toBe(
        403,
      );
    }
    const there = caller(other);
    expect((await there('GET', '/device-groups')).body.items).toEqual([]);
    for (const [method, path, body] of routes.slice(1)) {
      const options = { headers: { 'if-match': '"1"' }, ...(body ? { body } : {}) };
      expect((await there(method, path, options)).status).toBe(404);
    }
    expect((await put(group.group_id, otherDevice)).status).toBe(404);
  });

  it('holds devices, idempotently, and shows on each', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    for (const unknown of [
      await put(randomUUID(), deviceId),
      await put(group.group_id, randomUUID()),
      await remove(randomUUID(), deviceId),
      await remove(group.group_id, randomUUID()),
    ]) {
      expect(unknown.status).toBe(404);
    }
    for (const id of [deviceId, deviceId.toUpperCase()]) {
      const answer = await put(group.group_id, id);
      expect([answer.status, answer.body.member]).toEqual([200, true]);
    }
    const shown = await call('GET', `/devices/${deviceId}`);
    expect(shown.body.device.groups).toEqual([{ group_id: group.group_id, name: group.name }]);
    const listed = await call('GET', `/device-groups/${group.group_id}/devices`);
    expect(listed.body.items).toMatchObject([
      { device_id: deviceId, hostname: 'laptop-1', added_by: 'admin@example.com' },
    ]);
    expect((await call('GET', `/device-groups/${group.group_id}`)).body.group.device_count).toBe(1);
    expect(await groupsOf(hub.context.database.db, hub.tenantId, deviceId)).toEqual([
      group.group_id,
    ]);
    for (let i = 0; i < 2; i++) {
      const answer = await remove(group.group_id, deviceId);
      expect([answer.status, answer.body.member]).toEqual([200, false]);
    }
    expect((await call('GET', `/devices/${deviceId}`)).body.device.groups).toEqual([]);
    const events = await sql<{ operation: string; detail: { device_id: string } }>`
      SELECT operation, detail FROM audit_events
      WHERE resource ->> 'id' = ${group.group_id} ORDER BY at OFFSET 1`.execute(
      hub.context.database.db,
    );
    expect(events.rows).toMatchObject([
      { operation: 'device_group.add_device', detail: { device_id: deviceId } },
      { operation: 'device_group.remove_device', detail: { device_id: deviceId } },
    ]);
  });

  it('pages through groups and devices', async () => {
    const tenant = await hub.newTenant('Pages');
    const there = caller(tenant);
    const groups = [];
    for (const name of ['beta', 'Alpha', 'gamma']) groups.push(await aGroup(tenant, { name }));
    const names: string[] = [];
    let cursor = '';
    do {
      const { body } = await there('GET', `/device-groups?limit=2${cursor}`);
      names.push(...body.items.map((one: { name: string }) => one.name));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(names).toEqual(['Alpha', 'beta', 'gamma']);
    const ids = [await enrolled(tenant), await enrolled(tenant)];
    for (const id of ids) {
      await there('PUT', `/device-groups/${groups[0].group_id}/devices/${id}`);
    }
    const path = `/device-groups/${groups[0].group_id}/devices?limit=1`;
    const first = await there('GET', path);
    const second = await there('GET', `${path}&cursor=${first.body.next_cursor}`);
    expect([...first.body.items, ...second.body.items].map((one) => one.device_id).sort()).toEqual(
      ids.sort(),
    );
    expect(second.body.next_cursor).toBeNull();
  });
});

describe('an override for a group', () => {
  it('must name one that exists', async () => {
    const body = {
      match: { name: 'demo' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'group', group_id: randomUUID() },
    };
    for (const path of ['/overrides', '/overrides/preview']) {
      const answer = await call('POST', path, { body });
      expect([path, answer.status, answer.body.error?.message]).toEqual([
        path,
        400,
        expect.stringMatching(/^\/scope\/group_id /),
      ]);
    }
    const group = await aGroup();
    const override = await decideFor(group.group_id);
    const moved = await call('PATCH', `/overrides/${override.override_id}`, {
      headers: { 'if-match': override.version },
      body: { scope: body.scope },
    });
    expect([moved.status, moved.body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('comes with the joining and goes with the leaving, also for who polls much later', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    const first = await decideFor(group.group_id);
    const prompt = follower(deviceId);
    const seldom = follower(deviceId);
    await prompt.pull();
    await seldom.pull();
    expect(prompt.held.has(first.override_id)).toBe(false);

    await put(group.group_id, deviceId);
    const others = [await decideFor(group.group_id), await decideFor(group.group_id)];
    const ids = [first, ...others].map((one) => one.override_id);
    await prompt.pull();
    for (const id of ids) expect(prompt.held.get(id)).toMatchObject({ deleted: false });
    expect(prompt.held.get(first.override_id)?.revision).toBe(first.revision);
    await seldom.pull();

    await remove(group.group_id, deviceId);
    const gone = await prompt.pull();
    expect(
      gone
        .filter((one) => one.deleted)
        .map((one) => one.override_id)
        .sort(),
    ).toEqual([...ids].sort());
    // What happens to them after it left is no longer for this device, but that they are gone is.
    await call('PATCH', `/overrides/${first.override_id}`, {
      headers: { 'if-match': first.version },
      body: { execution_policy: 'warn' },
    });
    await call('DELETE', `/overrides/${others[0].override_id}`, {
      headers: { 'if-match': others[0].version },
    });
    const late = await seldom.pull();
    expect(late.every((one) => one.deleted)).toBe(true);
    const fresh = follower(deviceId);
    await fresh.pull();
    expect([prompt.ids(), seldom.ids()]).toEqual([fresh.ids(), fresh.ids()]);
    for (const id of ids) expect(fresh.held.has(id)).toBe(false);
  });

  it('is previewed on the devices of the group', async () => {
    const [group, inside, outside] = [await aGroup(), await enrolled(), await enrolled()];
    await put(group.group_id, inside);
    const preview = await call('POST', '/overrides/preview', {
      body: {
        match: { name: 'curl' },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'group', group_id: group.group_id },
      },
    });
    const ids = preview.body.devices.items.map((one: { device_id: string }) => one.device_id);
    expect(ids).toEqual([inside]);
    expect(ids).not.toContain(outside);
  });

  it('keeps its group from being deleted, by name; without one the members leave', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    await put(group.group_id, deviceId);
    const override = await decideFor(group.group_id, { match: { name: 'needed' } });
    const deletion = () =>
      call('DELETE', `/device-groups/${group.group_id}`, { headers: { 'if-match': '"1"' } });
    const refused = await deletion();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'group_in_use']);
    expect(refused.body.error.message).toContain('name needed');
    const agent = follower(deviceId);
    await agent.pull();
    expect(agent.held.has(override.override_id)).toBe(true);
    // It moves on to nobody here, then the group goes: the device hears of both with one poll.
    await call('PATCH', `/overrides/${override.override_id}`, {
      headers: { 'if-match': override.version },
      body: { scope: { kind: 'device', device_id: randomUUID() } },
    });
    expect((await deletion()).status).toBe(200);
    await agent.pull();
    expect(agent.held.has(override.override_id)).toBe(false);
    expect((await call('GET', `/devices/${deviceId}`)).body.device.groups).toEqual([]);
  });

  it('never comes for a group that goes at the same moment', async () => {
    for (let i = 0; i < 8; i++) {
      const group = await aGroup();
      const [made, gone] = await Promise.all([
        call('POST', '/overrides', {
          body: {
            match: { name: 'race' },
            approval_status: 'pending',
            execution_policy: 'monitor',
            scope: { kind: 'group', group_id: group.group_id },
          },
        }),
        call('DELETE', `/device-groups/${group.group_id}`, { headers: { 'if-match': '"1"' } }),
      ]);
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});

describe('memberships', () => {
  it('cost no SQL while nothing is new', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    await put(group.group_id, deviceId);
    await decideFor(group.group_id);
    const poll = (query: string) =>
      deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, { headers: { 'x-device-id': deviceId } });
    const first = await poll('?limit=500');
    const query = `?cursor=${first.body.next_cursor}&applied=${appliedDigest(first.body.overrides)}`;
    await poll(query);
    const statements = async () =>
      Number(
        /^gatewarden_db_statements_total (\d+)/m.exec(
          await (await fetch(`${hub.url}/metrics`)).text(),
        )?.[1],
      );
    const fiftyPolls = async () => {
      const before = await statements();
      for (let i = 0; i < 50; i++) expect((await poll(query)).body.overrides).toEqual([]);
      return (await statements()) - before;
    };
    await expect.poll(fiftyPolls, { timeout: 20_000 }).toBe(0);
  });

  it('leave followers on two hub processes with what a fresh pull gives, whatever happens', async () => {
    const tenant = await hub.newTenant('Histories');
    const second = await startTestHub(hub.config);
    try {
      const there = caller(tenant);
      const groups = [await aGroup(tenant, { name: 'a' }), await aGroup(tenant, { name: 'b' })];
      const deviceId = await enrolled(tenant);
      const agents = [follower(deviceId, tenant, 1), follower(deviceId, tenant, 3)];
      const elsewhere = follower(deviceId, { ...tenant, url: second.url } as Tenant, 2);
      const made: string[] = [];
      let seed = 7;
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((seed / 2_147_483_648) * below);
      };
      const scopes = () =>
        [
          { kind: 'tenant' },
          { kind: 'group', group_id: groups[0].group_id },
          { kind: 'group', group_id: groups[1].group_id },
          { kind: 'device', device_id: deviceId },
          { kind: 'subscriber', subscriber_id: 'somebody else' },
        ][random(5)];
      for (let i = 0; i < 150; i++) {
        const group = groups[random(2)].group_id;
        const id = made[random(made.length)];
        const choice = random(6);
        if (choice === 0 || id === undefined) {
          const answer = await there('POST', '/overrides', {
            body: {
              match: { name: `app ${i}` },
              approval_status: 'blocked',
              execution_policy: 'block',
              scope: scopes(),
              rollout_percent: [0, 50, 100][random(3)],
            },
          });
          made.push(answer.body.override.override_id);
        } else if (choice === 1) {
          await there('PUT', `/device-groups/${group}/devices/${deviceId}`);
        } else if (choice === 2) {
          await there('DELETE', `/device-groups/${group}/devices/${deviceId}`);
        } else {
          const { body } = await there('GET', `/overrides/${id}`);
          if (body.override === undefined) continue;
          const headers = { 'if-match': body.override.version };
          if (choice === 3 && random(3) === 0) {
            await there('DELETE', `/overrides/${id}`, { headers });
          } else {
            const patch = { scope: scopes(), rollout_percent: [0, 50, 100][random(3)] };
            await there('PATCH', `/overrides/${id}`, { headers, body: patch });
          }
        }
        if (random(4) === 0) await agents[random(2)]?.pull();
        if (random(8) === 0) await elsewhere.pull();
      }
      const fresh = follower(deviceId, tenant, 500);
      await fresh.pull();
      const sorted = (held: Map<string, WireOverride>) =>
        [...held.values()].sort((a, b) => a.revision - b.revision);
      for (const agent of agents) {
        await agent.pull();
        expect(sorted(agent.held)).toEqual(sorted(fresh.held));
      }
      // The notice reaches the other process within a second.
      await expect
        .poll(async () => {
          await elsewhere.pull();
          return sorted(elsewhere.held);
        })
        .toEqual(sorted(fresh.held));
      const cursor = (
        await deviceCall({ ...hub, ...tenant }, 'GET', '/ea/v1/sync/delta?limit=500', {
          headers: { 'x-device-id': deviceId },
        })
      ).body.next_cursor;
      await deviceCall(
        { ...hub, ...tenant },
        'GET',
        `/ea/v1/sync/delta?cursor=${cursor}&applied=${appliedDigest(fresh.held.values())}`,
        { headers: { 'x-device-id': deviceId } },
      );
      await expect
        .poll(
          async () => (await there('GET', `/devices/${deviceId}`)).body.device.governance.state,
          { timeout: 10_000 },
        )
        .toBe('applied');
    } finally {
      await second.stop();
    }
  });
});
