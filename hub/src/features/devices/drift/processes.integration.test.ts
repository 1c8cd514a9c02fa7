// Approvals of an application may name different processes: each process is suspended after drift, and the review
// releases all.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { follower } from '../../../../../test/support/follower.ts';
import {
  adminCalls,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** An application that drifted on a device, with approvals for two of its processes. */
async function driftedWithTwo() {
  const tenant = await hub.newTenant('Processes');
  const at = { ...hub, ...tenant };
  const device = aDevice();
  const name = `mcp-${randomUUID()}`;
  const launched = (hash: string) =>
    anEntity(name, { kind: 'mcp_server', launch_hash: hash.repeat(64) });
  const { entity_id: entityId } = launched('a');
  const scan = async (hash: string) => {
    const body = aBatch(device, [launched(hash)], { kind: 'delta' });
    expect((await deviceCall(at, 'POST', '/ea/v1/sync/discovered-apps', { body })).status).toBe(
      202,
    );
  };
  const call = adminCalls(hub, tenant);
  await scan('a');
  for (const process of ['node', 'helper']) {
    const answer = await call('POST', '/overrides', {
      match: { entity_id: entityId, name: process },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    });
    expect(answer.status).toBe(201);
  }
  await scan('b');
  return {
    tenantId: tenant.tenantId,
    entityId,
    device,
    call,
    follow: () => follower(at, device.device_id),
    async setPolicy(policy: string) {
      const { version } = (await call('GET', '/drift-policy')).body;
      expect((await call('PUT', '/drift-policy', { policy }, version)).status).toBe(200);
    },
    async suspended() {
      const { items } = (await call('GET', '/overrides')).body;
      return items
        .filter((item: { drift_hold: boolean }) => item.drift_hold)
        .map((item: { match: { name: string }; execution_policy: string }) =>
          [item.match.name, item.execution_policy].join(' '),
        )
        .sort();
    },
  };
}

it('holds each process, follows the setting, and releases each by the review', async () => {
  const { entityId, call, setPolicy, suspended, follow } = await driftedWithTwo();
  const device = follow();
  for (const policy of ['block', 'warn']) {
    await setPolicy(policy);
    await expect.poll(suspended).toEqual([`helper ${policy}`, `node ${policy}`]);
  }
  await device.pull();
  expect(device.overrides.size).toBe(4);
  await call('POST', `/discovered-apps/${entityId}/review`, {});
  await expect.poll(suspended).toEqual([]);
  await device.pull();
  expect(device.overrides.size).toBe(2);
});
