// Days are made and dropped beside who reads for a long time, as a backup does: that one is waited for by nobody.

import { maintainPartitions } from '@gatewarden/hub/src/platform/db/partitions.ts';
import { activityRetention } from '@gatewarden/hub/src/routes.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anActivity, anAlert } from '../support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

const DAY_MS = 86_400_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it('what devices send is stored while days wait for a long reader, and the next look makes and drops them', async () => {
  const { db, pool } = hub.context.database;
  const long = new pg.Client({ connectionString: hub.config.databaseUrl ?? '' });
  await long.connect();
  const device = aDevice();
  const send = async () => {
    const alerts = { device, alerts: [anAlert()] };
    const activity = { device, events: [anActivity()] };
    return [
      (await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: alerts })).status,
      (await deviceCall(hub, 'POST', '/ea/v1/sync/activity', { body: activity })).status,
    ];
  };
  expect(await send()).toEqual([202, 202]);
  const days = async () => {
    const found = await pool.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent IN ('alerts'::regclass, 'activity'::regclass) ORDER BY 1`,
    );
    return found.rows.map(({ name }) => name as string);
  };
  const before = await days();
  // Far enough that days are to be made, and all of these are past their time.
  const later = new Date(Date.now() + 730 * DAY_MS);
  const aMonth = activityRetention.map((one) => ({ ...one, days: 30 }));
  try {
    await long.query('BEGIN');
    await long.query('SELECT count(*) FROM alerts');
    await long.query('SELECT count(*) FROM activity');
    const upkeep = maintainPartitions(db, aMonth, later);
    let isOver = false;
    const over = upkeep.finally(() => {
      isOver = true;
    });
    // As long as it looks for room, and once more after it: each is answered while the reader goes on.
    do expect(await send()).toEqual([202, 202]);
    while (!isOver);
    await over;
    expect(await send()).toEqual([202, 202]);
    expect(await days()).toEqual(before);
  } finally {
    await long.query('ROLLBACK');
    await long.end();
  }
  await maintainPartitions(db, aMonth, later);
  const after = await days();
  expect(after).toHaveLength(before.length);
  expect(after.filter((name) => before.includes(name))).toEqual([
    'activity_default',
    'alerts_default',
  ]);
});
