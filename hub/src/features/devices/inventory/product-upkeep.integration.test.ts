// Jobs maintain products: their name where devices disagree, and the time of their last sighting.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { classifyDriftCapability, resolveNameConflicts, touchLastSeen } from './product-upkeep.ts';

const { isCitus } = inject('postgres');
if (isCitus) console.warn('skipped: a lock on a worker is not seen from the coordinator');

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;

const editor = anEntity('editor', { name: 'Editor', publisher: 'Example' });

function inTenant(tenant: Awaited<ReturnType<TestHub['newTenant']>>) {
  return {
    async scan(device: Device, over: Partial<typeof editor> = {}) {
      const answer = await deviceCall(
        { ...hub, ...tenant },
        'POST',
        '/ea/v1/sync/discovered-apps',
        {
          body: aBatch(device, [{ ...editor, ...over }]),
        },
      );
      expect(answer.status).toBe(202);
    },
    async product() {
      const answer = await hub.console('GET', `/discovered-apps/${editor.entity_id}`, {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
      });
      return answer.body.application;
    },
  };
}

it('names a product after the majority of devices, in any order of reports', async () => {
  const { scan, product } = inTenant(await hub.newTenant('Names'));
  const { db } = hub.context.database;
  const devices = [aDevice(), aDevice(), aDevice()];
  const [row, two, three] = devices as [Device, Device, Device];
  for (const device of devices) await scan(device);
  const evil = { name: 'Approved by IT', publisher: 'Nobody', version: '2.0' };
  await scan(three, evil);
  expect(await product()).toMatchObject({ name: 'Editor', publisher: 'Example' });
  await resolveNameConflicts(db);
  expect(await product()).toMatchObject({ name: 'Editor', publisher: 'Example' });
  // A vendor's new name comes with the update that most devices have; also without a new version.
  await scan(row, { name: 'Editor Pro' });
  await resolveNameConflicts(db);
  expect((await product()).name).toBe('Editor');
  await scan(two, { name: 'Editor Pro', version: '3.0' });
  await resolveNameConflicts(db);
  expect(await product()).toMatchObject({ name: 'Editor Pro', publisher: 'Example' });
});

it('updates the last sighting on repeated scans without a write each time', async () => {
  const tenant = await hub.newTenant('Sights');
  const { scan, product } = inTenant(tenant);
  const { db } = hub.context.database;
  const device = aDevice();
  await scan(device);
  await sql`
    UPDATE products SET last_seen_at = now() - interval '3 days'
    WHERE tenant_id = ${tenant.tenantId}`.execute(db);
  const before = Date.now() - 60_000;
  await scan(device);
  await touchLastSeen(db);
  expect(Date.parse((await product()).last_seen_at)).toBeGreaterThan(before);
});

it.skipIf(isCitus)(
  'dates the first sighting by the first device, also for a delayed batch',
  async () => {
    const tenant = await hub.newTenant('Delayed');
    const { scan, product } = inTenant(tenant);
    const [early, late] = [aDevice(), aDevice()];
    await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(early, [anEntity('shell')]),
    });
    const holder = await hub.context.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(
        'SELECT 1 FROM devices WHERE tenant_id = $1 AND device_id = $2 FOR UPDATE',
        [tenant.tenantId, early.device_id],
      );
      const delayed = scan(early);
      await expect
        .poll(async () => {
          const waiting = await hub.context.database.pool.query(
            `SELECT 1 FROM pg_locks WHERE NOT granted`,
          );
          return waiting.rowCount;
        })
        .toBeGreaterThan(0);
      await scan(late);
      const { last_seen_at: last } = await product();
      await holder.query('COMMIT');
      await delayed;
      const { first_seen_at: first, ...after } = await product();
      const { body } = await hub.console('GET', `/devices/${early.device_id}/entities`, {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
      });
      const there = body.items.find(
        (item: { entity_id: string }) => item.entity_id === editor.entity_id,
      );
      expect(first).toBe(there.first_seen_at);
      expect(after).toMatchObject({ device_count: 2, last_seen_at: last });
    } finally {
      holder.release(true);
    }
  },
);

it('checks products that an older release stored without a drift flag', async () => {
  const tenant = await hub.newTenant('Upgraded');
  const { scan } = inTenant(tenant);
  const { db } = hub.context.database;
  const launched = { entity_id: 'e'.repeat(64), launch_hash: 'a'.repeat(64) };
  const allowed = {
    entity_id: 'f'.repeat(64),
    instances: [{ owner: 'alice', path: '/a', permissions: ['ask'] }],
  };
  for (const over of [{}, launched, allowed]) await scan(aDevice(), over);
  const flags = async () => {
    const found = await sql<{ may_drift: boolean | null }>`
      SELECT may_drift FROM products WHERE tenant_id = ${tenant.tenantId}
      ORDER BY entity_id = decode(${editor.entity_id}, 'hex') DESC`.execute(db);
    return found.rows.map((row) => row.may_drift);
  };
  expect(await flags()).toEqual([false, true, true]);
  await sql`UPDATE products SET may_drift = NULL`.execute(db);
  await classifyDriftCapability(db);
  expect(await flags()).toEqual([false, true, true]);
});
