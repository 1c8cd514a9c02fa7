// A device changes its owner: overrides of the former owner leave it, overrides of the new owner arrive.
import { randomUUID } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../../../../../test/support/builders.ts';
import { follower } from '../../../../../test/support/follower.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
const subscriber = () => `s-${randomUUID()}`;

async function decide(scope: object, over: object = {}): Promise<string> {
  const { status, body } = await hub.console('POST', '/overrides', {
    body: {
      match: { name: `n-${randomUUID()}` },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope,
      ...over,
    },
  });
  expect(status).toBe(201);
  return body.override.override_id;
}
const withdraw = async (id: string) => {
  const headers = { 'if-match': '"1"' };
  expect((await hub.console('DELETE', `/overrides/${id}`, { headers })).status).toBe(200);
};
const push = (device: Device, subscriberId: string) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('bash')]),
    headers: { 'x-subscriber-id': subscriberId },
  });
const poll = (device: Device, query: string) =>
  deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, {
    headers: { 'x-device-id': device.device_id },
  });
const move = (device: Device, to: string) =>
  hub.console('POST', `/devices/${device.device_id}/move`, { body: { subscriber_id: to } });

describe('device with a new owner', () => {
  it.each([
    ['is moved by an administrator', move],
    ['reports the new owner without a device token', push],
    [
      'reports the new owner with another request',
      (device: Device, to: string) =>
        deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
          body: { device, events: [anActivity()] },
          headers: { 'x-subscriber-id': to },
        }),
    ],
  ])('receives removals and additions when it %s', async (_, change) => {
    const [ada, bob] = [subscriber(), subscriber()];
    const device = aDevice();
    await push(device, ada);
    const hers = [];
    for (let i = 0; i < 3; i++) {
      hers.push(await decide({ kind: 'subscriber', subscriber_id: ada }));
    }
    const his = await decide({ kind: 'subscriber', subscriber_id: bob });
    const all = await decide({ kind: 'tenant' });
    const agent = follower(hub, device.device_id);
    await agent.pull();
    expect(agent.ids()).toEqual(expect.arrayContaining([...hers, all]));
    expect(agent.ids()).not.toContain(his);
    await change(device, bob);
    const after = await decide({ kind: 'tenant' });
    // The notice of it may come a moment after the answer.
    const heard: WireOverride[] = [];
    await expect.poll(async () => heard.push(...(await agent.pull()))).toBe(5);
    expect(heard.map((row) => [row.override_id, row.deleted])).toEqual(
      expect.arrayContaining([...hers.map((id) => [id, true]), [his, false], [after, false]]),
    );
    const fresh = follower(hub, device.device_id);
    await fresh.pull();
    expect(agent.ids()).toEqual(fresh.ids());
    expect(await agent.pull()).toEqual([]);
    await change(device, ada);
    await expect
      .poll(async () => {
        await agent.pull();
        return agent.ids();
      })
      .not.toContain(his);
    expect(agent.ids()).toEqual(expect.arrayContaining([...hers, all, after]));
  });

  it('shows "applying" until the device received the changes, then "applied"', async () => {
    const [ada, bob] = [subscriber(), subscriber()];
    const device = aDevice();
    await push(device, ada);
    await decide({ kind: 'subscriber', subscriber_id: ada });
    const first = (await poll(device, '?limit=500')).body;
    await move(device, bob);
    const applied = appliedDigest(first.overrides);
    const asked = `?limit=500&cursor=${first.next_cursor}&applied=${applied}`;
    // Until the notice of the move has come round the device is as it was.
    await expect.poll(async () => (await poll(device, asked)).body.overrides.length).toBe(1);
    const response = await poll(device, asked);
    expect(response.status).toBe(200);
    const kept = first.overrides.filter(
      (override: { override_id: string }) =>
        override.override_id !== response.body.overrides[0].override_id,
    );
    const { next_cursor: cursor } = response.body;
    const done = await poll(device, `?cursor=${cursor}&applied=${appliedDigest(kept)}`);
    expect([done.status, done.body.overrides, done.body.has_more]).toEqual([200, [], false]);
  });
});

describe('device whose former owner was erased before its poll', () => {
  const erase = async (of: string) =>
    expect((await hub.console('POST', `/people/${of}/erase`)).status).toBe(200);
  const admit = ({ device_id: id }: Device) => hub.console('POST', `/devices/${id}/admit`);

  it.each([
    ['after it was moved', move, erase],
    ['after it named another', push, erase],
    [
      'after it was moved, and which was moved back',
      move,
      async (ada: string, device: Device) => {
        await erase(ada);
        await move(device, ada);
      },
    ],
    [
      'after it named another, and which names them again',
      push,
      async (ada: string, device: Device) => {
        await erase(ada);
        await push(device, ada);
      },
    ],
    [
      'and which came back as the same person',
      () => Promise.resolve(),
      async (ada: string, device: Device) => {
        await erase(ada);
        await admit(device);
        await push(device, ada);
      },
    ],
    [
      'and returned as another device',
      () => Promise.resolve(),
      async (ada: string, device: Device, bob: string) => {
        await erase(ada);
        await admit(device);
        await push(device, bob);
      },
    ],
  ])(
    'starts a resync %s, because overrides of the erased owner cannot be named',
    async (_, change, gone) => {
      const [ada, bob] = [subscriber(), subscriber()];
      const device = aDevice();
      await push(device, ada);
      const hers = await decide({ kind: 'subscriber', subscriber_id: ada });
      const withdrawn = await decide({ kind: 'subscriber', subscriber_id: ada });
      const { body: held } = await poll(device, '?limit=500');
      expect(held.overrides.map((override: WireOverride) => override.override_id)).toEqual(
        expect.arrayContaining([hers, withdrawn]),
      );
      await withdraw(withdrawn);
      await change(device, bob);
      await gone(ada, device, bob);
      const again = () => poll(device, `?limit=500&cursor=${held.next_cursor}`);
      // Until the notice of it has come round the device is as it was.
      await expect.poll(async () => (await again()).status).toBe(410);
      await decide({ kind: 'tenant' });
      await decide({ kind: 'tenant' });
      const ids: string[] = [];
      let cursor = '';
      for (let isMore = true; isMore; ) {
        const { status, body } = await poll(device, `?limit=1${cursor}`);
        expect(status).toBe(200);
        ids.push(...body.overrides.map((override: WireOverride) => override.override_id));
        cursor = `&cursor=${body.next_cursor}`;
        isMore = body.has_more;
      }
      expect(ids.length).toBeGreaterThan(1);
      for (const text of [hers, withdrawn]) expect(ids).not.toContain(text);
      const next = await poll(device, `?limit=1${cursor}`);
      expect([next.status, next.body.overrides]).toEqual([200, []]);
    },
  );

  it('sends no resync for a withdrawn override that names a user without a device', async () => {
    const zoe = subscriber();
    const id = await decide(
      { kind: 'subscriber', subscriber_id: zoe },
      { reason: `because ${zoe} wanted it` },
    );
    await withdraw(id);
    const answer = await hub.console('POST', `/people/${zoe}/erase`);
    expect([answer.status, answer.body.decisions]).toEqual([200, 0]);
    const { rows } = await hub.context.database.pool.query(
      'SELECT scope_id, reason FROM overrides WHERE override_id = $1',
      [id],
    );
    expect(rows).toEqual([{ scope_id: 'erased', reason: null }]);
    expect((await hub.console('POST', `/people/${zoe}/erase`)).status).toBe(404);
  });

  it('receives removals page by page when another user was erased', async () => {
    const [ada, bob, zoe] = [subscriber(), subscriber(), subscriber()];
    const device = aDevice();
    await push(device, ada);
    const hers = [];
    for (let i = 0; i < 2; i++) {
      hers.push(await decide({ kind: 'subscriber', subscriber_id: ada }));
    }
    await decide({ kind: 'subscriber', subscriber_id: zoe });
    const { body: held } = await poll(device, '?limit=500');
    await move(device, bob);
    await erase(zoe);
    let cursor = held.next_cursor;
    const left = new Set<string>();
    await expect
      .poll(async () => {
        const { status, body } = await poll(device, `?limit=1&cursor=${cursor}`);
        expect(status).toBe(200);
        cursor = body.next_cursor;
        for (const override of body.overrides) if (override.deleted) left.add(override.override_id);
        return [...left];
      })
      .toEqual(expect.arrayContaining(hers));
  });

  it('continues incrementally when the device polled before the erasure', async () => {
    const [ada, bob] = [subscriber(), subscriber()];
    const device = aDevice();
    await push(device, ada);
    const hers = await decide({ kind: 'subscriber', subscriber_id: ada });
    const agent = follower(hub, device.device_id);
    const held = async () => {
      await agent.pull();
      return agent.ids();
    };
    expect(await held()).toContain(hers);
    await move(device, bob);
    await expect.poll(held).not.toContain(hers);
    await erase(ada);
    const after = await decide({ kind: 'tenant' });
    await expect.poll(held).toContain(after);
  });
});

describe('expired override', () => {
  it('leaves an expired override out of a resync, and counts devices with and without it as applied', async () => {
    const device = aDevice();
    await push(device, subscriber());
    const end = new Date(Date.now() + 1_500).toISOString();
    const ending = await decide(
      { kind: 'device', device_id: device.device_id },
      { expires_at: end },
    );
    const before = (await poll(device, '?limit=500')).body;
    const isIn = (body: { overrides: { override_id: string }[] }) =>
      body.overrides.some((override) => override.override_id === ending);
    expect(isIn(before)).toBe(true);
    await expect
      .poll(async () => isIn((await poll(device, '?limit=500')).body), { timeout: 30_000 })
      .toBe(false);
    const fresh = (await poll(device, '?limit=500')).body;
    for (const { next_cursor: cursor, overrides } of [before, fresh]) {
      const answer = await poll(device, `?cursor=${cursor}&applied=${appliedDigest(overrides)}`);
      expect([answer.status, answer.body.overrides]).toEqual([200, []]);
    }
  });
});
