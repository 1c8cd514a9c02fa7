// All SQL of MCP sessions: those of clients, and those that the gateway has with upstreams.
import { sql } from 'kysely';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows } from '../../../platform/db/database.ts';

export interface ClientSession {
  namespace: string;
  token_id: string;
  protocol_version: string;
  capabilities: Record<string, unknown>;
  log_level: string | null;
}

export async function insertSession(
  db: Db,
  hash: Buffer,
  one: Omit<ClientSession, 'log_level'>,
): Promise<void> {
  await sql`
    INSERT INTO mcp_sessions (session_hash, namespace, token_id, protocol_version, capabilities)
    VALUES (${hash}, ${one.namespace}, ${one.token_id}, ${one.protocol_version},
      ${JSON.stringify(one.capabilities)}::jsonb)`.execute(db);
}

export function selectSession(db: Db, hash: Buffer): Promise<ClientSession | null> {
  return row(
    db,
    sql<ClientSession>`
      SELECT namespace, token_id, protocol_version, capabilities, log_level FROM mcp_sessions
      WHERE session_hash = ${hash}`,
  );
}

export async function deleteSession(db: Db, hash: Buffer): Promise<void> {
  await sql`DELETE FROM mcp_sessions WHERE session_hash = ${hash}`.execute(db);
  await sql`DELETE FROM mcp_upstream_sessions WHERE owner_hash = ${hash}`.execute(db);
  await sql`DELETE FROM mcp_subscriptions WHERE session_hash = ${hash}`.execute(db);
}

export async function storeLogLevel(db: Db, hash: Buffer, level: string): Promise<void> {
  await sql`UPDATE mcp_sessions SET log_level = ${level} WHERE session_hash = ${hash}`.execute(db);
}

export const SEALED_SESSIONS: SealedColumn = {
  table: 'mcp_upstream_sessions',
  column: 'sealed_session',
  key: ['owner_hash', 'backend_id'],
};
export const sessionPlace = (owner: Buffer, backendId: string) =>
  locationOf(SEALED_SESSIONS, [owner.toString('hex'), backendId]);

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

/** With which servers of these the owner has a session, in whatever process it was begun. */
export async function selectUpstreamsOf(
  db: Db,
  owner: Buffer,
  backendIds: readonly string[],
): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ backend_id: string }>`
      SELECT backend_id FROM mcp_upstream_sessions
      WHERE owner_hash = ${owner} AND backend_id = ANY (${[...backendIds]}::uuid[])`,
  );
  return found.map((one) => one.backend_id);
}

export interface Subscription {
  backend_id: string;
  uri: string;
}

export function selectSubscriptions(db: Db, session: Buffer): Promise<Subscription[]> {
  return rows(
    db,
    sql<Subscription>`
      SELECT backend_id, uri FROM mcp_subscriptions WHERE session_hash = ${session}
      ORDER BY backend_id, uri COLLATE "C" LIMIT ${SUBSCRIPTIONS_MAX}`,
  );
}

/** Of one session; what comes beyond is not followed. */
export const SUBSCRIPTIONS_MAX = 1_000;

export async function storeSubscription(
  db: Db,
  session: Buffer,
  { backend_id: backendId, uri }: Subscription,
  follows: boolean,
): Promise<void> {
  if (follows) {
    await sql`
      INSERT INTO mcp_subscriptions (session_hash, backend_id, uri)
      VALUES (${session}, ${backendId}, ${uri}) ON CONFLICT DO NOTHING`.execute(db);
  } else {
    await sql`
      DELETE FROM mcp_subscriptions
      WHERE session_hash = ${session} AND backend_id = ${backendId} AND uri = ${uri}`.execute(db);
  }
}

export const SEALED_MAIL: SealedColumn = {
  table: 'mcp_mail',
  column: 'sealed_message',
  key: ['tenant_id', 'box', 'slot'],
};

export interface Letter {
  slot: string;
  sealed_message: string;
}

/** A slot is filled once: what comes again is left out. True where it was not there before. */
export async function insertLetter(
  db: Db,
  tenantId: string,
  box: string,
  letter: Letter,
): Promise<boolean> {
  const made = await rows(
    db,
    sql`
      INSERT INTO mcp_mail (tenant_id, box, slot, sealed_message)
      VALUES (${tenantId}, ${box}, ${letter.slot}, ${letter.sealed_message})
      ON CONFLICT DO NOTHING RETURNING slot`,
  );
  return made.length > 0;
}

/** What waits in the box, in the order of its slots; it is taken out. */
export async function takeLetters(db: Db, tenantId: string, box: string): Promise<Letter[]> {
  const taken = await rows(
    db,
    sql<Letter>`
      DELETE FROM mcp_mail WHERE tenant_id = ${tenantId} AND box = ${box}
      RETURNING slot, sealed_message`,
  );
  return taken.sort((a, b) => (a.slot < b.slot ? -1 : 1));
}

/** A client that comes back after a month begins anew; what nobody fetched for a day is not awaited any more. */
export async function deleteOldSessions(db: Db): Promise<void> {
  for (const table of ['mcp_sessions', 'mcp_upstream_sessions', 'mcp_subscriptions']) {
    await sql`
      DELETE FROM ${sql.table(table)} WHERE created_at < now() - interval '30 days'`.execute(db);
  }
  await sql`DELETE FROM mcp_mail WHERE created_at < now() - interval '1 day'`.execute(db);
}
