// All SQL of what runs on devices now.
import { foldName } from '@gatewarden/shared/names.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/http/console.ts';

/** Replaces a device's picture; what stays as it was is not written. */
export async function replaceRunning(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  processes: readonly RunningProcess[],
): Promise<void> {
  const ids = processes.map((one) => Buffer.from(one.process_id, 'hex'));
  await sql`
    DELETE FROM running_processes WHERE tenant_id = ${key.tenantId} AND device_id = ${key.deviceId}
      AND process_id <> ALL (${ids}::bytea[])`.execute(tx);
  const records = processes.map((one) => ({
    ...one,
    name_folded: foldName(one.name),
    application_name: one.application_name ?? null,
    guard_rail: one.guard_rail ?? null,
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
  name: string;
  executable_path: string;
  application_name: string | null;
  entity_ids: string[];
  count: number;
  guard_rail: string | null;
}

/** What runs and may be meant: owned by one of these entities, or of one of these (folded) names; null: everything. */
export function selectRunning(
  db: Db,
  tenantId: string,
  meant: { entityIds: readonly string[]; names: readonly string[] } | null,
  limit: number,
): Promise<RunningRecord[]> {
  return rows(
    db,
    sql<RunningRecord>`
      SELECT device_id, name, executable_path, application_name, entity_ids, count, guard_rail
      FROM running_processes
      WHERE tenant_id = ${tenantId}
        AND ${
          meant === null
            ? ANY
            : sql`(entity_ids && ${meant.entityIds}::text[] OR name_folded = ANY (${meant.names}::text[])
                OR lower(application_name) = ANY (${meant.names}::text[]))`
        }
      LIMIT ${limit}`,
  );
}

/** Devices whose picture is known, with when it was told. */
export async function selectRunningReports(db: Db, tenantId: string): Promise<Map<string, Date>> {
  const found = await rows(
    db,
    sql<{ device_id: string; at: Date }>`
      SELECT device_id, at FROM running_reports WHERE tenant_id = ${tenantId}`,
  );
  return new Map(found.map((one) => [one.device_id, one.at]));
}

/** Takes away what a device told of its processes, and it out of the counts. */
export async function forgetProcesses(tx: Tx, tenantId: string, deviceId: string): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM unknown_process_sightings
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} RETURNING process_id)
    UPDATE unknown_processes u SET device_count = u.device_count - 1
    FROM gone WHERE u.tenant_id = ${tenantId} AND u.process_id = gone.process_id`.execute(tx);
  await sql`
    DELETE FROM unknown_processes WHERE tenant_id = ${tenantId} AND device_count <= 0`.execute(tx);
  await sql`
    DELETE FROM running_processes
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  await sql`
    DELETE FROM running_reports
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}
