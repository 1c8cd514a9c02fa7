// Daily partitions are created and dropped beside a long-running reader, such as a backup, without a wait for other
// transactions.

import { activityRetention } from '@gatewarden/hub/src/app/routes.ts';
import { maintainLogs } from '@gatewarden/hub/src/features/logs/retention/index.ts';
import { maintainPartitions } from '@gatewarden/hub/src/platform/db/partitions.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anActivity, anAlert } from '../support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine } from '../support/logs.ts';

const DAY_MS = 86_400_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** Reads the tables in an open transaction, as a backup does, for as long as `work` takes. */
async function whileReading(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const long = new pg.Client({ connectionString: hub.config.databaseUrl ?? '' });
  await long.connect();
  try {
    await long.query('BEGIN');
    for (const table of tables) await long.query(`SELECT count(*) FROM ${table}`);
    await work();
  } finally {
    await long.query('ROLLBACK');
    await long.end();
  }
}

/** Does it again and again until the other is over, and once after it. */
async function meanwhile(other: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const over = other.finally(() => {
    isOver = true;
  });
  do await work();
  while (!isOver);
  await over;
  await work();
}

async function daysOf(...tables: string[]): Promise<string[]> {
  const partitions = await hub.context.database.pool.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ANY ($1::regclass[]) ORDER BY 1`,
    [tables],
  );
  return partitions.rows.map(({ name }) => name as string);
}

it('stores device data while partitions wait for a long reader, then creates and drops them', async () => {
  const { db } = hub.context.database;
  const device = aDevice();
  const send = async () => {
    const alerts = { device, alerts: [anAlert()] };
    const activity = { device, events: [anActivity()] };
    const answers = [
      await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: alerts }),
      await deviceCall(hub, 'POST', '/ea/v1/sync/activity', { body: activity }),
    ];
    expect(answers.map((item) => item.status)).toEqual([202, 202]);
  };
  await send();
  const before = await daysOf('alerts', 'activity');
  // Far enough that days are to be made, and all of these are past their time.
  const later = new Date(Date.now() + 730 * DAY_MS);
  const aMonth = activityRetention.map((retention) => ({ ...retention, days: 30 }));
  await whileReading(['alerts', 'activity'], async () => {
    await meanwhile(maintainPartitions(db, aMonth, later), send);
    expect(await daysOf('alerts', 'activity')).toEqual(before);
  });
  await maintainPartitions(db, aMonth, later);
  const after = await daysOf('alerts', 'activity');
  expect(after).toHaveLength(before.length);
  expect(after.filter((name) => before.includes(name))).toEqual([
    'activity_default',
    'alerts_default',
  ]);
});

it('stores gateway logs while future partitions wait for a long reader', async () => {
  const { db } = hub.context.database;
  const node = await aNode(hub, hub.tenantId);
  const send = async () => {
    const line = aRequestLine({ timestamp: new Date().toISOString() });
    expect((await node.send('llm-requests', [line])).status).toBe(202);
  };
  await send();
  const before = await daysOf('llm_requests');
  const tomorrow = new Date(Date.now() + DAY_MS);
  await whileReading(['llm_requests', 'mcp_tool_calls'], async () => {
    await meanwhile(maintainLogs(db, tomorrow), send);
    expect(await daysOf('llm_requests')).toEqual(before);
  });
  await maintainLogs(db, tomorrow);
  const after = await daysOf('llm_requests');
  expect([after.at(-2), after[0]]).toEqual([before.at(-1), before[1]]);
});
