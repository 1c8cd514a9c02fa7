// Convergence shows whether devices have their overrides: the age of the state, its filter, and concurrent writes of
// hub processes.
import { randomUUID } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { transact } from '../../../platform/db/database.ts';
import { type GatheredSighting, updateSightings } from './last-seen-store.ts';
import { lockDevices } from './store.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

async function enrolled(): Promise<string> {
  const device = aDevice({ hostname: `host-${randomUUID()}` });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device.device_id;
}

const shown = async (deviceId: string) =>
  (await hub.console('GET', `/devices/${deviceId}`)).body.device.governance;

it('stores the age of a state, whichever process writes first', async () => {
  const deviceId = await enrolled();
  expect(await shown(deviceId)).toEqual({ state: 'unknown', since: null, as_of: null });
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();
  const write = (
    state: string | null,
    since: number | null,
    reportedAt: number | null,
    seen: number,
  ) => {
    const sighting: GatheredSighting = {
      tenant_id: hub.tenantId,
      device_id: deviceId,
      last_seen_at: at(seen),
      governance_state: state,
      governance_at: reportedAt === null ? null : at(reportedAt),
      governance_since: since === null ? null : at(since),
    };
    return updateSightings(hub.context.database.db, [sighting]);
  };
  await write('unknown', 1, 1, 1);
  expect(await shown(deviceId)).toEqual({ state: 'unknown', since: at(1), as_of: at(1) });
  await write('applied', 2, 3, 3);
  expect(await shown(deviceId)).toEqual({ state: 'applied', since: at(2), as_of: at(3) });
  await write('applied', 5, 5, 5);
  await write(null, null, null, 9);
  expect(await shown(deviceId)).toEqual({ state: 'applied', since: at(2), as_of: at(5) });
  await write('applying', 8, 8, 8);
  // Of another process, which heard it earlier and writes later.
  await write('applied', 6, 6, 6);
  expect(await shown(deviceId)).toEqual({ state: 'applying', since: at(8), as_of: at(8) });
});

it('writes states while batches lock the same devices, without a deadlock', async () => {
  const { db } = hub.context.database;
  const ids = await Promise.all(Array.from({ length: 60 }, enrolled));
  const at = new Date().toISOString();
  const sighted = ids.map((device_id) => ({
    tenant_id: hub.tenantId,
    device_id,
    last_seen_at: at,
    governance_state: null,
    governance_at: null,
    governance_since: null,
  }));
  for (let turn = 0; turn < 20; turn++) {
    const order = sighted.toSorted(() => Math.random() - 0.5);
    await Promise.all([
      updateSightings(db, order),
      updateSightings(db, order.toReversed()),
      transact(db, (tx) => lockDevices(tx, hub.tenantId, ids)),
    ]);
  }
  expect((await hub.console('GET', `/devices/${ids[0]}`)).body.device.last_seen_at).toBe(at);
});

it('filters the list of devices', async () => {
  const [applied, silent] = [await enrolled(), await enrolled()];
  const headers = { 'x-device-id': applied };
  const first = await deviceCall(hub, 'GET', '/ea/v1/sync/delta', { headers });
  const query = `?cursor=${first.body.next_cursor}&applied=${appliedDigest(first.body.overrides)}`;
  await deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, { headers });
  const listed = async (state: string) =>
    (await hub.console('GET', `/devices?limit=200&governance=${state}`)).body.items.map(
      (device: { device_id: string }) => device.device_id,
    );
  await expect.poll(() => listed('applied'), { timeout: 10_000 }).toContain(applied);
  expect(await listed('unknown')).toContain(silent);
  expect(await listed('unknown')).not.toContain(applied);
  expect(await listed('diverged')).toEqual([]);
  expect((await hub.console('GET', '/devices?governance=lost')).status).toBe(400);
  // A cursor is of its filter.
  const page = await hub.console('GET', '/devices?limit=1');
  const other = `/devices?limit=1&governance=unknown&cursor=${page.body.next_cursor}`;
  expect((await hub.console('GET', other)).body.error.code).toBe('invalid_cursor');
});
