// A whole fleet makes its first contact at once through several hub processes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice } from '../../../../../test/support/builders.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { transact } from '../../../platform/db/database.ts';
import { insertDevices, lockOrEnrol } from './store.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const named = (deviceId: string) => ({
  subscriberId: 'alice',
  facts: aDevice({ device_id: deviceId }),
});

it('locks nothing while a device waits for enrollment', async () => {
  const { db, pool } = hub.context.database;
  const old = named('aaaaaaaa-0000-4000-8000-000000000001');
  const young = named('bbbbbbbb-0000-4000-8000-000000000002');
  await transact(db, (tx) => insertDevices(tx, hub.tenantId, [old]));
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    // Another process is about to enrol the same young device.
    await other.query(
      `INSERT INTO devices (tenant_id, device_id, subscriber_id, hostname, platform, os_version, arch, agent_version,
         first_seen_at, last_seen_at, inventory_hash)
       SELECT tenant_id, $1, subscriber_id, hostname, platform, os_version, arch, agent_version, first_seen_at,
         last_seen_at, inventory_hash FROM devices WHERE tenant_id = $2`,
      [young.facts.device_id, hub.tenantId],
    );
    const group = transact(db, (tx) => lockOrEnrol(tx, hub.tenantId, [young, old]));
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    // Were the old one locked by now, this would close a circle.
    await other.query(
      'SELECT 1 FROM devices WHERE tenant_id = $1 AND device_id = $2 FOR UPDATE NOWAIT',
      [hub.tenantId, old.facts.device_id],
    );
    await other.query('COMMIT');
    const { locked, made } = await group;
    expect([...locked.keys()].sort()).toEqual([old.facts.device_id, young.facts.device_id]);
    expect(made.size).toBe(0);
  } finally {
    other.release();
  }
});

it('enrolls the missing devices of a batch and locks all of them', async () => {
  const { db } = hub.context.database;
  const there = named('aaaaaaaa-0000-4000-8000-000000000001');
  const fresh = named('cccccccc-0000-4000-8000-000000000003');
  const { locked, made } = await transact(db, (tx) =>
    lockOrEnrol(tx, hub.tenantId, [there, fresh]),
  );
  expect([...made]).toEqual([fresh.facts.device_id]);
  expect(locked.size).toBe(2);
  const again = await transact(db, (tx) => lockOrEnrol(tx, hub.tenantId, [there, fresh]));
  expect([again.locked.size, again.made.size]).toEqual([2, 0]);
});
