// Retention of feeds. Marks record the number of a feed at a time; the floor is the number up to which tombstones are
// pruned. A reader below the floor must start again.
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../db/database.ts';
import type { FeedTopic } from './feed.ts';

/** Records the current number of each feed that has advanced. */
export async function markFeeds(db: Db, topic: FeedTopic, now: Date): Promise<void> {
  await sql`
    INSERT INTO feed_marks (tenant_id, topic, n, at)
    SELECT tenant_id, topic, n, ${now}::timestamptz FROM feeds WHERE topic = ${topic} AND n > floor
    ON CONFLICT (tenant_id, topic, n) DO NOTHING`.execute(db);
}

/** Returns the feeds that can be pruned, with their number at that time. */
export function selectPrunableFeeds(
  db: Db,
  topic: FeedTopic,
  before: Date,
): Promise<{ tenant_id: string; n: number }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; n: number }>`
      SELECT tenant_id, max(n) AS n FROM feed_marks
      WHERE topic = ${topic} AND at <= ${before} GROUP BY tenant_id ORDER BY tenant_id`,
  );
}

/** Raises the floor: a reader below `n` must start again. */
export async function raiseFloor(
  tx: Tx,
  tenantId: string,
  topic: FeedTopic,
  n: number,
): Promise<void> {
  await sql`
    UPDATE feeds SET floor = greatest(floor, ${n}::bigint)
    WHERE tenant_id = ${tenantId} AND topic = ${topic}`.execute(tx);
  await sql`
    DELETE FROM feed_marks
    WHERE tenant_id = ${tenantId} AND topic = ${topic} AND n <= ${n}`.execute(tx);
}
