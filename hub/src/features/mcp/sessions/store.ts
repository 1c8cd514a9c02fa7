// SQL of client sessions, their subscriptions, and envelopes for other hub processes.
import { sql } from 'kysely';
import type { SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { deleteOldUpstreamSessions, deleteUpstreamSessions } from '../upstream/index.ts';

export interface ClientSession {
  namespace: string;
  token_id: string;
  protocol_version: string;
  capabilities: Record<string, unknown>;
  log_level: string | null;
}

/** Inserts a session under the hash of its id. */
export async function insertSession(
  db: Db,
  hash: Buffer,
  session: Omit<ClientSession, 'log_level'>,
): Promise<void> {
  const { namespace, token_id, protocol_version, capabilities } = session;
  await sql`
    INSERT INTO mcp_sessions (session_hash, namespace, token_id, protocol_version, capabilities)
    VALUES (${hash}, ${namespace}, ${token_id}, ${protocol_version},
      ${JSON.stringify(capabilities)}::jsonb)`.execute(db);
}

/** Returns the session, or null. */
export function selectSession(db: Db, hash: Buffer): Promise<ClientSession | null> {
  return row(
    db,
    sql<ClientSession>`
      SELECT namespace, token_id, protocol_version, capabilities, log_level FROM mcp_sessions
      WHERE session_hash = ${hash}`,
  );
}

/** Deletes a session with its subscriptions and its sessions with servers. */
export async function deleteSession(db: Db, hash: Buffer): Promise<void> {
  await sql`DELETE FROM mcp_sessions WHERE session_hash = ${hash}`.execute(db);
  await deleteUpstreamSessions(db, hash);
  await sql`DELETE FROM mcp_subscriptions WHERE session_hash = ${hash}`.execute(db);
}

/** Stores the log level that a session requests from servers. */
export async function storeLogLevel(db: Db, hash: Buffer, level: string): Promise<void> {
  await sql`UPDATE mcp_sessions SET log_level = ${level} WHERE session_hash = ${hash}`.execute(db);
}

export interface Subscription {
  backend_id: string;
  uri: string;
}

/** Maximum of subscriptions per session; further subscriptions are not followed. */
export const SUBSCRIPTIONS_MAX = 1_000;

/** Returns the first subscriptions of a session, at most SUBSCRIPTIONS_MAX. */
export function selectSubscriptions(db: Db, session: Buffer): Promise<Subscription[]> {
  return rows(
    db,
    sql<Subscription>`
      SELECT backend_id, uri FROM mcp_subscriptions WHERE session_hash = ${session}
      ORDER BY backend_id, uri COLLATE "C" LIMIT ${SUBSCRIPTIONS_MAX}`,
  );
}

/** Adds a subscription, or deletes it if `isSubscribed` is false. */
export async function storeSubscription(
  db: Db,
  session: Buffer,
  { backend_id: backendId, uri }: Subscription,
  isSubscribed: boolean,
): Promise<void> {
  if (isSubscribed) {
    await sql`
      INSERT INTO mcp_subscriptions (session_hash, backend_id, uri)
      VALUES (${session}, ${backendId}, ${uri}) ON CONFLICT DO NOTHING`.execute(db);
  } else {
    await sql`
      DELETE FROM mcp_subscriptions
      WHERE session_hash = ${session} AND backend_id = ${backendId} AND uri = ${uri}`.execute(db);
  }
}

export const SEALED_REPLIES: SealedColumn = {
  table: 'mcp_mail',
  column: 'sealed_message',
  key: ['tenant_id', 'box', 'slot'],
};

export interface StoredEnvelope {
  slot: string;
  sealed_message: string;
}

/** Stores an envelope. Returns false for a slot that is in use: each slot of a channel is filled once. */
export async function insertEnvelope(
  db: Db,
  tenantId: string,
  channelId: string,
  envelope: StoredEnvelope,
): Promise<boolean> {
  const inserted = await rows(
    db,
    sql`
      INSERT INTO mcp_mail (tenant_id, box, slot, sealed_message)
      VALUES (${tenantId}, ${channelId}, ${envelope.slot}, ${envelope.sealed_message})
      ON CONFLICT DO NOTHING RETURNING slot`,
  );
  return inserted.length > 0;
}

/** Deletes and returns the envelopes of a channel, in the order of their slots. */
export async function takeEnvelopes(
  db: Db,
  tenantId: string,
  channelId: string,
): Promise<StoredEnvelope[]> {
  const taken = await rows(
    db,
    sql<StoredEnvelope>`
      DELETE FROM mcp_mail WHERE tenant_id = ${tenantId} AND box = ${channelId}
      RETURNING slot, sealed_message`,
  );
  return taken.sort((a, b) => (a.slot < b.slot ? -1 : 1));
}

/** Deletes sessions after 30 days, and envelopes that nobody received within a day. */
export async function deleteOldSessions(db: Db): Promise<void> {
  for (const table of ['mcp_sessions', 'mcp_subscriptions']) {
    await sql`
      DELETE FROM ${sql.table(table)} WHERE created_at < now() - interval '30 days'`.execute(db);
  }
  await deleteOldUpstreamSessions(db);
  await sql`DELETE FROM mcp_mail WHERE created_at < now() - interval '1 day'`.execute(db);
}
