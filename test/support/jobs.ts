// Jobs of a hub under test, for tests that look at all that is stored.
import type { TestHub } from './hub.ts';
import { awaitThat } from './waiting.ts';

/** Waits until no job is due and has none begin by the clock: what a job leaves stands beside what a call leaves. */
export async function endSchedules(hub: TestHub): Promise<void> {
  const { pool } = hub.context.database;
  await pool.query('DELETE FROM pgboss.schedule');
  await awaitThat('no job is due', async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pgboss.job WHERE state IN ('created', 'retry', 'active')",
    );
    return rowCount === 0;
  });
}
