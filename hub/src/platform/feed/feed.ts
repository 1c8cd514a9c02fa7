// The tenant's feeds: one counter row for each (tenant, topic). Its row lock makes numbers appear in commit order,
// so a reader that follows `n > cursor` never misses a write.
import { sql } from 'kysely';
import { type Db, row, type Tx } from '../db/database.ts';
import { HubError } from '../http/errors/errors.ts';
import { CHANNEL, type Notice } from './notifications.ts';

export const FEED_TOPICS = ['governance', 'process_map'] as const;
export type FeedTopic = (typeof FEED_TOPICS)[number];

/** The number, which nobody advances before this transaction ends. */
export async function lockFeed(tx: Tx, tenantId: string, topic: FeedTopic): Promise<number> {
  const found = await row(
    tx,
    sql<{ n: number }>`
      SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic} FOR UPDATE`,
  );
  return found?.n ?? 0;
}

/** The number, which nobody advances before this transaction ends; others may read it so at the same time. */
export async function holdFeed(tx: Tx, tenantId: string, topic: FeedTopic): Promise<number> {
  const found = await row(
    tx,
    sql<{ n: number }>`
      SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic} FOR SHARE`,
  );
  return found?.n ?? 0;
}

/**
 * Takes the next number in this transaction and tells every hub process once it commits. Takes `by` numbers for as
 * many changes, and gives the last.
 */
export async function advanceFeed(
  tx: Tx,
  tenantId: string,
  topic: FeedTopic,
  by = 1,
): Promise<number> {
  const moved = await row(
    tx,
    sql<{ n: number }>`
      UPDATE feeds SET n = n + ${by}::bigint
      WHERE tenant_id = ${tenantId} AND topic = ${topic} RETURNING n`,
  );
  if (moved === null) throw new HubError('not_found');
  await notify(tx, { kind: 'feed', tenant: tenantId, topic, n: moved.n });
  return moved.n;
}

/** The number as of now; 0 for a tenant that does not exist. */
export async function readFeed(db: Db, tenantId: string, topic: FeedTopic): Promise<number> {
  const found = await row(
    db,
    sql<{ n: number }>`SELECT n FROM feeds WHERE tenant_id = ${tenantId} AND topic = ${topic}`,
  );
  return found?.n ?? 0;
}

/** A new tenant's counters, so that later writes only ever UPDATE. */
export async function createFeeds(tx: Tx, tenantId: string): Promise<void> {
  for (const topic of FEED_TOPICS) {
    await sql`INSERT INTO feeds (tenant_id, topic, n) VALUES (${tenantId}, ${topic}, 0)`.execute(
      tx,
    );
  }
}

/** Tells every hub process; inside a transaction, when it commits. What is too long for one notice goes out as several. */
export async function notify(db: Db, notice: Notice): Promise<void> {
  await sql`
    SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloadsOf(notice)}::text[]) AS payload`.execute(
    db,
  );
}

/** PostgreSQL takes no longer ones: https://www.postgresql.org/docs/current/sql-notify.html */
const PAYLOAD_BYTES_MAX = 7_999;

/** Keys to forget are as many as what changed in one transaction. */
function payloadsOf(notice: Notice): string[] {
  const whole = JSON.stringify(notice);
  if (notice.kind !== 'forget' || notice.keys.length < 2) return [whole];
  if (Buffer.byteLength(whole) <= PAYLOAD_BYTES_MAX) return [whole];
  const half = Math.ceil(notice.keys.length / 2);
  return [notice.keys.slice(0, half), notice.keys.slice(half)].flatMap((keys) =>
    payloadsOf({ ...notice, keys }),
  );
}
