// All SQL of MCP sessions: those of clients, and those that the gateway has with upstreams.
import { sql } from 'kysely';
import { placeIn, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row } from '../../../platform/db/database.ts';

export interface ClientSession {
  namespace: string;
  token_id: string;
  protocol_version: string;
  capabilities: Record<string, unknown>;
}

export async function insertSession(db: Db, hash: Buffer, one: ClientSession): Promise<void> {
  await sql`
    INSERT INTO mcp_sessions (session_hash, namespace, token_id, protocol_version, capabilities)
    VALUES (${hash}, ${one.namespace}, ${one.token_id}, ${one.protocol_version},
      ${JSON.stringify(one.capabilities)}::jsonb)`.execute(db);
}

export function selectSession(db: Db, hash: Buffer): Promise<ClientSession | null> {
  return row(
    db,
    sql<ClientSession>`
      SELECT namespace, token_id, protocol_version, capabilities FROM mcp_sessions
      WHERE session_hash = ${hash}`,
  );
}

export async function deleteSession(db: Db, hash: Buffer): Promise<void> {
  await sql`DELETE FROM mcp_sessions WHERE session_hash = ${hash}`.execute(db);
  await sql`DELETE FROM mcp_upstream_sessions WHERE owner_hash = ${hash}`.execute(db);
}

export const SEALED_SESSIONS: SealedColumn = {
  table: 'mcp_upstream_sessions',
  column: 'sealed_session',
  key: ['owner_hash', 'backend_id'],
};
export const sessionPlace = (owner: Buffer, backendId: string) =>
  placeIn(SEALED_SESSIONS, [owner.toString('hex'), backendId]);

export interface UpstreamSession {
  sealed_session: string | null;
  protocol_version: string;
}

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

export async function storeUpstreamSession(
  db: Db,
  owner: Buffer,
  backendId: string,
  one: UpstreamSession,
): Promise<void> {
  await sql`
    INSERT INTO mcp_upstream_sessions (owner_hash, backend_id, sealed_session, protocol_version)
    VALUES (${owner}, ${backendId}, ${one.sealed_session}, ${one.protocol_version})
    ON CONFLICT (owner_hash, backend_id) DO UPDATE SET sealed_session = excluded.sealed_session,
      protocol_version = excluded.protocol_version, created_at = now()`.execute(db);
}

/** A client that comes back after a month begins anew. */
export async function deleteOldSessions(db: Db): Promise<void> {
  for (const table of [sql.table('mcp_sessions'), sql.table('mcp_upstream_sessions')]) {
    await sql`DELETE FROM ${table} WHERE created_at < now() - interval '30 days'`.execute(db);
  }
}
