// All SQL of membership queries: the fields that queries read, and the memberships that they created.
import type { GroupRule } from '@gatewarden/shared/wire/console/device-groups.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import type { DeviceFacts } from './membership-query.ts';

export interface RuledGroup {
  tenant_id: string;
  group_id: string;
  name: string;
  rule: GroupRule;
}

/** Returns the groups with a query of all tenants, in the order of tenants. */
export function selectRuledGroups(db: Db): Promise<RuledGroup[]> {
  return rows(
    db,
    sql<RuledGroup>`
      SELECT tenant_id, group_id, name, rule FROM device_groups WHERE rule IS NOT NULL
      ORDER BY tenant_id, group_id`,
  );
}

export interface DeviceRow extends Omit<DeviceFacts, 'people_group'> {
  device_id: string;
  platform: Platform;
}

/** Every device of the tenant that is not retired, by host name. */
export function selectDevices(db: Db, tenantId: string): Promise<DeviceRow[]> {
  return rows(
    db,
    sql<DeviceRow>`
      SELECT device_id, hostname, subscriber_id, platform, os_version, arch, agent_version
      FROM devices WHERE tenant_id = ${tenantId} AND retired_at IS NULL
      ORDER BY lower(hostname), device_id`,
  );
}

export async function selectMemberIds(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<Set<string>> {
  const records = await rows(
    db,
    sql<{ device_id: string }>`
      SELECT device_id FROM device_group_members
      WHERE tenant_id = ${tenantId} AND group_id = ${groupId}`,
  );
  return new Set(records.map((row) => row.device_id));
}

export interface MembersChange {
  groupId: string;
  revision: number;
  joined: readonly string[];
  left: readonly string[];
  by: string;
}

export async function writeMembers(
  tx: Tx,
  tenantId: string,
  { groupId, revision, joined, left, by }: MembersChange,
): Promise<void> {
  await sql`
    INSERT INTO device_group_members (tenant_id, group_id, device_id, revision, added_at, added_by)
    SELECT ${tenantId}::uuid, ${groupId}::uuid, device_id, ${revision}::bigint, now(), ${by}
    FROM unnest(${joined}::uuid[]) AS u(device_id)
    ON CONFLICT (tenant_id, group_id, device_id) DO NOTHING`.execute(tx);
  await sql`
    INSERT INTO device_group_departures (tenant_id, revision, group_id, device_id)
    SELECT tenant_id, ${revision}::bigint, group_id, device_id FROM device_group_members
    WHERE tenant_id = ${tenantId} AND group_id = ${groupId}
      AND device_id = ANY (${left}::uuid[])`.execute(tx);
  await sql`
    DELETE FROM device_group_members
    WHERE tenant_id = ${tenantId} AND group_id = ${groupId}
      AND device_id = ANY (${left}::uuid[])`.execute(tx);
}
