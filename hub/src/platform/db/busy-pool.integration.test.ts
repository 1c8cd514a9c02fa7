// Every connection of the pool waits, for example while a table is locked for long.
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it('keeps the hub in the load balancer while its database answers', async () => {
  const { pool } = hub.context.database;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE agent_tokens');
  // Tokens that nobody knows are looked up each time.
  const waiting = Array.from({ length: pool.options.max + 5 }, () =>
    fetch(`${hub.url}/ea/v1/sync/delta`, {
      headers: { authorization: `Bearer ${makeSecret('agent')}` },
    }).then((answer) => answer.status),
  );
  // On another connection: within a transaction what is seen of others stays as it was.
  const waitersFor = async () =>
    (
      await pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).rowCount;
  try {
    await expect.poll(waitersFor).toBe(pool.options.max);
    const response = await fetch(`${hub.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready' }]);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
});
