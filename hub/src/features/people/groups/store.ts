// All SQL of groups of people.
import type { GroupRole } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface GroupRow {
  group_id: string;
  name: string;
  name_folded: string;
  description: string;
  /** As a directory calls it. */
  external_id: string | null;
  /** What who is in it has at least. */
  role: GroupRole | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** What its makers say of a group. */
export type GroupValues = Pick<
  GroupRow,
  'name' | 'name_folded' | 'description' | 'external_id' | 'role'
>;

const COLUMNS = sql`
  group_id, name, name_folded, description, external_id, role, version, created_at, updated_at`;

/** Null where the name is taken. */
export function insertGroup(
  tx: Tx,
  tenantId: string,
  one: GroupValues & Pick<GroupRow, 'group_id'>,
): Promise<GroupRow | null> {
  return row(
    tx,
    sql<GroupRow>`
      INSERT INTO people_groups (tenant_id, group_id, name, name_folded, description, external_id, role)
      VALUES (${tenantId}, ${one.group_id}, ${one.name}, ${one.name_folded}, ${one.description},
        ${one.external_id}, ${one.role})
      ON CONFLICT (tenant_id, name_folded) DO NOTHING RETURNING ${COLUMNS}`,
  );
}

export function selectGroup(db: Db, tenantId: string, groupId: string): Promise<GroupRow | null> {
  return row(
    db,
    sql<GroupRow>`
      SELECT ${COLUMNS} FROM people_groups WHERE tenant_id = ${tenantId} AND group_id = ${groupId}`,
  );
}

/** The same, for one who will write: nobody else writes to it until the transaction ends. */
export function lockGroup(tx: Tx, tenantId: string, groupId: string): Promise<GroupRow | null> {
  return row(
    tx,
    sql<GroupRow>`
      SELECT ${COLUMNS} FROM people_groups
      WHERE tenant_id = ${tenantId} AND group_id = ${groupId} FOR UPDATE`,
  );
}

export async function isNameTaken(
  tx: Tx,
  tenantId: string,
  nameFolded: string,
  but: string,
): Promise<boolean> {
  const found = await row(
    tx,
    sql`
      SELECT 1 FROM people_groups
      WHERE tenant_id = ${tenantId} AND name_folded = ${nameFolded} AND group_id <> ${but}`,
  );
  return found !== null;
}

/** Null where another writer was faster. */
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

/** Null where another writer was faster. */
export async function deleteGroup(
  tx: Tx,
  tenantId: string,
  before: GroupRow,
): Promise<GroupRow | null> {
  const gone = await row(
    tx,
    sql<GroupRow>`
      DELETE FROM people_groups WHERE tenant_id = ${tenantId} AND group_id = ${before.group_id}
        AND version = ${before.version} RETURNING ${COLUMNS}`,
  );
  if (gone !== null) await replaceMembers(tx, tenantId, before.group_id, []);
  return gone;
}

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

/** In which groups each person of the tenant is: the names of all of them. */
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

/** Who is in these groups. */
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
 * The groups that a person is in, each with a new version: whoever read them before does not write over what is done to
 * the person now.
 */
async function touchGroupsOf(tx: Tx, tenantId: string, emailFolded: string): Promise<string[]> {
  const held = await rows(
    tx,
    sql<{ group_id: string }>`
      SELECT group_id FROM people_groups
      WHERE tenant_id = ${tenantId} AND group_id IN (
        SELECT group_id FROM people_group_members
        WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded})
      ORDER BY group_id FOR UPDATE`,
  );
  const ids = held.map((one) => one.group_id);
  if (ids.length > 0) {
    await sql`
      UPDATE people_groups SET version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND group_id = ANY (${ids}::uuid[])`.execute(tx);
  }
  return ids;
}

/** A person has another address. Gives the groups that they are in. */
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

/** A person is in no group any more. Gives those that they were in. */
export async function takeOut(tx: Tx, tenantId: string, emailFolded: string): Promise<string[]> {
  const groups = await touchGroupsOf(tx, tenantId, emailFolded);
  await deleteMember(tx, tenantId, emailFolded);
  return groups;
}

async function deleteMember(tx: Tx, tenantId: string, emailFolded: string): Promise<void> {
  await sql`
    DELETE FROM people_group_members
    WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}`.execute(tx);
}
