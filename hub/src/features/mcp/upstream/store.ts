// SQL of the gateway's sessions with MCP servers.
import { sql } from 'kysely';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows } from '../../../platform/db/database.ts';

export const SEALED_SESSIONS: SealedColumn = {
  table: 'mcp_upstream_sessions',
  column: 'sealed_session',
  key: ['owner_hash', 'backend_id'],
};

/** Returns the location to which a sealed session id is bound. */
export const sealedSessionLocation = (owner: Buffer, backendId: string) =>
  locationOf(SEALED_SESSIONS, [owner.toString('hex'), backendId]);

export interface UpstreamSession {
  /** Null: the server gave the session no id. */
  sealed_session: string | null;
  protocol_version: string;
}

/** Returns the session of an owner with a backend, or null. */
export function selectUpstreamSession(
  db: Db,
  owner: Buffer,
  backendId: string,
): Promise<UpstreamSession | null> {
  return row(
    db,
    sql<UpstreamSession>`
      SELECT sealed_session, protocol_version FROM mcp_upstream_sessions
      WHERE owner_hash = ${owner} AND backend_id = ${backendId}`,
  );
}

/** Inserts or replaces the session of an owner with a backend. */
export async function storeUpstreamSession(
  db: Db,
  owner: Buffer,
  backendId: string,
  session: UpstreamSession,
): Promise<void> {
  await sql`
    INSERT INTO mcp_upstream_sessions (owner_hash, backend_id, sealed_session, protocol_version)
    VALUES (${owner}, ${backendId}, ${session.sealed_session}, ${session.protocol_version})
    ON CONFLICT (owner_hash, backend_id) DO UPDATE SET sealed_session = excluded.sealed_session,
      protocol_version = excluded.protocol_version, created_at = now()`.execute(db);
}

/** Returns those of the backends with which the owner has a session, begun in any process. */
export async function selectConnectedBackends(
  db: Db,
  owner: Buffer,
  backendIds: readonly string[],
): Promise<string[]> {
  const sessions = await rows(
    db,
    sql<{ backend_id: string }>`
      SELECT backend_id FROM mcp_upstream_sessions
      WHERE owner_hash = ${owner} AND backend_id = ANY (${[...backendIds]}::uuid[])`,
  );
  return sessions.map((session) => session.backend_id);
}

/** Deletes the rows of an owner's sessions. The servers must have been notified before. */
export async function deleteUpstreamSessions(db: Db, owner: Buffer): Promise<void> {
  await sql`DELETE FROM mcp_upstream_sessions WHERE owner_hash = ${owner}`.execute(db);
}

/** Deletes sessions that began more than 30 days ago. */
export async function deleteOldUpstreamSessions(db: Db): Promise<void> {
  await sql`
    DELETE FROM mcp_upstream_sessions WHERE created_at < now() - interval '30 days'`.execute(db);
}
