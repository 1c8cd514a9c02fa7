// Jobs of a hub under test, for tests that compare all stored rows.
import type { TestHub } from './hub.ts';
import { awaitThat } from './waiting.ts';

/** Deletes all schedules and waits until no job is due, so that no job writes rows beside those of the calls under test. */
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
