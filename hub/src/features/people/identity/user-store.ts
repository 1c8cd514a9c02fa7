// SQL of users for their administrators.

import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, containsPattern, countRows } from '../../../platform/db/list-conditions.ts';
import {
  PENDING_BY_FLAG,
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';

export interface UserRecord {
  user_id: string;
  email: string;
  email_folded: string;
  /** The effective role: the higher of the assigned role and of the roles of the groups. */
  role: Role;
  /** The role that an administrator or a directory assigned. */
  given_role: Role;
  created_at: Date;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
  sessions: number;
  version: number;
}

const COLUMNS = sql`
  m.user_id, m.email, m.email_folded, m.role, coalesce(m.given_role, m.role) AS given_role, m.created_at, m.disabled_at, m.last_sign_in_at, m.version,
  (SELECT count(*) FROM session_tenants t JOIN sessions s ON s.session_id = t.session_id
    WHERE t.tenant_id = m.tenant_id AND t.ended_at IS NULL AND s.email_folded = m.email_folded
      AND s.expires_at > now()
      AND (m.access_valid_from IS NULL OR m.access_valid_from <= s.created_at)) AS sessions`;

export interface UserFilter {
  /** A folded fragment of the e-mail address. */
  query?: string;
  role?: Role;
  state?: 'enabled' | 'disabled';
}

const memberConditions = (tenantId: string, { role, state }: UserFilter) =>
  sql`m.tenant_id = ${tenantId}
    AND ${role === undefined ? ANY : sql`m.role = ${role}`}
    AND ${state === undefined ? ANY : sql`(m.disabled_at IS NULL) = ${state === 'enabled'}`}`;

const containsText = (query: string | undefined) =>
  query === undefined ? ANY : sql<boolean>`m.email_folded LIKE ${containsPattern(query)}`;

/** Returns the number of users that match the filter; null if there are too many to count. */
export const countUsers = (db: Db, tenantId: string, filter: UserFilter): Promise<number | null> =>
  countRows(
    db,
    sql`SELECT 1 FROM members m
      WHERE ${memberConditions(tenantId, filter)} AND ${containsText(filter.query)}`,
  );

/** Returns a page of users, by address. */
export function selectUsers(
  db: Db,
  tenantId: string,
  filter: UserFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<UserRecord[]> {
  const { query } = filter;
  const own = sql`${memberConditions(tenantId, filter)}
    AND ${after === undefined ? ANY : sql`m.email_folded > ${after[0]}`}`;
  const order = sql`m.email_folded`;
  const select = (scope: SearchScope) =>
    rows(
      db,
      sql<UserRecord>`
      SELECT ${COLUMNS} FROM ${scopeRows(scope, SEARCHED_MEMBERS, { alias: 'm', own, order })} m
      WHERE ${own}
        AND ${containsText(query)}
      ORDER BY ${order} LIMIT ${limit}`,
    );
  if (query === undefined) return select({ in: 'all' });
  const search = { list: SEARCHED_MEMBERS, tenantId, pieces: [query], limit };
  return searchPage(db, search, select);
}

/** Returns e-mail addresses of members that contain this folded text, by address. */
export async function searchMembers(
  db: Db,
  tenantId: string,
  query: string,
  limit: number,
): Promise<string[]> {
  const own = sql`m.tenant_id = ${tenantId}`;
  const order = sql`m.email_folded`;
  const select = (scope: SearchScope) =>
    rows(
      db,
      sql<{ email: string }>`
      SELECT m.email FROM ${scopeRows(scope, SEARCHED_MEMBERS, { alias: 'm', own, order })} m
      WHERE ${own} AND m.email_folded LIKE ${containsPattern(query)}
      ORDER BY ${order} LIMIT ${limit}`,
    );
  const members = await searchPage(
    db,
    { list: SEARCHED_MEMBERS, tenantId, pieces: [query], limit },
    select,
  );
  return members.map(({ email }) => email);
}

export const SEARCHED_MEMBERS: SearchedList = {
  table: 'members',
  id: 'user_id',
  texts: [sql`t.email_folded`],
  ...PENDING_BY_FLAG,
};

/** Returns the users with these folded addresses. */
export function selectUsersNamed(
  db: Db,
  tenantId: string,
  emails: readonly string[],
): Promise<UserRecord[]> {
  return rows(
    db,
    sql<UserRecord>`
      SELECT ${COLUMNS} FROM members m
      WHERE m.tenant_id = ${tenantId} AND m.email_folded = ANY (${[...emails]}::text[])`,
  );
}

/** Returns a user of the tenant; null if there is none. */
export function selectUser(db: Db, tenantId: string, userId: string): Promise<UserRecord | null> {
  return row(
    db,
    sql<UserRecord>`
      SELECT ${COLUMNS} FROM members m WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId}`,
  );
}

export type SignInRecord = Pick<
  UserRecord,
  'user_id' | 'email' | 'role' | 'disabled_at' | 'last_sign_in_at'
>;

/** Returns the member with this folded e-mail address, without what is stored beyond the tenant. */
export function selectSignIn(
  db: Db,
  tenantId: string,
  emailFolded: string,
): Promise<SignInRecord | null> {
  return row(
    db,
    sql<SignInRecord>`
      SELECT user_id, email, role, disabled_at, last_sign_in_at FROM members
      WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}`,
  );
}

/**
 * Updates the assigned role and the state; the caller applies group roles afterwards. Returns false if another writer
 * was faster.
 */
export async function updateUser(
  tx: Tx,
  tenantId: string,
  before: { user_id: string; version: number },
  change: { role: Role; disabled: boolean },
): Promise<boolean> {
  const updated = await row(
    tx,
    sql`
      UPDATE members SET role = ${change.role}, given_role = NULL, version = version + 1,
        disabled_at = CASE WHEN ${change.disabled} THEN coalesce(disabled_at, now()) END,
        access_valid_from = CASE WHEN ${change.disabled} THEN now() ELSE access_valid_from END,
        deprovisioned_at = CASE WHEN ${change.disabled} AND disabled_at IS NOT NULL THEN deprovisioned_at END
      WHERE tenant_id = ${tenantId} AND user_id = ${before.user_id}
        AND version = ${before.version} RETURNING user_id`,
  );
  return updated !== null;
}
