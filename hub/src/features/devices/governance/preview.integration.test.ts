// The preview: whom a decision would touch, before anything is stored.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anEntity,
  anUnknownProcess,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;

const input = (over: object = {}) => ({
  match: { name: 'demo' },
  approval_status: 'blocked',
  execution_policy: 'block',
  reason: 'not licensed',
  scope: { kind: 'tenant' },
  ...over,
});

async function enrolled(as: Tenant) {
  const device = aDevice();
  await deviceCall({ ...hub, ...as }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device;
}

describe('the preview', () => {
  it('names devices, people and processes before anything is stored', async () => {
    const tenant = await hub.newTenant('Preview');
    const as = { ...hub, ...tenant };
    const device = await enrolled(tenant);
    await deviceCall(as, 'POST', '/ea/v1/sync/unknown-processes', {
      body: { batch_id: randomUUID(), device, processes: [anUnknownProcess('Demo')] },
    });
    await deviceCall(as, 'POST', '/ea/v1/sync/activity', {
      body: {
        device,
        events: [
          anActivity({
            process: { name: 'other', executable_path: null, pid: 7, started_at: null },
          }),
        ],
      },
    });
    const preview = (over: object) =>
      hub.console('POST', '/overrides/preview', {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
        body: input(over),
      });
    const byName = await preview({ match: { name: 'demo' } });
    expect(byName.body).toMatchObject({
      devices: { count: 1, items: [{ device_id: device.device_id }] },
      people: { count: 1, items: [{ subscriber_id: 'alice' }] },
      processes: {
        count: 1,
        items: [{ name: 'Demo', current_policy: 'allow', new_policy: 'block' }],
      },
    });
    const byEntity = await preview({ match: { entity_id: anEntity('curl').entity_id } });
    expect([byEntity.body.devices.count, byEntity.body.processes.count]).toEqual([1, 0]);
    const curl = anEntity('curl').entity_id;
    await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
      body: { device, processes: [aRunningProcess('curl', { entity_ids: [curl] })] },
    });
    // From now on it is known what runs: what ended is no longer counted, what a known product runs is.
    const running = await preview({ match: { entity_id: curl } });
    expect(running.body.processes).toMatchObject({
      count: 1,
      items: [{ name: 'curl', is_running: true, guard_rail: null, new_policy: 'block' }],
    });
    expect((await preview({ match: { name: 'demo' } })).body.processes.count).toBe(0);
    await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
      body: { device, processes: [aRunningProcess('curl', { guard_rail: 'shell' })] },
    });
    const railed = await preview({ match: { name: 'curl' } });
    expect(railed.body.processes.items).toMatchObject([{ guard_rail: 'shell' }]);
    const elsewhere = await preview({ scope: { kind: 'device', device_id: randomUUID() } });
    expect(elsewhere.body.devices.count).toBe(0);
    const listed = await hub.console('GET', '/overrides', {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
    });
    expect(listed.body.items).toEqual([]);
  });
});
