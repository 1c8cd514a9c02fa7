// Drift is computed for products that were removed and reinstalled, and for batches that arrived at once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;

const aServer = (name: string, launch: string, permissions: string[]) =>
  anEntity(name, {
    kind: 'mcp_server',
    launch_hash: launch.repeat(64),
    instances: [{ owner: 'alice', permissions }],
  });

async function delta(device: Device, entity: ReturnType<typeof aServer>, seq: number) {
  const body = aBatch(device, [entity], { kind: 'delta', seq });
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(answer.status).toBe(202);
}

const applicationOf = async (entityId: string) =>
  (await hub.console('GET', `/discovered-apps/${entityId}`)).body.application;

async function anApproved(devices: readonly Device[]) {
  const name = `mcp-${randomUUID()}`;
  const entity = aServer(name, 'a', ['read']);
  for (const device of devices) await delta(device, entity, 1);
  const { status } = await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: entity.entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  expect(status).toBe(201);
  return { name, entity };
}

describe('reinstalled approved product', () => {
  // A removal as agents report it: the identity of the entity and its removal.
  const gone = ({ entity_id, kind, source, name }: ReturnType<typeof aServer>) => ({
    ...{ entity_id, kind, source, name },
    removed: true,
  });

  it('reports drift from the former launch only when the launch differs', async () => {
    const device = aDevice();
    const { name, entity } = await anApproved([device]);
    await delta(device, gone(entity), 2);
    const removed = await hub.console('GET', `/devices/${device.device_id}/entities?removed=true`);
    expect(removed.body.items).toMatchObject([{ entity_id: entity.entity_id, version: '1.0' }]);
    await delta(device, entity, 3);
    expect((await applicationOf(entity.entity_id)).drifts).toEqual([]);
    await delta(device, gone(entity), 4);
    await delta(device, aServer(name, 'b', ['read']), 5);
    expect((await applicationOf(entity.entity_id)).drifts).toMatchObject([
      { launch_changed: true, new_permissions: [], before: { permissions: ['read'] } },
    ]);
  });

  it('compares with the former launch when both changes arrive in the same moment', async () => {
    const devices = Array.from({ length: 5 }, () => aDevice());
    const { entity } = await anApproved(devices);
    await Promise.all(
      devices.flatMap((device) => [delta(device, gone(entity), 2), delta(device, entity, 3)]),
    );
    const { drifts, device_count } = await applicationOf(entity.entity_id);
    expect([drifts, device_count]).toEqual([[], devices.length]);
  });
});

it('reports both changes of a product that drifts twice in a moment', async () => {
  const devices = Array.from({ length: 5 }, () => aDevice());
  const { name, entity } = await anApproved(devices);
  await Promise.all(
    devices.flatMap((device) => [
      delta(device, aServer(name, 'b', ['read']), 2),
      delta(device, aServer(name, 'b', ['read', 'write']), 3),
    ]),
  );
  const { drifts } = await applicationOf(entity.entity_id);
  expect(drifts).toMatchObject(
    devices.map(() => ({ launch_changed: true, new_permissions: ['write'] })),
  );
});
