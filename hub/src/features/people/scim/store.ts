// SQL of users and groups for directories.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import type { Condition } from './filter.ts';

/** Attributes of a user that the hub stores for the directory and returns unchanged. */
export interface Profile {
  displayName?: string;
  name?: Record<string, string>;
}

export interface ScimUserRow {
  user_id: string;
  email: string;
  email_folded: string;
  /** The assigned role; a role from a group is none of the directory's values. */
  role: Role;
  user_name: string | null;
  external_id: string | null;
  profile: Profile | null;
  created_at: Date;
  disabled_at: Date | null;
  deprovisioned_at: Date | null;
  version: number;
}

const COLUMNS = sql`
  user_id, email, email_folded, coalesce(given_role, role) AS role, user_name, external_id, profile, created_at, disabled_at,
  deprovisioned_at, version`;

/** A user whom the directory deleted is invisible to it until somebody enables them again. */
const VISIBLE = sql`(deprovisioned_at IS NULL OR disabled_at IS NULL)`;

type UserField = 'id' | 'userName' | 'email' | 'externalId' | 'active';
const USER_COLUMNS: Record<Exclude<UserField, 'active'>, RawBuilder<unknown>> = {
  id: sql`user_id::text`,
  userName: sql`coalesce(user_name_folded, email_folded)`,
  email: sql`email_folded`,
  externalId: sql`external_id`,
};

/** Returns a page of users and their number. `filter`: alternatives, each with all of its conditions. */
export async function selectScimUsers(
  db: Db,
  tenantId: string,
  filter: readonly (readonly Condition<UserField>[])[] | null,
  page: { offset: number; limit: number },
): Promise<{ users: ScimUserRow[]; total: number }> {
  const where = sql`tenant_id = ${tenantId} AND ${VISIBLE} AND ${anyOf(filter, userCondition)}`;
  const [users, counted] = await Promise.all([
    rows(
      db,
      sql<ScimUserRow>`
        SELECT ${COLUMNS} FROM members WHERE ${where}
        ORDER BY email_folded OFFSET ${page.offset} LIMIT ${page.limit}`,
    ),
    row(db, sql<{ total: string }>`SELECT count(*) AS total FROM members WHERE ${where}`),
  ]);
  return { users, total: Number(counted?.total ?? 0) };
}

function anyOf<Field extends string>(
  filter: readonly (readonly Condition<Field>[])[] | null,
  toCondition: (condition: Condition<Field>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (filter === null) return ANY;
  const alternatives = filter.map((all) =>
    all.length === 0 ? ANY : sql`(${sql.join(all.map(toCondition), sql` AND `)})`,
  );
  return sql`(${sql.join(alternatives, sql` OR `)})`;
}

function userCondition({ field, operator, value }: Condition<UserField>): RawBuilder<unknown> {
  if (field !== 'active') return compareColumn(USER_COLUMNS[field], operator, value);
  if (operator === 'pr') return ANY;
  return sql`(disabled_at IS NULL) = ${operator === 'eq' ? value === true : value !== true}`;
}

function compareColumn(
  column: RawBuilder<unknown>,
  operator: Condition<string>['operator'],
  value: string | boolean | null,
): RawBuilder<unknown> {
  const text = String(value);
  switch (operator) {
    case 'pr':
      return sql`${column} IS NOT NULL`;
    case 'eq':
      return sql`${column} = ${text}`;
    case 'ne':
      return sql`${column} IS DISTINCT FROM ${text}`;
    case 'sw':
      return sql`starts_with(${column}, ${text})`;
    case 'ew':
      return sql`right(${column}, ${text.length}) = ${text}`;
    case 'co':
      return sql`strpos(${column}, ${text}) > 0`;
  }
}

/** Returns a user whom the directory can see; null if there is none. */
export function selectScimUser(
  db: Db,
  tenantId: string,
  userId: string,
): Promise<ScimUserRow | null> {
  return row(
    db,
    sql<ScimUserRow>`
      SELECT ${COLUMNS} FROM members
      WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND ${VISIBLE}`,
  );
}

/** Returns the users with these ids, or with these folded addresses, whom the directory can see. */
export function selectUsersAmong(
  db: Db,
  tenantId: string,
  by: { ids: readonly string[] } | { emails: readonly string[] },
): Promise<Pick<ScimUserRow, 'user_id' | 'email' | 'email_folded'>[]> {
  const among =
    'ids' in by
      ? sql`user_id = ANY (${[...by.ids]}::uuid[])`
      : sql`email_folded = ANY (${[...by.emails]}::text[])`;
  return rows(
    db,
    sql<Pick<ScimUserRow, 'user_id' | 'email' | 'email_folded'>>`
      SELECT user_id, email, email_folded FROM members
      WHERE tenant_id = ${tenantId} AND ${among} AND ${VISIBLE} ORDER BY email_folded`,
  );
}

/** Returns users with this user name or address, also deleted users, locked until the transaction ends. */
export function selectNamesakes(
  db: Db,
  tenantId: string,
  names: { userName: string; email: string },
): Promise<ScimUserRow[]> {
  return rows(
    db,
    sql<ScimUserRow>`
      SELECT ${COLUMNS} FROM members
      WHERE tenant_id = ${tenantId}
        AND (email_folded = ${names.email}
          OR coalesce(user_name_folded, email_folded) = ${names.userName})
      ORDER BY user_id FOR UPDATE`,
  );
}

/** The values of a member's row that a directory sets; folded names beside the others. */
export interface ScimUserValues {
  email: string;
  emailFolded: string;
  userName: string;
  userNameFolded: string;
  role: Role;
  externalId: string | null;
  profile: Profile;
  isActive: boolean;
}

/** Stores a user. Returns null if the name or the address is taken. */
export function insertScimUser(
  tx: Tx,
  tenantId: string,
  userId: string,
  values: ScimUserValues,
): Promise<ScimUserRow | null> {
  return row(
    tx,
    sql<ScimUserRow>`
      INSERT INTO members (tenant_id, user_id, email, email_folded, role, user_name,
        user_name_folded, external_id, profile, disabled_at)
      VALUES (${tenantId}, ${userId}, ${values.email}, ${values.emailFolded}, ${values.role},
        ${values.userName}, ${values.userNameFolded}, ${values.externalId},
        ${JSON.stringify(values.profile)}::jsonb, CASE WHEN NOT ${values.isActive}::boolean THEN now() END)
      ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
  );
}

/** Updates a user. Returns null if another writer was faster. */
export function updateScimUser(
  tx: Tx,
  tenantId: string,
  before: Pick<ScimUserRow, 'user_id' | 'version'>,
  values: ScimUserValues,
): Promise<ScimUserRow | null> {
  return row(
    tx,
    sql<ScimUserRow>`
      UPDATE members SET email = ${values.email}, email_folded = ${values.emailFolded}, role = ${values.role}, given_role = NULL,
        user_name = ${values.userName}, user_name_folded = ${values.userNameFolded},
        external_id = ${values.externalId}, profile = ${JSON.stringify(values.profile)}::jsonb,
        disabled_at = CASE WHEN NOT ${values.isActive}::boolean THEN coalesce(disabled_at, now()) END,
        access_valid_from = CASE WHEN ${values.isActive}::boolean THEN access_valid_from ELSE now() END,
        accepted_at = CASE WHEN email_folded = ${values.emailFolded} THEN accepted_at END,
        deprovisioned_at = NULL, version = version + 1,
        is_searchable = is_searchable AND email_folded = ${values.emailFolded}
      WHERE tenant_id = ${tenantId} AND user_id = ${before.user_id}
        AND version = ${before.version} RETURNING ${COLUMNS}`,
  );
}

/** Disables a user and deletes the directory's values. Returns null if another writer was faster. */
export function deprovision(
  tx: Tx,
  tenantId: string,
  before: Pick<ScimUserRow, 'user_id' | 'version'>,
): Promise<ScimUserRow | null> {
  return row(
    tx,
    sql<ScimUserRow>`
      UPDATE members SET disabled_at = coalesce(disabled_at, now()), deprovisioned_at = now(),
        access_valid_from = now(),
        user_name = NULL, user_name_folded = NULL, external_id = NULL, profile = NULL,
        version = version + 1
      WHERE tenant_id = ${tenantId} AND user_id = ${before.user_id}
        AND version = ${before.version} RETURNING ${COLUMNS}`,
  );
}

type GroupField = 'id' | 'displayName' | 'externalId';
const GROUP_COLUMNS: Record<GroupField, RawBuilder<unknown>> = {
  id: sql`group_id::text`,
  displayName: sql`name_folded`,
  externalId: sql`external_id`,
};

export interface ScimGroupRow {
  group_id: string;
  name: string;
  external_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Returns a page of groups and their number. */
export async function selectScimGroups(
  db: Db,
  tenantId: string,
  filter: readonly (readonly Condition<GroupField>[])[] | null,
  page: { offset: number; limit: number },
): Promise<{ groups: ScimGroupRow[]; total: number }> {
  const toCondition = ({ field, operator, value }: Condition<GroupField>) =>
    compareColumn(GROUP_COLUMNS[field], operator, value);
  const where = sql`tenant_id = ${tenantId} AND ${anyOf(filter, toCondition)}`;
  const [groups, counted] = await Promise.all([
    rows(
      db,
      sql<ScimGroupRow>`
        SELECT group_id, name, external_id, version, created_at, updated_at FROM people_groups
        WHERE ${where} ORDER BY name_folded, group_id OFFSET ${page.offset} LIMIT ${page.limit}`,
    ),
    row(db, sql<{ total: string }>`SELECT count(*) AS total FROM people_groups WHERE ${where}`),
  ]);
  return { groups, total: Number(counted?.total ?? 0) };
}

/** Returns the groups of people, by their folded addresses. */
export function selectGroupsOf(
  db: Db,
  tenantId: string,
  emails: readonly string[],
): Promise<{ email_folded: string; group_id: string; name: string }[]> {
  return rows(
    db,
    sql<{ email_folded: string; group_id: string; name: string }>`
      SELECT m.email_folded, g.group_id, g.name
      FROM people_group_members m
      JOIN people_groups g ON g.tenant_id = m.tenant_id AND g.group_id = m.group_id
      WHERE m.tenant_id = ${tenantId} AND m.email_folded = ANY (${[...emails]}::text[])
      ORDER BY g.name_folded, g.group_id`,
  );
}
