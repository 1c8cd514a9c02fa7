// SQL of sessions. They are of a person, not of a tenant: an administrator sees those of people who are members.

import { sql } from 'kysely';
import { type Db, noteIfItCan, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/http/console.ts';

export interface Session {
  session_id: string;
  email: string;
  email_folded: string;
  csrf_token: string;
  expires_at: Date;
  last_used_at: Date;
}

/** A session's use is written down when it is older than this: not with every request. */
const USE_KEPT_MS = 5 * 60_000;

export interface NewSession {
  sessionHash: Buffer;
  email: string;
  emailFolded: string;
  csrfToken: string;
  userAgent: string;
  expiresAt: Date;
}

/** Also remembers, in each tenant of the person, that they have signed in. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await sql`
    INSERT INTO sessions (session_hash, email, email_folded, csrf_token, user_agent, expires_at)
    VALUES (${session.sessionHash}, ${session.email}, ${session.emailFolded},
      ${session.csrfToken}, ${session.userAgent}, ${session.expiresAt})`.execute(tx);
  await sql`
    UPDATE members SET last_sign_in_at = now()
    WHERE email_folded = ${session.emailFolded} AND disabled_at IS NULL`.execute(tx);
}

/** Null where it is unknown or over. */
export async function useSession(db: Db, sessionHash: Buffer): Promise<Session | null> {
  const found = await row(
    db,
    sql<Session>`
      SELECT session_id, email, email_folded, csrf_token, expires_at, last_used_at FROM sessions
      WHERE session_hash = ${sessionHash} AND expires_at > now()`,
  );
  if (found !== null && Date.now() - found.last_used_at.getTime() > USE_KEPT_MS) {
    await noteIfItCan(
      sql`
        UPDATE sessions SET last_used_at = now() WHERE session_hash = ${sessionHash}`.execute(db),
    );
  }
  return found;
}

/** Whose it was; null where it is gone already. */
export function deleteSession(tx: Tx, sessionHash: Buffer) {
  return row(
    tx,
    sql<{ email_folded: string }>`
      DELETE FROM sessions WHERE session_hash = ${sessionHash} RETURNING email_folded`,
  );
}

/** All of a person's, in every tenant, but for one. */
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
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  sort_key: string;
}

/** Of the tenant's people, or of one of them: by id, or by folded address. */
export interface Whose {
  userId?: string | undefined;
  emailFolded?: string | undefined;
}

export function selectSessions(
  db: Db,
  tenantId: string,
  whose: Whose,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SessionRecord[]> {
  return rows(
    db,
    sql<SessionRecord>`
      SELECT s.session_id, m.user_id, s.email, s.user_agent, s.created_at, s.last_used_at,
        s.expires_at, s.created_at::text AS sort_key
      FROM members m JOIN sessions s ON s.email_folded = m.email_folded
      WHERE m.tenant_id = ${tenantId} AND s.expires_at > now() AND ${isOf(whose)}
        AND ${newestFirst(after, 's.created_at', 's.session_id')}
      ORDER BY s.created_at DESC, s.session_id LIMIT ${limit}`,
  );
}

/** Null where the tenant has no such person with such a session. */
export function endSession(tx: Tx, tenantId: string, sessionId: string, whose: Whose) {
  return row(
    tx,
    sql<{ user_id: string; email: string; email_folded: string }>`
      DELETE FROM sessions s USING members m
      WHERE s.session_id = ${sessionId} AND m.email_folded = s.email_folded
        AND m.tenant_id = ${tenantId} AND ${isOf(whose)}
      RETURNING m.user_id, s.email, s.email_folded`,
  );
}

function isOf({ userId, emailFolded }: Whose) {
  if (userId !== undefined) return sql`m.user_id = ${userId}`;
  return emailFolded === undefined ? ANY : sql`m.email_folded = ${emailFolded}`;
}
