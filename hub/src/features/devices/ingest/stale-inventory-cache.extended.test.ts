// The inventory cache of a process counts only at the version of the device's row: the inventory ends with the last
// report, although another hub or another batch changed it meanwhile.
import { EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
let second: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  const other = await startTestHub({ ...hub.config, port: 0 });
  second = { ...other, tenantId: hub.tenantId, agentToken: hub.agentToken };
});
afterAll(async () => {
  await second.stop();
  await hub.stop();
});

async function push(to: TestHub, body: ReturnType<typeof aBatch>) {
  const answer = await deviceCall(to, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(answer.status).toBe(202);
  return [answer.body.accepted, answer.body.unchanged];
}

/** Expects exactly these stored entities, and the same in the device's row and in the counts of products. */
async function expectInventory(deviceId: string, entities: readonly WireEntity[]) {
  const { db } = hub.context.database;
  const stored = await sql<{ id: string; hash: string }>`
    SELECT encode(entity_id, 'hex') AS id, encode(content_hash, 'hex') AS hash FROM entities
    WHERE device_id = ${deviceId} AND removed_at IS NULL`.execute(db);
  const expected = entities.map((entity) => ({
    id: entity.entity_id,
    hash: entityHash(entity).toString('hex'),
  }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(stored.rows.sort(byId)).toEqual(expected.sort(byId));
  const device = await sql<{ inventory_hash: Buffer; entity_count: number }>`
    SELECT inventory_hash, entity_count FROM devices WHERE device_id = ${deviceId}`.execute(db);
  const hash = entities.map(entityHash).reduce(xorHash, EMPTY_INVENTORY);
  expect(device.rows).toEqual([{ inventory_hash: hash, entity_count: entities.length }]);
  const miscounted = await sql`
    SELECT p.entity_id FROM products p
    LEFT JOIN entities e ON e.tenant_id = p.tenant_id AND e.entity_id = p.entity_id
      AND e.removed_at IS NULL
    GROUP BY p.tenant_id, p.entity_id, p.device_count
    HAVING count(e.device_id) <> p.device_count`.execute(db);
  expect(miscounted.rows).toEqual([]);
}

const named = (prefix: string) => (name: string, version: string) =>
  anEntity(`${prefix}-${name}`, { version });

test('reads a cached batch again after another hub changed an entity of it', async () => {
  const device = aDevice();
  const of = named('page');
  const before = [of('a', '1'), of('b', '1'), of('c', '1')];
  expect(await push(hub, aBatch(device, before, { seq: 1 }))).toEqual([3, 0]);
  expect(await push(hub, aBatch(device, before, { seq: 2 }))).toEqual([0, 3]);
  const delta = aBatch(device, [of('a', '2')], { seq: 3, kind: 'delta' });
  expect(await push(second, delta)).toEqual([1, 0]);
  expect(await push(hub, aBatch(device, before, { seq: 4 }))).toEqual([1, 2]);
  await expectInventory(device.device_id, before);
});

test('reads cached entities again in a batch that is not cached', async () => {
  const device = aDevice();
  const of = named('part');
  const before = [of('a', '1'), of('b', '1'), of('c', '1')];
  await push(hub, aBatch(device, before, { seq: 1 }));
  await push(second, aBatch(device, [of('a', '2')], { seq: 2, kind: 'delta' }));
  const now = [of('a', '1'), of('b', '2'), of('c', '1')];
  expect(await push(hub, aBatch(device, now, { seq: 3 }))).toEqual([2, 1]);
  await expectInventory(device.device_id, now);
});

test('applies simultaneous batches of a device in the order of their scans', async () => {
  const of = named('group');
  for (let round = 0; round < 10; round++) {
    const device = aDevice();
    const first = [of('a', '1'), of('b', '1')];
    const delta = (seq: number, entities: WireEntity[]) =>
      aBatch(device, entities, { seq, kind: 'delta' });
    if (round % 2 === 0) await push(hub, aBatch(device, first, { seq: 1 }));
    await Promise.all([
      push(hub, aBatch(device, first, { seq: 2 })),
      push(hub, delta(3, [of('c', '1'), of('b', '1')])),
      push(hub, delta(4, [of('c', '2'), of('b', '2')])),
      push(hub, delta(5, [{ ...of('a', '1'), removed: true }])),
    ]);
    await expectInventory(device.device_id, [of('b', '2'), of('c', '2')]);
  }
});

test('applies removals and additions of a hub at another hub', async () => {
  const of = named('gone');
  for (let round = 0; round < 5; round++) {
    const device = aDevice();
    const delta = (seq: number, entity: WireEntity) =>
      aBatch(device, [entity], { seq, kind: 'delta' });
    await push(second, aBatch(device, [of('a', '1')], { seq: 1 }));
    await Promise.all([
      push(hub, delta(2, of('b', '1'))),
      push(hub, delta(3, { ...of('b', '1'), removed: true })),
    ]);
    await Promise.all([
      push(second, delta(4, of('b', '2'))),
      push(second, aBatch(aDevice(), [of('n', '1')], { seq: 1 })),
    ]);
    await expectInventory(device.device_id, [of('a', '1'), of('b', '2')]);
  }
});
