// Overrides for device groups are delivered to members that join, and removed from members that leave.
import { randomUUID } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follower } from '../../../../../test/support/follower.ts';
import { groupCalls } from '../../../../../test/support/group-calls.ts';
import {
  type Answer,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const { caller, call, enrolled, aGroup, put, remove } = groupCalls(() => hub);

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

describe('override for a group', () => {
  it('requires an existing group', async () => {
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

  it('arrives on joining and is removed on leaving, also for a device that polls much later', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    const first = await decideFor(group.group_id);
    const prompt = follower(hub, deviceId);
    const seldom = follower(hub, deviceId);
    await prompt.pull();
    await seldom.pull();
    expect(prompt.overrides.has(first.override_id)).toBe(false);

    await put(group.group_id, deviceId);
    const others = [await decideFor(group.group_id), await decideFor(group.group_id)];
    const ids = [first, ...others].map((item) => item.override_id);
    await prompt.pull();
    for (const id of ids) expect(prompt.overrides.get(id)).toMatchObject({ deleted: false });
    expect(prompt.overrides.get(first.override_id)?.revision).toBe(first.revision);
    await seldom.pull();

    await remove(group.group_id, deviceId);
    const gone = await prompt.pull();
    expect(
      gone
        .filter((row) => row.deleted)
        .map((row) => row.override_id)
        .sort(),
    ).toEqual([...ids].sort());
    // Later changes are not for this device, but their removal is.
    await call('PATCH', `/overrides/${first.override_id}`, {
      headers: { 'if-match': first.version },
      body: { execution_policy: 'warn' },
    });
    await call('DELETE', `/overrides/${others[0].override_id}`, {
      headers: { 'if-match': others[0].version },
    });
    const late = await seldom.pull();
    expect(late.every((row) => row.deleted)).toBe(true);
    const fresh = follower(hub, deviceId);
    await fresh.pull();
    expect([prompt.ids(), seldom.ids()]).toEqual([fresh.ids(), fresh.ids()]);
    for (const id of ids) expect(fresh.overrides.has(id)).toBe(false);
  });

  it('previews the devices of the group', async () => {
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
    const ids = preview.body.devices.items.map((item: { device_id: string }) => item.device_id);
    expect(ids).toEqual([inside]);
    expect(ids).not.toContain(outside);
  });

  it('keeps its group from deletion by name, and without an override members leave', async () => {
    const [group, deviceId] = [await aGroup(), await enrolled()];
    await put(group.group_id, deviceId);
    const override = await decideFor(group.group_id, { match: { name: 'needed' } });
    const deletion = () =>
      call('DELETE', `/device-groups/${group.group_id}`, { headers: { 'if-match': '"1"' } });
    const refused = await deletion();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'group_in_use']);
    expect(refused.body.error.message).toContain('name needed');
    const agent = follower(hub, deviceId);
    await agent.pull();
    expect(agent.overrides.has(override.override_id)).toBe(true);
    // The override moves to other users, then the group is deleted: a single poll reports both.
    await call('PATCH', `/overrides/${override.override_id}`, {
      headers: { 'if-match': override.version },
      body: { scope: { kind: 'device', device_id: randomUUID() } },
    });
    expect((await deletion()).status).toBe(200);
    await agent.pull();
    expect(agent.overrides.has(override.override_id)).toBe(false);
    expect((await call('GET', `/devices/${deviceId}`)).body.device.groups).toEqual([]);
  });

  it('never arrives for a group that is deleted at the same moment', async () => {
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

describe('group memberships', () => {
  it('reads memberships without SQL while nothing changes', async () => {
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

  it('leaves followers on two hub processes with the result of a full pull', async () => {
    const tenant = await hub.newTenant('Histories');
    const second = await startTestHub(hub.config);
    try {
      const there = caller(tenant);
      const groups = [await aGroup(tenant, { name: 'a' }), await aGroup(tenant, { name: 'b' })];
      const deviceId = await enrolled(tenant);
      const agents = [
        follower({ ...hub, ...tenant }, deviceId, { limit: 1 }),
        follower({ ...hub, ...tenant }, deviceId, { limit: 3 }),
      ];
      const elsewhere = follower({ ...tenant, url: second.url }, deviceId);
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
      const fresh = follower({ ...hub, ...tenant }, deviceId, { limit: 500 });
      await fresh.pull();
      const sorted = (overrides: Map<string, WireOverride>) =>
        [...overrides.values()].sort((a, b) => a.revision - b.revision);
      for (const agent of agents) {
        await agent.pull();
        expect(sorted(agent.overrides)).toEqual(sorted(fresh.overrides));
      }
      // The notice reaches the other process within a second.
      await expect
        .poll(async () => {
          await elsewhere.pull();
          return sorted(elsewhere.overrides);
        })
        .toEqual(sorted(fresh.overrides));
      const cursor = (
        await deviceCall({ ...hub, ...tenant }, 'GET', '/ea/v1/sync/delta?limit=500', {
          headers: { 'x-device-id': deviceId },
        })
      ).body.next_cursor;
      await deviceCall(
        { ...hub, ...tenant },
        'GET',
        `/ea/v1/sync/delta?cursor=${cursor}&applied=${appliedDigest(fresh.overrides.values())}`,
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
