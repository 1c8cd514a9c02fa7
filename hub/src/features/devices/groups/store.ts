// All SQL of device groups and of who is in them. Joining and leaving carry the governance feed number of their
// transaction, so a device that follows the feed learns of them in commit order.

import type {
  DeviceGroup,
  GroupRule,
  NamedGroup,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, containsPattern } from '../../../platform/db/list-conditions.ts';

export interface GroupRecord extends Omit<DeviceGroup, 'version' | 'created_at' | 'updated_at'> {
  version: number;
  name_folded: string;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = sql`
  group_id, version, name, name_folded, description, rule, created_at, created_by, updated_at, updated_by`;

/** Without those that are retired, for which nothing holds. Only for reading: Citus takes no subquery in RETURNING. */
const DEVICE_COUNT = sql`
  (SELECT count(*)::integer FROM device_group_members m
   JOIN devices d ON d.tenant_id = m.tenant_id AND d.device_id = m.device_id
   WHERE m.tenant_id = device_groups.tenant_id AND m.group_id = device_groups.group_id
     AND d.retired_at IS NULL)
    AS device_count`;

const ruleText = (rule: GroupRule | null) => (rule === null ? null : JSON.stringify(rule));

export type NewGroup = Omit<GroupRecord, 'version' | 'device_count'>;

/** Null where the name is taken. */
export function insertGroup(
  tx: Tx,
  tenantId: string,
  group: NewGroup,
): Promise<GroupRecord | null> {
  return row(
    tx,
    sql<GroupRecord>`
      INSERT INTO device_groups
        (tenant_id, group_id, version, name, name_folded, description, rule, created_at, created_by,
         updated_at, updated_by)
      VALUES (${tenantId}, ${group.group_id}, 1, ${group.name}, ${group.name_folded},
        ${group.description}, ${ruleText(group.rule)}::jsonb, ${group.created_at}, ${group.created_by}, ${group.updated_at},
        ${group.updated_by})
      ON CONFLICT (tenant_id, name_folded) DO NOTHING RETURNING ${COLUMNS}, 0 AS device_count`,
  );
}

export function selectGroup(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<GroupRecord | null> {
  return row(
    db,
    sql<GroupRecord>`
      SELECT ${COLUMNS}, ${DEVICE_COUNT} FROM device_groups
      WHERE tenant_id = ${tenantId} AND group_id = ${groupId}`,
  );
}

/** The tenant's groups by rule, kept from other writers until the transaction ends. */
export function selectRules(tx: Tx, tenantId: string): Promise<GroupRecord[]> {
  return rows(
    tx,
    sql<GroupRecord>`
      SELECT ${COLUMNS}, 0 AS device_count FROM device_groups
      WHERE tenant_id = ${tenantId} AND rule IS NOT NULL ORDER BY group_id FOR UPDATE`,
  );
}

export async function isNameTaken(
  tx: Tx,
  tenantId: string,
  nameFolded: string,
  except: string,
): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      SELECT 1 FROM device_groups WHERE tenant_id = ${tenantId}
        AND name_folded = ${nameFolded} AND group_id <> ${except}`,
  );
  return record !== null;
}

/** Null where the version moved on meanwhile. */
export function updateGroup(
  tx: Tx,
  tenantId: string,
  before: Pick<GroupRecord, 'version' | 'device_count'>,
  after: NewGroup,
): Promise<GroupRecord | null> {
  return row(
    tx,
    sql<GroupRecord>`
      UPDATE device_groups SET version = version + 1, name = ${after.name},
        name_folded = ${after.name_folded}, description = ${after.description},
        rule = ${ruleText(after.rule)}::jsonb, updated_at = ${after.updated_at}, updated_by = ${after.updated_by}
      WHERE tenant_id = ${tenantId} AND group_id = ${after.group_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}, ${before.device_count}::integer AS device_count`,
  );
}

/** Deletes the group; its members leave it. False where the version moved on meanwhile. */
export async function deleteGroup(
  tx: Tx,
  tenantId: string,
  group: { group_id: string; version: number },
  revision: number,
): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      DELETE FROM device_groups WHERE tenant_id = ${tenantId} AND group_id = ${group.group_id}
        AND version = ${group.version} RETURNING 1`,
  );
  if (record === null) return false;
  await sql`
    INSERT INTO device_group_departures (tenant_id, revision, group_id, device_id)
    SELECT tenant_id, ${revision}::bigint, group_id, device_id FROM device_group_members
    WHERE tenant_id = ${tenantId} AND group_id = ${group.group_id}`.execute(tx);
  await sql`
    DELETE FROM device_group_members
    WHERE tenant_id = ${tenantId} AND group_id = ${group.group_id}`.execute(tx);
  return true;
}

export function selectGroups(
  db: Db,
  tenantId: string,
  query: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<GroupRecord[]> {
  return rows(
    db,
    sql<GroupRecord>`
      SELECT ${COLUMNS}, ${DEVICE_COUNT} FROM device_groups WHERE tenant_id = ${tenantId}
        AND ${query === undefined ? ANY : sql`name_folded LIKE ${containsPattern(query)}`}
        AND ${after === undefined ? ANY : sql`(name_folded, group_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY name_folded, group_id LIMIT ${limit}`,
  );
}

export interface GroupDeviceRecord {
  device_id: string;
  hostname: string;
  platform: Platform;
  subscriber_id: string;
  last_seen_at: Date;
  added_at: Date;
  added_by: string;
  sort_key: string;
}

export function selectGroupDevices(
  db: Db,
  tenantId: string,
  groupId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<GroupDeviceRecord[]> {
  return rows(
    db,
    sql<GroupDeviceRecord>`
      SELECT d.device_id, d.hostname, d.platform, d.subscriber_id, d.last_seen_at, m.added_at,
        m.added_by, lower(d.hostname) AS sort_key
      FROM device_group_members m
      JOIN devices d ON d.tenant_id = m.tenant_id AND d.device_id = m.device_id
      WHERE m.tenant_id = ${tenantId} AND m.group_id = ${groupId} AND d.retired_at IS NULL
        AND ${after === undefined ? ANY : sql`(lower(d.hostname), d.device_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY lower(d.hostname), d.device_id LIMIT ${limit}`,
  );
}

export async function isMember(
  db: Db,
  tenantId: string,
  groupId: string,
  deviceId: string,
): Promise<boolean> {
  const record = await row(
    db,
    sql`
      SELECT 1 FROM device_group_members
      WHERE tenant_id = ${tenantId} AND group_id = ${groupId} AND device_id = ${deviceId}`,
  );
  return record !== null;
}

/** False where it is in the group already. */
export async function insertMember(
  tx: Tx,
  tenantId: string,
  member: { groupId: string; deviceId: string; revision: number; by: string },
): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      INSERT INTO device_group_members
        (tenant_id, group_id, device_id, revision, added_at, added_by)
      VALUES (${tenantId}, ${member.groupId}, ${member.deviceId}, ${member.revision}, now(),
        ${member.by})
      ON CONFLICT (tenant_id, group_id, device_id) DO NOTHING RETURNING 1`,
  );
  return record !== null;
}

/** Takes the device out and remembers since when; false where it was not in the group. */
export async function deleteMember(
  tx: Tx,
  tenantId: string,
  member: { groupId: string; deviceId: string; revision: number },
): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      DELETE FROM device_group_members WHERE tenant_id = ${tenantId}
        AND group_id = ${member.groupId} AND device_id = ${member.deviceId} RETURNING 1`,
  );
  if (record === null) return false;
  await sql`
    INSERT INTO device_group_departures (tenant_id, revision, group_id, device_id)
    VALUES (${tenantId}, ${member.revision}, ${member.groupId}, ${member.deviceId})`.execute(tx);
  return true;
}

/** The groups that a device is in, by name. */
export function selectGroupsOf(db: Db, tenantId: string, deviceId: string): Promise<NamedGroup[]> {
  return rows(
    db,
    sql<NamedGroup>`
      SELECT g.group_id, g.name FROM device_group_members m
      JOIN device_groups g ON g.tenant_id = m.tenant_id AND g.group_id = m.group_id
      WHERE m.tenant_id = ${tenantId} AND m.device_id = ${deviceId}
      ORDER BY g.name_folded, g.group_id`,
  );
}

/** The ids of the groups that each of these devices is in. */
export async function selectMemberships(
  db: Db,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const records = await rows(
    db,
    sql<{ device_id: string; group_ids: string[] }>`
      SELECT device_id, array_agg(group_id)::text[] AS group_ids FROM device_group_members
      WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
      GROUP BY device_id`,
  );
  return new Map(records.map((record) => [record.device_id, record.group_ids]));
}

/** Returns the groups with these ids, by name; unknown ids are left out. */
export function selectNamedGroups(
  db: Db,
  tenantId: string,
  groupIds: readonly string[],
): Promise<NamedGroup[]> {
  return rows(
    db,
    sql<NamedGroup>`
      SELECT group_id, name FROM device_groups
      WHERE tenant_id = ${tenantId} AND group_id = ANY (${groupIds}::uuid[])
      ORDER BY name_folded, group_id`,
  );
}

/** Since `revision` the device is in the group, or, as a departure, no longer. */
export interface Membership {
  revision: number;
  group_id: string;
  device_id: string;
}

/** Returns the joins and leaves after a feed number, in order; snapshots apply them to their memberships. */
export async function selectMembershipChanges(
  db: Db,
  tenantId: string,
  after: number,
): Promise<{ joined: Membership[]; left: Membership[] }> {
  const joined = await rows(
    db,
    sql<Membership>`
      SELECT revision, group_id, device_id FROM device_group_members
      WHERE tenant_id = ${tenantId} AND revision > ${after} ORDER BY revision`,
  );
  const left = await rows(
    db,
    sql<Membership>`
      SELECT revision, group_id, device_id FROM device_group_departures
      WHERE tenant_id = ${tenantId} AND revision > ${after} ORDER BY revision`,
  );
  return { joined, left };
}

/** Of who left a group up to this feed number; who would have to hear of it starts again. */
export async function forgetGroupDepartures(tx: Tx, tenantId: string, upTo: number): Promise<void> {
  await sql`
    DELETE FROM device_group_departures
    WHERE tenant_id = ${tenantId} AND revision <= ${upTo}`.execute(tx);
}

/** SQL condition: the device of this column is in the group. For queries of other features over devices. */
export function inGroup(
  tenantId: string,
  groupId: string,
  deviceId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM device_group_members m WHERE m.tenant_id = ${tenantId}
      AND m.group_id = ${groupId}::uuid AND m.device_id = ${deviceId})`;
}
