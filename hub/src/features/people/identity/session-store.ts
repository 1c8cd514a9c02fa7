// SQL of sessions. A session belongs to a user; each tenant that it gave access to has an entry of its own in
// `session_tenants`, which is all that the tenant's administrators see and end.

import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx, writeIfPossible } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/db/list-conditions.ts';

export interface Session {
  session_id: string;
  email: string;
  email_folded: string;
  csrf_token: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date;
}

/** The time of last use is stored at most this often, not with every request. */
const USE_RECORDED_EVERY_MS = 5 * 60_000;

export interface NewSession {
  sessionHash: Buffer;
  email: string;
  emailFolded: string;
  csrfToken: string;
  userAgent: string;
  sourceAddress: string;
  expiresAt: Date;
}

/**
 * Stores a session and the time of sign-in in each tenant that the user accepted. A user of a single tenant uses the
 * session there from the start.
 */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const stored = await row(
    tx,
    sql<Pick<Session, 'session_id' | 'email_folded' | 'created_at' | 'expires_at'>>`
    INSERT INTO sessions
      (session_hash, email, email_folded, csrf_token, user_agent, source_address, expires_at)
    VALUES (${session.sessionHash}, ${session.email}, ${session.emailFolded},
      ${session.csrfToken}, ${session.userAgent}, ${session.sourceAddress}, ${session.expiresAt})
    RETURNING session_id, email_folded, created_at, expires_at`,
  );
  if (stored === null) throw new Error('a session was not stored');
  await sql`
    UPDATE members SET last_sign_in_at = now()
    WHERE email_folded = ${session.emailFolded} AND disabled_at IS NULL
      AND accepted_at IS NOT NULL`.execute(tx);
  const [only, ...rest] = await selectSessionTenants(tx, stored);
  if (only !== undefined && rest.length === 0) await recordUseInTenant(tx, stored, only);
}

/** Returns the session, and records its use; null if it is unknown or expired. */
export async function useSession(db: Db, sessionHash: Buffer): Promise<Session | null> {
  const session = await row(
    db,
    sql<Session>`
      SELECT session_id, email, email_folded, csrf_token, created_at, expires_at, last_used_at
      FROM sessions
      WHERE session_hash = ${sessionHash} AND expires_at > now()`,
  );
  if (session !== null && Date.now() - session.last_used_at.getTime() > USE_RECORDED_EVERY_MS) {
    await writeIfPossible(
      sql`
        UPDATE sessions SET last_used_at = now() WHERE session_hash = ${sessionHash}`.execute(db),
    );
  }
  return session;
}

/** Deletes a session. Returns its user; null if there is none. */
export function deleteSession(tx: Tx, sessionHash: Buffer) {
  return row(
    tx,
    sql<{ session_id: string; email_folded: string }>`
      DELETE FROM sessions WHERE session_hash = ${sessionHash} RETURNING session_id, email_folded`,
  );
}

/** Deletes all sessions of a user, in every tenant, except `kept`. */
export async function deleteSessionsOf(
  tx: Tx,
  emailFolded: string,
  kept: Buffer | null,
): Promise<void> {
  await sql`
    DELETE FROM sessions
    WHERE email_folded = ${emailFolded} AND session_hash IS DISTINCT FROM ${kept}`.execute(tx);
}

export interface SessionRecord {
  session_id: string;
  user_id: string;
  email: string;
  user_agent: string;
  source_address: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  sort_key: string;
}

/** A tenant that a session has access to. */
export interface SessionTenant {
  tenant_id: string;
  name: string;
  user_id: string;
  role: Role;
  /** Null before the first use in the tenant. */
  last_used_at: Date | null;
}

/**
 * Returns the tenants that the session has access to: those that the user accepted, where they were not disabled since
 * it began, and where nobody ended it.
 */
export function selectSessionTenants(
  db: Db,
  session: Pick<Session, 'session_id' | 'email_folded' | 'created_at'>,
): Promise<SessionTenant[]> {
  return rows(
    db,
    sql<SessionTenant>`
      SELECT m.tenant_id, t.name, m.user_id, m.role, s.last_used_at
      FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id
      LEFT JOIN session_tenants s
        ON s.tenant_id = m.tenant_id AND s.session_id = ${session.session_id}
      WHERE m.email_folded = ${session.email_folded} AND m.disabled_at IS NULL
        AND m.accepted_at IS NOT NULL AND t.suspended_at IS NULL AND s.ended_at IS NULL
        AND (m.access_valid_from IS NULL OR m.access_valid_from <= ${session.created_at})
      ORDER BY t.name, m.tenant_id`,
  );
}

/**
 * Records that the session is used in a tenant, at most once in `USE_RECORDED_EVERY_MS`; a failure to record is no
 * error.
 */
export async function recordUseInTenant(
  db: Db,
  session: Pick<Session, 'session_id' | 'expires_at'>,
  { tenant_id: tenantId, last_used_at: lastUsedAt }: SessionTenant,
): Promise<void> {
  if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() <= USE_RECORDED_EVERY_MS) return;
  await writeIfPossible(
    sql`
      INSERT INTO session_tenants (tenant_id, session_id, expires_at)
      VALUES (${tenantId}, ${session.session_id}, ${session.expires_at})
      ON CONFLICT (tenant_id, session_id) DO UPDATE SET last_used_at = now()`.execute(db),
  );
}

/** Returns the sessions that were used in the tenant, newest first; only those of `userId` if given. */
export function selectTenantSessions(
  db: Db,
  tenantId: string,
  userId: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SessionRecord[]> {
  const ofUser = userId === undefined ? ANY : sql`m.user_id = ${userId}`;
  return rows(
    db,
    sql<SessionRecord>`
      SELECT s.session_id, m.user_id, s.email, s.user_agent, s.source_address, s.created_at,
        t.last_used_at, s.expires_at, s.created_at::text AS sort_key
      FROM session_tenants t JOIN sessions s ON s.session_id = t.session_id
      JOIN members m ON m.tenant_id = t.tenant_id AND m.email_folded = s.email_folded
      WHERE t.tenant_id = ${tenantId} AND t.ended_at IS NULL AND s.expires_at > now()
        AND (m.access_valid_from IS NULL OR m.access_valid_from <= s.created_at) AND ${ofUser}
        AND ${newestFirst(after, 's.created_at', 's.session_id')}
      ORDER BY s.created_at DESC, s.session_id LIMIT ${limit}`,
  );
}

/** Returns a user's own sessions wherever they are used, newest first. */
export function selectOwnSessions(
  db: Db,
  tenantId: string,
  emailFolded: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SessionRecord[]> {
  return rows(
    db,
    sql<SessionRecord>`
      SELECT s.session_id, m.user_id, s.email, s.user_agent, s.source_address, s.created_at,
        s.last_used_at, s.expires_at, s.created_at::text AS sort_key
      FROM members m JOIN sessions s ON s.email_folded = m.email_folded
      WHERE m.tenant_id = ${tenantId} AND m.email_folded = ${emailFolded}
        AND s.expires_at > now() AND ${newestFirst(after, 's.created_at', 's.session_id')}
      ORDER BY s.created_at DESC, s.session_id LIMIT ${limit}`,
  );
}

interface EndedSession {
  user_id: string;
  email: string;
  email_folded: string;
}

/** Ends a session in a tenant; it continues in other tenants. Returns null if it is not used in this tenant. */
export function endTenantSession(
  tx: Tx,
  tenantId: string,
  sessionId: string,
): Promise<EndedSession | null> {
  return row(
    tx,
    sql<EndedSession>`
      UPDATE session_tenants t SET ended_at = now()
      FROM sessions s, members m
      WHERE t.tenant_id = ${tenantId} AND t.session_id = ${sessionId} AND t.ended_at IS NULL
        AND s.session_id = t.session_id AND s.expires_at > now()
        AND m.tenant_id = t.tenant_id AND m.email_folded = s.email_folded
      RETURNING m.user_id, s.email, s.email_folded`,
  );
}

/** Deletes a session without access to any tenant: its user has to sign in again. */
export async function deleteSessionWithoutTenant(tx: Tx, sessionId: string): Promise<void> {
  const session = await row(
    tx,
    sql<Pick<Session, 'session_id' | 'email_folded' | 'created_at'>>`
      SELECT session_id, email_folded, created_at FROM sessions WHERE session_id = ${sessionId}`,
  );
  if (session === null || (await selectSessionTenants(tx, session)).length > 0) return;
  await sql`DELETE FROM sessions WHERE session_id = ${sessionId}`.execute(tx);
}

/** Ends a user's own session everywhere; null if they have no such session. */
export function endOwnSession(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  emailFolded: string,
): Promise<EndedSession | null> {
  return row(
    tx,
    sql<EndedSession>`
      DELETE FROM sessions s USING members m
      WHERE s.session_id = ${sessionId} AND s.email_folded = ${emailFolded}
        AND m.tenant_id = ${tenantId} AND m.email_folded = s.email_folded
      RETURNING m.user_id, s.email, s.email_folded`,
  );
}
