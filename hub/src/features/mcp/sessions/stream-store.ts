// SQL of resumable responses.
import type { RequestId } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import type { SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, transact } from '../../../platform/db/database.ts';
import type {} from '../protocol/index.ts';

export const SEALED_EVENTS: SealedColumn = {
  table: 'mcp_stream_events',
  column: 'sealed_message',
  key: ['owner_hash', 'stream_id', 'seq'],
};

export interface StreamKey {
  /** Hash of the session. */
  owner: Buffer;
  streamId: string;
}

export interface StoredEvent {
  seq: number;
  sealed_message: string;
  is_last: boolean;
}

/** Inserts a stream, and deletes the oldest streams of the session beyond `max`. */
export async function insertStream(
  db: Db,
  { owner, streamId }: StreamKey,
  requestId: RequestId,
  max: number,
): Promise<void> {
  await transact(db, async (tx) => {
    await sql`
      INSERT INTO mcp_streams (owner_hash, stream_id, request_id)
      VALUES (${owner}, ${streamId}, ${JSON.stringify(requestId)}::jsonb)
      ON CONFLICT (owner_hash, stream_id) DO UPDATE SET alive_at = now()`.execute(tx);
    const old = await rows(
      tx,
      sql<{ stream_id: string }>`
        DELETE FROM mcp_streams WHERE owner_hash = ${owner} AND stream_id IN (
          SELECT stream_id FROM mcp_streams WHERE owner_hash = ${owner}
          ORDER BY alive_at DESC, stream_id OFFSET ${max})
        RETURNING stream_id`,
    );
    if (old.length === 0) return;
    await sql`
      DELETE FROM mcp_stream_events WHERE owner_hash = ${owner}
        AND stream_id = ANY (${old.map((item) => item.stream_id)}::uuid[])`.execute(tx);
  });
}

export async function touchStream(db: Db, { owner, streamId }: StreamKey): Promise<void> {
  await sql`
    UPDATE mcp_streams SET alive_at = now()
    WHERE owner_hash = ${owner} AND stream_id = ${streamId}`.execute(db);
}

/** Returns the stream, or null if it is not stored. */
export function selectStream(db: Db, { owner, streamId }: StreamKey) {
  return row(
    db,
    sql<{ request_id: RequestId; silent_ms: number }>`
      SELECT request_id, (extract(epoch FROM now() - alive_at) * 1000)::float8 AS silent_ms
      FROM mcp_streams WHERE owner_hash = ${owner} AND stream_id = ${streamId}`,
  );
}

export async function insertEvent(
  db: Db,
  { owner, streamId }: StreamKey,
  event: StoredEvent,
): Promise<void> {
  await sql`
    INSERT INTO mcp_stream_events (owner_hash, stream_id, seq, sealed_message, is_last)
    VALUES (${owner}, ${streamId}, ${event.seq}, ${event.sealed_message}, ${event.is_last})
    ON CONFLICT DO NOTHING`.execute(db);
}

export function selectEvents(
  db: Db,
  { owner, streamId }: StreamKey,
  after: number,
): Promise<StoredEvent[]> {
  return rows(
    db,
    sql<StoredEvent>`
      SELECT seq, sealed_message, is_last FROM mcp_stream_events
      WHERE owner_hash = ${owner} AND stream_id = ${streamId} AND seq > ${after}
      ORDER BY seq LIMIT 20`,
  );
}

/** Deletes the streams of a session that ended. */
export async function deleteStreamsOf(db: Db, owner: Buffer): Promise<void> {
  await sql`DELETE FROM mcp_streams WHERE owner_hash = ${owner}`.execute(db);
  await sql`DELETE FROM mcp_stream_events WHERE owner_hash = ${owner}`.execute(db);
}

export async function deleteOldStreams(db: Db): Promise<void> {
  await sql`
    DELETE FROM mcp_stream_events WHERE created_at < now() - interval '10 minutes'`.execute(db);
  await sql`DELETE FROM mcp_streams WHERE alive_at < now() - interval '10 minutes'`.execute(db);
}
