// SQL of user groups.
import type { GroupRole } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface GroupRow {
  group_id: string;
  name: string;
  name_folded: string;
  description: string;
  /** The id of the group in the directory that provisions it. */
  external_id: string | null;
  /** The role that each member has at least; null for none. */
  role: GroupRole | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The values of a group that a caller sets. */
export type GroupValues = Pick<
  GroupRow,
  'name' | 'name_folded' | 'description' | 'external_id' | 'role'
>;

const COLUMNS = sql`
  group_id, name, name_folded, description, external_id, role, version, created_at, updated_at`;

/** Stores a group. Returns null if the name is taken. */
export function insertGroup(
  tx: Tx,
  tenantId: string,
  group: GroupValues & Pick<GroupRow, 'group_id'>,
): Promise<GroupRow | null> {
  return row(
    tx,
    sql<GroupRow>`
      INSERT INTO people_groups (tenant_id, group_id, name, name_folded, description, external_id, role)
      VALUES (${tenantId}, ${group.group_id}, ${group.name}, ${group.name_folded}, ${group.description},
        ${group.external_id}, ${group.role})
      ON CONFLICT (tenant_id, name_folded) DO NOTHING RETURNING ${COLUMNS}`,
  );
}

/** Returns a group of the tenant; null if there is none. */
export function selectGroup(db: Db, tenantId: string, groupId: string): Promise<GroupRow | null> {
  return row(
    db,
    sql<GroupRow>`
      SELECT ${COLUMNS} FROM people_groups WHERE tenant_id = ${tenantId} AND group_id = ${groupId}`,
  );
}

/** Returns the group, locked against other writers until the transaction ends; null if there is none. */
export function lockGroup(tx: Tx, tenantId: string, groupId: string): Promise<GroupRow | null> {
  return row(
    tx,
    sql<GroupRow>`
      SELECT ${COLUMNS} FROM people_groups
      WHERE tenant_id = ${tenantId} AND group_id = ${groupId} FOR UPDATE`,
  );
}

/** Returns whether a group other than `but` has this folded name. */
export async function isNameTaken(
  tx: Tx,
  tenantId: string,
  nameFolded: string,
  but: string,
): Promise<boolean> {
  const namesake = await row(
    tx,
    sql`
      SELECT 1 FROM people_groups
      WHERE tenant_id = ${tenantId} AND name_folded = ${nameFolded} AND group_id <> ${but}`,
  );
  return namesake !== null;
}

/** Updates a group. Returns null if another writer was faster. */
export function updateGroup(
  tx: Tx,
  tenantId: string,
  before: GroupRow,
  after: GroupValues,
): Promise<GroupRow | null> {
  return row(
    tx,
    sql<GroupRow>`
      UPDATE people_groups SET name = ${after.name}, name_folded = ${after.name_folded},
        description = ${after.description}, external_id = ${after.external_id}, role = ${after.role},
        version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND group_id = ${before.group_id}
        AND version = ${before.version} RETURNING ${COLUMNS}`,
  );
}

/** Makes these folded addresses the members of the group, and no others. */
export async function replaceMembers(
  tx: Tx,
  tenantId: string,
  groupId: string,
  emails: readonly string[],
): Promise<void> {
  await sql`
    DELETE FROM people_group_members
    WHERE tenant_id = ${tenantId} AND group_id = ${groupId}
      AND NOT email_folded = ANY (${[...emails]}::text[])`.execute(tx);
  await sql`
    INSERT INTO people_group_members (tenant_id, group_id, email_folded)
    SELECT ${tenantId}::uuid, ${groupId}::uuid, email FROM unnest(${[...emails]}::text[]) AS email
    ON CONFLICT (tenant_id, group_id, email_folded) DO NOTHING`.execute(tx);
}

/** Deletes a group with its members. Returns null if another writer was faster. */
export async function deleteGroup(
  tx: Tx,
  tenantId: string,
  before: GroupRow,
): Promise<GroupRow | null> {
  const deleted = await row(
    tx,
    sql<GroupRow>`
      DELETE FROM people_groups WHERE tenant_id = ${tenantId} AND group_id = ${before.group_id}
        AND version = ${before.version} RETURNING ${COLUMNS}`,
  );
  if (deleted !== null) await replaceMembers(tx, tenantId, before.group_id, []);
  return deleted;
}

/** Returns the first groups by name, with the number of their members. */
export function selectGroupSizes(
  db: Db,
  tenantId: string,
  limit: number,
): Promise<{ group_id: string; name: string; member_count: number }[]> {
  return rows(
    db,
    sql<{ group_id: string; name: string; member_count: number }>`
      SELECT g.group_id, g.name, (
        SELECT count(*)::integer FROM people_group_members m
        WHERE m.tenant_id = g.tenant_id AND m.group_id = g.group_id) AS member_count
      FROM people_groups g WHERE g.tenant_id = ${tenantId}
      ORDER BY g.name_folded, g.group_id LIMIT ${limit}`,
  );
}

/** Returns a page of groups, by name. `after`: folded name and id of the last group of the previous page. */
export function selectGroups(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<GroupRow[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(name_folded, group_id) > (${after[0]}, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<GroupRow>`
      SELECT ${COLUMNS} FROM people_groups WHERE tenant_id = ${tenantId} AND ${beyond}
      ORDER BY name_folded, group_id LIMIT ${limit}`,
  );
}

/** Returns the names of the groups of each member of the tenant. */
export function selectNamesByMember(
  db: Db,
  tenantId: string,
): Promise<{ email_folded: string; names: string[] }[]> {
  return rows(
    db,
    sql<{ email_folded: string; names: string[] }>`
      SELECT m.email_folded, array_agg(g.name) AS names
      FROM people_group_members m
      JOIN people_groups g ON g.tenant_id = m.tenant_id AND g.group_id = m.group_id
      WHERE m.tenant_id = ${tenantId} AND g.tenant_id = ${tenantId}
      GROUP BY m.email_folded`,
  );
}

/** Returns the groups that this folded e-mail address is in, by name. */
export function selectGroupsOfMember(
  db: Db,
  tenantId: string,
  emailFolded: string,
): Promise<{ people_group_id: string; name: string }[]> {
  return rows(
    db,
    sql<{ people_group_id: string; name: string }>`
      SELECT g.group_id AS people_group_id, g.name
      FROM people_group_members m
      JOIN people_groups g ON g.tenant_id = m.tenant_id AND g.group_id = m.group_id
      WHERE m.tenant_id = ${tenantId} AND m.email_folded = ${emailFolded}
      ORDER BY g.name_folded, g.group_id`,
  );
}

/** Returns the members of these groups. */
export function selectMembersOf(
  db: Db,
  tenantId: string,
  groupIds: readonly string[],
): Promise<{ group_id: string; email_folded: string }[]> {
  return rows(
    db,
    sql<{ group_id: string; email_folded: string }>`
      SELECT group_id, email_folded FROM people_group_members
      WHERE tenant_id = ${tenantId} AND group_id = ANY (${[...groupIds]}::uuid[])
      ORDER BY group_id, email_folded`,
  );
}

/**
 * Raises the version of the groups that a person is in, and returns their ids. A writer that read such a group before
 * cannot overwrite what the caller changes about the person.
 */
async function touchGroupsOf(tx: Tx, tenantId: string, emailFolded: string): Promise<string[]> {
  const groups = await rows(
    tx,
    sql<{ group_id: string }>`
      SELECT group_id FROM people_groups
      WHERE tenant_id = ${tenantId} AND group_id IN (
        SELECT group_id FROM people_group_members
        WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded})
      ORDER BY group_id FOR UPDATE`,
  );
  const ids = groups.map((group) => group.group_id);
  if (ids.length > 0) {
    await sql`
      UPDATE people_groups SET version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND group_id = ANY (${ids}::uuid[])`.execute(tx);
  }
  return ids;
}

/** Replaces the address of a person in all groups. Returns the ids of the groups that the person is in. */
export async function renameMember(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
  toFolded: string,
): Promise<string[]> {
  const groups = await touchGroupsOf(tx, tenantId, emailFolded);
  await sql`
    INSERT INTO people_group_members (tenant_id, group_id, email_folded)
    SELECT tenant_id, group_id, ${toFolded}::text FROM people_group_members
    WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}
    ON CONFLICT (tenant_id, group_id, email_folded) DO NOTHING`.execute(tx);
  await deleteMember(tx, tenantId, emailFolded);
  return groups;
}

/** Removes a person from all groups. Returns the ids of the groups that the person was in. */
export async function removeFromGroups(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<string[]> {
  const groups = await touchGroupsOf(tx, tenantId, emailFolded);
  await deleteMember(tx, tenantId, emailFolded);
  return groups;
}

async function deleteMember(tx: Tx, tenantId: string, emailFolded: string): Promise<void> {
  await sql`
    DELETE FROM people_group_members
    WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}`.execute(tx);
}
