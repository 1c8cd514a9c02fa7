// Feeds: a counter for each tenant and topic, by which readers follow changes; and sending of notifications.
// Main types: `FeedTopic`; notifications.ts has `Notice`.
// Invariant: the row lock of a counter makes numbers appear in commit order, so a reader of `n > cursor` never misses a
// write. Depends on the database.
// Start reading at `advanceFeed` and `notify`.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../db/database.ts';
import { HubError } from '../http/errors/errors.ts';
import { CHANNEL, type Notice } from './notifications.ts';

export const FEED_TOPICS = ['governance', 'process_map'] as const;
export type FeedTopic = (typeof FEED_TOPICS)[number];

/** Locks the counter until the end of the transaction, and returns its number. */
export async function lockFeed(tx: Tx, tenantId: string, topic: FeedTopic): Promise<number> {
  const feed = await row(
    tx,
    sql<{ n: number }>`
      SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic} FOR UPDATE`,
  );
  return feed?.n ?? 0;
}

/** Locks the counter against changes until the end of the transaction, shared with other readers. Returns its number. */
export async function lockFeedShared(tx: Tx, tenantId: string, topic: FeedTopic): Promise<number> {
  const feed = await row(
    tx,
    sql<{ n: number }>`
      SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic} FOR SHARE`,
  );
  return feed?.n ?? 0;
}

/**
 * Advances the counter by the number of changes, and notifies every hub process when the transaction commits. Returns
 * the last number. Throws `not_found` for an unknown tenant.
 */
export async function advanceFeed(
  tx: Tx,
  tenantId: string,
  topic: FeedTopic,
  by = 1,
): Promise<number> {
  const feed = await row(
    tx,
    sql<{ n: number }>`
      UPDATE feeds SET n = n + ${by}::bigint
      WHERE tenant_id = ${tenantId} AND topic = ${topic} RETURNING n`,
  );
  if (feed === null) throw new HubError('not_found');
  await notify(tx, { kind: 'feed', tenant: tenantId, topic, n: feed.n });
  return feed.n;
}

/** Returns the current number; 0 for an unknown tenant. */
export async function readFeed(db: Db, tenantId: string, topic: FeedTopic): Promise<number> {
  const feed = await row(
    db,
    sql<{ n: number }>`SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic}`,
  );
  return feed?.n ?? 0;
}

/** Creates a new tenant's counters, so that later writes only update them. */
export async function createFeeds(tx: Tx, tenantId: string): Promise<void> {
  for (const topic of FEED_TOPICS) {
    await sql`INSERT INTO feeds (tenant_id, topic, n) VALUES (${tenantId}, ${topic}, 0)`.execute(
      tx,
    );
  }
}

/** Notifies every hub process; inside a transaction, when it commits. A long notice is split. */
export async function notify(db: Db, notice: Notice): Promise<void> {
  await sql`
    SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${splitPayload(notice)}::text[]) AS payload`.execute(
    db,
  );
}

/** PostgreSQL's limit: https://www.postgresql.org/docs/current/sql-notify.html */
const PAYLOAD_BYTES_MAX = 7_999;

/** Splits the keys of an invalidation or a signal, whose number only depends on the size of a transaction. */
function splitPayload(notice: Notice): string[] {
  const payload = JSON.stringify(notice);
  if (!('keys' in notice) || notice.keys.length < 2) return [payload];
  if (Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX) return [payload];
  const half = Math.ceil(notice.keys.length / 2);
  return [notice.keys.slice(0, half), notice.keys.slice(half)].flatMap((keys) =>
    splitPayload({ ...notice, keys }),
  );
}
