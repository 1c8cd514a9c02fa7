// How far back a feed can be followed. Marks say how far it was at which time; the floor is the mark up to which what
// left it is forgotten. A follower below the floor has to start again.
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../db/database.ts';
import type { FeedTopic } from './feed.ts';

/** Remembers how far each tenant's feed is now, where it has moved. */
export async function markFeeds(db: Db, topic: FeedTopic, now: Date): Promise<void> {
  await sql`
    INSERT INTO feed_marks (tenant_id, topic, n, at)
    SELECT tenant_id, topic, n, ${now}::timestamptz FROM feeds WHERE topic = ${topic} AND n > floor
    ON CONFLICT (tenant_id, topic, n) DO NOTHING`.execute(db);
}

/** The feeds of which more can be forgotten, with the number that they had reached at that time. */
export function selectForgettable(
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

/** From now on a follower that is not yet at `n` cannot be answered. */
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
