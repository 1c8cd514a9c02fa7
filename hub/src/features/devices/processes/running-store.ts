// All SQL of what runs on devices now.
import { foldName } from '@gatewarden/shared/names.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import { mayFoldTo } from '../../../platform/db/name-folding.ts';
import { deleteSearchGrams } from '../../../platform/db/search-index.ts';

/** Replaces a device's picture; what stays as it was is not written. */
export async function replaceRunning(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  processes: readonly RunningProcess[],
): Promise<void> {
  const ids = processes.map((process) => Buffer.from(process.process_id, 'hex'));
  await sql`
    DELETE FROM running_processes WHERE tenant_id = ${key.tenantId} AND device_id = ${key.deviceId}
      AND process_id <> ALL (${ids}::bytea[])`.execute(tx);
  const records = processes.map((process) => ({
    ...process,
    name_folded: foldName(process.name),
    application_name: process.application_name ?? null,
    guard_rail: process.guard_rail ?? null,
  }));
  await sql`
    INSERT INTO running_processes AS p
      (tenant_id, device_id, process_id, name, name_folded, executable_path, application_name,
       entity_ids, count, guard_rail, since)
    SELECT ${key.tenantId}::uuid, ${key.deviceId}::uuid, decode(r.process_id, 'hex'), r.name,
      r.name_folded, r.executable_path, r.application_name,
      ARRAY(SELECT json_array_elements_text(r.entity_ids)), r.count, r.guard_rail, now()
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(process_id text, name text,
      name_folded text, executable_path text, application_name text, entity_ids json,
      count integer, guard_rail text)
    ORDER BY r.process_id
    ON CONFLICT (tenant_id, device_id, process_id) DO UPDATE SET
      application_name = excluded.application_name, entity_ids = excluded.entity_ids,
      count = excluded.count, guard_rail = excluded.guard_rail
    WHERE (p.application_name, p.entity_ids, p.count, p.guard_rail)
      IS DISTINCT FROM (excluded.application_name, excluded.entity_ids, excluded.count,
        excluded.guard_rail)`.execute(tx);
  await sql`
    INSERT INTO running_reports (tenant_id, device_id, at)
    VALUES (${key.tenantId}, ${key.deviceId}, now())
    ON CONFLICT (tenant_id, device_id) DO UPDATE SET at = excluded.at`.execute(tx);
}

export interface RunningRecord {
  device_id: string;
  process_id: string;
  name: string;
  executable_path: string;
  application_name: string | null;
  entity_ids: string[];
  count: number;
  guard_rail: string | null;
  /** The value that the device reported with its unknown processes. */
  sha256: string | null;
}

/** A filter of processes: owned by any of these entities, with any of these (folded) names, or a single file. */
export type MeantProcesses =
  | { entityIds: readonly string[]; names: readonly string[] }
  | { sha256: string };

/** What runs and may be meant, a page in the order of the key; `meant` null: everything, `among` null: on all devices. */
export function selectRunning(
  db: Db,
  tenantId: string,
  { meant, among }: { meant: MeantProcesses | null; among: readonly string[] | null },
  after: Pick<RunningRecord, 'device_id' | 'process_id'> | undefined,
  limit: number,
): Promise<RunningRecord[]> {
  return rows(
    db,
    sql<RunningRecord>`
      SELECT p.device_id, encode(p.process_id, 'hex') AS process_id, p.name, p.executable_path,
        p.application_name, p.entity_ids, p.count, p.guard_rail, s.sha256
      FROM running_processes p ${sightingOf}
      WHERE p.tenant_id = ${tenantId}
        AND ${among === null ? ANY : sql`p.device_id = ANY (${among}::uuid[])`}
        AND ${meant === null ? ANY : isMeant(meant)}
        AND ${after === undefined ? ANY : sql`(p.device_id, p.process_id) > (${after.device_id}::uuid, decode(${after.process_id}, 'hex'))`}
      ORDER BY p.device_id, p.process_id LIMIT ${limit}`,
  );
}

export interface DeviceProcessRecord extends Omit<RunningRecord, 'device_id' | 'sha256'> {
  since: Date;
  name_folded: string;
}

/** Returns the running programs of a device, by name. */
export function selectProcessesOf(
  db: Db,
  tenantId: string,
  deviceId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<DeviceProcessRecord[]> {
  return rows(
    db,
    sql<DeviceProcessRecord>`
      SELECT encode(process_id, 'hex') AS process_id, name, name_folded, executable_path,
        application_name, entity_ids, count, guard_rail, since
      FROM running_processes
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND ${after === undefined ? ANY : sql`(name_folded, process_id) > (${after[0]}, decode(${after[1]}, 'hex'))`}
      ORDER BY name_folded, process_id LIMIT ${limit}`,
  );
}

/** The time of the device's last report of running programs; null without a report. */
export async function selectReportedAt(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<Date | null> {
  const record = await row(
    db,
    sql<{ at: Date }>`
      SELECT at FROM running_reports WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
  return record?.at ?? null;
}

const sightingOf = sql`
  LEFT JOIN unknown_process_sightings s ON s.tenant_id = p.tenant_id
    AND s.device_id = p.device_id AND s.process_id = p.process_id`;

/** A name with other letters than ASCII's is left to who folds it as agents do. */
function isMeant(meant: MeantProcesses) {
  if ('sha256' in meant) return sql`s.sha256 = ${meant.sha256}`;
  return sql`(p.entity_ids && ${meant.entityIds}::text[] OR p.name_folded = ANY (${meant.names}::text[])
    OR ${mayFoldTo(sql`p.application_name`, meant.names)})`;
}

/** How many programs run whose file nobody has hashed. */
export async function countUnhashed(
  db: Db,
  tenantId: string,
  among: readonly string[] | null,
): Promise<number> {
  const record = await row(
    db,
    sql<{ programs: number }>`
      SELECT count(*) AS programs FROM running_processes p ${sightingOf}
      WHERE p.tenant_id = ${tenantId} AND s.sha256 IS NULL
        AND ${among === null ? ANY : sql`p.device_id = ANY (${among}::uuid[])`}`,
  );
  return record?.programs ?? 0;
}

/** Devices that have reported running programs, with the time of the report. */
export async function selectRunningReports(db: Db, tenantId: string): Promise<Map<string, Date>> {
  const records = await rows(
    db,
    sql<{ device_id: string; at: Date }>`
      SELECT device_id, at FROM running_reports WHERE tenant_id = ${tenantId}`,
  );
  return new Map(records.map((record) => [record.device_id, record.at]));
}

/** Locks the unknown processes that these devices reported, in the order in which devices lock them. */
export async function lockUnknownOf(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<void> {
  await sql`
    SELECT 1 FROM unknown_processes WHERE tenant_id = ${tenantId} AND process_id IN (
      SELECT process_id FROM unknown_process_sightings
      WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[]))
    ORDER BY process_id FOR UPDATE`.execute(tx);
}

/** Deletes a device's reports of processes, and subtracts the device from the counts. */
export async function forgetProcesses(tx: Tx, tenantId: string, deviceId: string): Promise<void> {
  await lockUnknownOf(tx, tenantId, [deviceId]);
  await sql`
    WITH gone AS (
      DELETE FROM unknown_process_sightings
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} RETURNING process_id)
    UPDATE unknown_processes u SET device_count = u.device_count - 1
    FROM gone WHERE u.tenant_id = ${tenantId} AND u.process_id = gone.process_id`.execute(tx);
  await sql`
    WITH gone AS (
      DELETE FROM unknown_processes WHERE tenant_id = ${tenantId} AND device_count <= 0
      RETURNING process_id)
    ${deleteSearchGrams('unknown_processes', tenantId, sql`SELECT process_id FROM gone`)}`.execute(
    tx,
  );
  await sql`
    DELETE FROM running_processes
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  await sql`
    DELETE FROM running_reports
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}
