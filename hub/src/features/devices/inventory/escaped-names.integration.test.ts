// Names inside `details` are stored as they were sent, whatever other devices sent before.
import { entityHash } from '@gatewarden/shared/digests.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

it('confirms an entity with escaped names after another device sent a backslash there', async () => {
  for (const name of ['\\', '"', '\n']) {
    const device = aDevice();
    const entity = { ...anEntity('a'), details: { first: 1, [name]: 2 } };
    const { status } = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [entity]),
    });
    expect(status).toBe(202);
    const inventory = entityHash(entity).toString('hex');
    const { body } = await deviceCall(hub, 'GET', `/ea/v1/sync/delta?inventory=${inventory}`, {
      headers: { 'x-device-id': device.device_id },
    });
    expect([name, body.inventory_confirmed]).toEqual([name, true]);
  }
});
