// Rows without a cache entry are stored without a read; an existing row is overwritten.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const push = (body: ReturnType<typeof aBatch>) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });

/** A row that is gone, as two batches of one group leave it that name an entity and take it away: the version stays. */
async function leaveGone(deviceId: string, entityId: string): Promise<void> {
  await sql`
    INSERT INTO entities (tenant_id, device_id, entity_id, kind, source, name, content_hash, scan_seq,
      executables, instances, first_seen_at, last_seen_at, removed_at)
    SELECT tenant_id, device_id, decode(${entityId}, 'hex'), kind, source, 'before', content_hash,
      scan_seq, executables, instances, first_seen_at, last_seen_at, now()
    FROM entities WHERE device_id = ${deviceId} LIMIT 1`.execute(hub.context.database.db);
}

test('overwrites the row of another hub with the first report of an entity', async () => {
  const device = aDevice();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => anEntity(name));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three are made');
  expect((await push(aBatch(device, [a], { seq: 1 }))).status).toBe(202);
  await leaveGone(device.device_id, b.entity_id);
  const answer = await push(aBatch(device, [b, c], { seq: 2, kind: 'delta' }));
  expect([answer.status, answer.body.accepted]).toEqual([202, 2]);
  const { items } = (await hub.console('GET', `/devices/${device.device_id}/entities`)).body;
  expect(items.map((item: { name: string }) => item.name)).toEqual(['a', 'b', 'c']);
  const { device: kept } = (await hub.console('GET', `/devices/${device.device_id}`)).body;
  expect(kept.entity_count).toBe(3);
});
