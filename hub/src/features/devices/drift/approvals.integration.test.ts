// Drift out of any approval waits for a review, whatever form the approval has, and nothing else waits.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  adminCalls,
  deviceCall,
  sharedTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { groupProducts } from '../products/index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;

async function setUp() {
  const tenant = await hub.newTenant('Drift');
  const name = `mcp-${randomUUID()}`;
  const launched = (hash: string) =>
    anEntity(name, { kind: 'mcp_server', launch_hash: hash.repeat(64) });
  const { entity_id: entityId } = launched('a');
  const call = adminCalls(hub, tenant);
  return {
    entityId,
    call,
    async scan(device: Device, hash: string, subscriber = 'alice') {
      const answer = await deviceCall(
        { ...hub, ...tenant },
        'POST',
        '/ea/v1/sync/discovered-apps',
        {
          body: aBatch(device, [launched(hash)], { kind: 'delta' }),
          headers: { 'x-subscriber-id': subscriber },
        },
      );
      expect(answer.status).toBe(202);
    },
    /** A full scan that finds nothing. */
    async scanWithout(device: Device) {
      const body = aBatch(device, [], {
        kind: 'full',
        coverage: [{ source: 'dpkg', owner: null, state: 'read', entities: 0 }],
      });
      const answer = await deviceCall(
        { ...hub, ...tenant },
        'POST',
        '/ea/v1/sync/discovered-apps',
        { body, headers: { 'x-subscriber-id': 'alice' } },
      );
      expect(answer.status).toBe(202);
    },
    async approve(scope: object, match: object = {}) {
      const answer = await call('POST', '/overrides', {
        match: { entity_id: entityId, ...match },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope,
      });
      expect(answer.status).toBe(201);
      return answer.body.override;
    },
    shown: async () => (await call('GET', `/discovered-apps/${entityId}`)).body.application,
    async drifted() {
      const { body } = await call('GET', `/discovered-apps/${entityId}`);
      return body.application.drifts.map((drift: { device_id: string }) => drift.device_id);
    },
  };
}

const SCOPES: [string, (device: Device) => { scope: object; match?: object }][] = [
  ['a device', (device) => ({ scope: { kind: 'device', device_id: device.device_id } })],
  ['a person', () => ({ scope: { kind: 'subscriber', subscriber_id: 'alice' } })],
  ['a version', () => ({ scope: { kind: 'tenant' }, match: { version_below: '2.0' } })],
  ['a process', () => ({ scope: { kind: 'tenant' }, match: { name: 'node' } })],
];

it.each(SCOPES)('watches an approval for %s within its scope', async (what, of) => {
  const { scan, approve, drifted, shown, call } = await setUp();
  const [here, elsewhere] = [aDevice(), aDevice()];
  for (const hash of ['a', 'b']) {
    await scan(here, hash);
    await scan(elsewhere, hash, 'bob');
    if (hash === 'a') {
      const { scope, match } = of(here);
      await approve(scope, match);
    }
  }
  const both = [here.device_id, elsewhere.device_id].sort();
  const reachesBoth = what === 'a version' || what === 'a process';
  expect((await drifted()).sort()).toEqual(reachesBoth ? both : [here.device_id]);
  const { drifted_at: since } = await shown();
  expect(since).not.toBeNull();
  const file = await call('GET', '/discovered-apps/download?format=csv');
  expect(file.body).toContain(`"${since}",""\r\n`);
});

it('watches an approval for the members of its group', async () => {
  const { scan, approve, drifted, call } = await setUp();
  const [here, elsewhere] = [aDevice(), aDevice()];
  for (const device of [here, elsewhere]) await scan(device, 'a');
  const group = await call('POST', '/device-groups', { name: 'Pilots' });
  const { group_id } = group.body.group;
  const joined = await call('PUT', `/device-groups/${group_id}/devices/${here.device_id}`);
  expect(joined.status).toBe(200);
  await approve({ kind: 'group', group_id });
  for (const device of [here, elsewhere]) await scan(device, 'b');
  expect(await drifted()).toEqual([here.device_id]);
});

it('stops waiting once the approval is withdrawn or the last drifted device is retired', async () => {
  const { scan, approve, drifted, shown, call } = await setUp();
  const [row, two] = [aDevice(), aDevice()];
  for (const device of [row, two]) await scan(device, 'a');
  await approve({ kind: 'tenant' });
  const scope = { kind: 'device', device_id: row.device_id };
  const forOne = await approve(scope);
  for (const device of [row, two]) await scan(device, 'b');
  expect((await drifted()).sort()).toEqual([row.device_id, two.device_id].sort());
  // The other approval still counts for it.
  await call('DELETE', `/overrides/${forOne.override_id}`, undefined, forOne.version);
  expect(await drifted()).toHaveLength(2);
  for (const device of [row, two]) {
    expect((await shown()).approval_status).toBe('pending');
    expect((await call('DELETE', `/devices/${device.device_id}`)).status).toBe(200);
  }
  expect(await shown()).toMatchObject({ approval_status: 'approved', drifted_at: null });
});

it('keeps waiting when a rollout only grows', async () => {
  const { entityId, scan, approve, drifted, call } = await setUp();
  const device = aDevice();
  await scan(device, 'a');
  await approve({ kind: 'subscriber', subscriber_id: 'alice' });
  const staged = await call('POST', '/overrides', {
    match: { entity_id: entityId },
    approval_status: 'approved',
    execution_policy: 'allow',
    scope: { kind: 'tenant' },
    rollout_percent: 10,
  });
  await scan(device, 'b');
  const path = `/overrides/${staged.body.override.override_id}`;
  const { version } = staged.body.override;
  expect((await call('PATCH', path, { rollout_percent: 20 }, version)).status).toBe(200);
  expect(await drifted()).toEqual([device.device_id]);
});

it('deletes drift with the only approval that it left', async () => {
  const { scan, approve, drifted, call } = await setUp();
  const device = aDevice();
  await scan(device, 'a');
  const approval = await approve({ kind: 'subscriber', subscriber_id: 'alice' });
  await scan(device, 'b');
  expect(await drifted()).toEqual([device.device_id]);
  await call('DELETE', `/overrides/${approval.override_id}`, undefined, approval.version);
  expect(await drifted()).toEqual([]);
});

it('lists and counts drift, also after no device has the product', async () => {
  const { entityId, scan, approve, call, scanWithout } = await setUp();
  const device = aDevice();
  await scan(device, 'a');
  await approve({ kind: 'tenant' }, { platform: 'linux' });
  await scan(device, 'b');
  await scanWithout(device);
  const { items } = (await call('GET', '/discovered-apps?drifted=true')).body;
  expect(items).toMatchObject([{ entity_id: entityId, device_count: 0 }]);
  await groupProducts(hub.context.database.db);
  const { review } = (await call('GET', '/overview')).body;
  expect(review.drifted).toMatchObject([{ count: 1 }]);
  expect(review.pending).toEqual([]);
});
