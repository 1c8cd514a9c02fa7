import type { Database } from '../../hub/src/platform/db/database.ts';

/** Returns whether a query of this database waits for a lock and contains one of these texts. */
export async function waitsForLock(
  pool: Database['pool'],
  texts: readonly string[],
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE ANY ($1::text[])`,
    [texts.map((text) => `%${text}%`)],
  );
  return rowCount !== 0;
}
