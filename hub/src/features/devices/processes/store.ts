// All SQL of unknown processes and the process map.

import { foldName } from '@gatewarden/shared/names.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { UnknownProcess } from '@gatewarden/shared/wire/sync/unknown-processes.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, containsPattern } from '../../../platform/db/list-conditions.ts';
import { foldedName, foldedText, foldPiece } from '../../../platform/db/name-folding.ts';
import {
  PENDING_BY_FLAG,
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';

export interface ReportedProcess extends UnknownProcess {
  mapped: boolean;
}

/** Groups the processes that a device reports with those of other devices. */
export async function writeUnknownProcesses(
  tx: Tx,
  key: { tenantId: string; deviceId: string; platform: string },
  processes: readonly ReportedProcess[],
): Promise<void> {
  const records = JSON.stringify(
    [...processes]
      .sort((a, b) => (a.process_id < b.process_id ? -1 : 1))
      .map((process) => ({ ...process, name_folded: foldName(process.name) })),
  );
  await sql`
    WITH sent AS (
      SELECT decode(r.process_id, 'hex') AS process_id, r.name, r.name_folded, r.executable_path,
        r.publisher, r.sha256, r.first_seen_at, r.count, r.mapped
      FROM json_to_recordset(${records}::json) AS r(process_id text, name text, name_folded text,
        executable_path text, publisher text, sha256 text, first_seen_at timestamptz, count bigint,
        mapped boolean)
    ), sighted AS (
      INSERT INTO unknown_process_sightings AS s
        (tenant_id, process_id, device_id, count, first_seen_at, last_seen_at, sha256)
      SELECT ${key.tenantId}::uuid, process_id, ${key.deviceId}::uuid, count, first_seen_at, now(),
        sha256
      FROM sent ORDER BY process_id
      ON CONFLICT (tenant_id, process_id, device_id) DO UPDATE SET
        count = s.count + excluded.count,
        first_seen_at = least(s.first_seen_at, excluded.first_seen_at),
        last_seen_at = excluded.last_seen_at,
        sha256 = coalesce(excluded.sha256, s.sha256)
      RETURNING process_id, (xmax = 0) AS is_new
    )
    INSERT INTO unknown_processes AS u
      (tenant_id, process_id, name, name_folded, executable_path, platform, publisher, sha256,
       device_count, first_seen_at, last_seen_at, mapped)
    SELECT ${key.tenantId}::uuid, sent.process_id, name, name_folded, executable_path,
      ${key.platform}, publisher, sha256, (CASE WHEN sighted.is_new THEN 1 ELSE 0 END),
      first_seen_at, now(), mapped
    FROM sent JOIN sighted ON sighted.process_id = sent.process_id ORDER BY sent.process_id
    ON CONFLICT (tenant_id, process_id) DO UPDATE SET
      device_count = u.device_count + excluded.device_count,
      publisher = coalesce(excluded.publisher, u.publisher),
      sha256 = coalesce(excluded.sha256, u.sha256),
      first_seen_at = least(u.first_seen_at, excluded.first_seen_at),
      last_seen_at = excluded.last_seen_at, mapped = excluded.mapped`.execute(tx);
}

export interface UnknownProcessRecord {
  process_id: string;
  name: string;
  name_folded: string;
  executable_path: string;
  platform: Platform;
  publisher: string | null;
  sha256: string | null;
  device_count: number;
  first_seen_at: Date;
  last_seen_at: Date;
}

/** In order of the name, those that are not mapped; `query` is a piece of a name or of a path. */
export function selectUnknownProcesses(
  db: Db,
  tenantId: string,
  query: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<UnknownProcessRecord[]> {
  const piece = foldPiece(query ?? '');
  const pattern = query === undefined ? null : containsPattern(piece);
  const own = sql`u.tenant_id = ${tenantId} AND NOT u.mapped
    AND ${after === undefined ? ANY : sql`(u.name_folded, u.process_id) > (${after[0]}, decode(${after[1]}, 'hex'))`}`;
  const order = sql`u.name_folded, u.process_id`;
  const ask = (scope: SearchScope) =>
    rows(
      db,
      sql<UnknownProcessRecord>`
      SELECT encode(process_id, 'hex') AS process_id, name, name_folded, executable_path, platform,
        publisher, sha256, device_count, first_seen_at, last_seen_at
      FROM ${scopeRows(scope, SEARCHED_PROCESSES, { alias: 'u', own, order })} u
      WHERE ${own}
        AND ${pattern === null ? ANY : sql`(${foldedName(sql`name_folded`, pattern)} LIKE ${pattern} OR ${foldedText(sql`executable_path`)} LIKE ${pattern})`}
      ORDER BY ${order} LIMIT ${limit}`,
    );
  if (pattern === null) return ask({ in: 'all' });
  const search = { list: SEARCHED_PROCESSES, tenantId, pieces: [piece], limit };
  return searchPage(db, search, ask);
}

export const SEARCHED_PROCESSES: SearchedList = {
  table: 'unknown_processes',
  id: 'process_id',
  texts: [sql`replace(t.name_folded, 'ς', 'σ')`, foldedText(sql`t.executable_path`)],
  ...PENDING_BY_FLAG,
};

/** Returns the processes by name, mapped or not, to find those that a mapping covers. */
export function selectByMapped(
  db: Db,
  tenantId: string,
  mapped: boolean,
): Promise<{ process_id: string; name: string; platform: Platform }[]> {
  return rows(
    db,
    sql<{ process_id: string; name: string; platform: Platform }>`
      SELECT encode(process_id, 'hex') AS process_id, name, platform FROM unknown_processes
      WHERE tenant_id = ${tenantId} AND mapped = ${mapped}`,
  );
}

export async function markMapped(
  tx: Tx,
  tenantId: string,
  { ids, mapped }: { ids: readonly string[]; mapped: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE unknown_processes SET mapped = ${mapped}
    WHERE tenant_id = ${tenantId}
      AND process_id = ANY (${ids.map((id) => Buffer.from(id, 'hex'))})`.execute(tx);
}

export interface MappingRecord extends ProcessMapping {
  mapping_id: string;
  created_at: Date;
  created_by: string;
}

const MAPPING_COLUMNS = sql`
  mapping_id, process_name, nullif(platform, '') AS platform, match, application_name, entity_id,
  created_at, created_by`;

/** Null when the same name, platform and match are mapped already. */
export function insertMapping(
  tx: Tx,
  tenantId: string,
  mapping: MappingRecord,
): Promise<MappingRecord | null> {
  return row(
    tx,
    sql<MappingRecord>`
      INSERT INTO process_mappings
        (tenant_id, mapping_id, process_name, name_folded, platform, match, application_name,
         entity_id, created_at, created_by)
      VALUES (${tenantId}, ${mapping.mapping_id}, ${mapping.process_name},
        ${foldName(mapping.process_name)}, ${mapping.platform ?? ''}, ${mapping.match},
        ${mapping.application_name}, ${mapping.entity_id}, ${mapping.created_at},
        ${mapping.created_by})
      ON CONFLICT (tenant_id, name_folded, platform, match) DO NOTHING
      RETURNING ${MAPPING_COLUMNS}`,
  );
}

export function selectMapping(
  db: Db,
  tenantId: string,
  mappingId: string,
): Promise<MappingRecord | null> {
  return row(
    db,
    sql<MappingRecord>`
      SELECT ${MAPPING_COLUMNS} FROM process_mappings
      WHERE tenant_id = ${tenantId} AND mapping_id = ${mappingId}`,
  );
}

/** False where another withdrew it meanwhile. */
export async function deleteMapping(tx: Tx, tenantId: string, mappingId: string): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      DELETE FROM process_mappings
      WHERE tenant_id = ${tenantId} AND mapping_id = ${mappingId} RETURNING mapping_id`,
  );
  return record !== null;
}

/** Returns whether devices reported a process with exactly this name at such a path. */
const namesOneAt = (pattern: string) => sql`(match = 'exact' AND name_folded IN (
  SELECT u.name_folded FROM unknown_processes u
  WHERE u.tenant_id = process_mappings.tenant_id AND u.mapped
    AND ${foldedText(sql`u.executable_path`)} LIKE ${pattern}))`;

/** In order of the name; a search looks at both names, and at the paths of what is named. */
export function selectMappings(
  db: Db,
  tenantId: string,
  page?: { query: string | undefined; after: readonly string[] | undefined; limit: number },
): Promise<MappingRecord[]> {
  const after = page?.after;
  const pattern = page?.query === undefined ? null : containsPattern(foldPiece(page.query));
  return rows(
    db,
    sql<MappingRecord>`
      SELECT ${MAPPING_COLUMNS} FROM process_mappings
      WHERE tenant_id = ${tenantId}
        AND ${pattern === null ? ANY : sql`(${foldedName(sql`name_folded`, pattern)} LIKE ${pattern} OR ${foldedText(sql`application_name`)} LIKE ${pattern} OR ${namesOneAt(pattern)})`}
        AND ${after === undefined ? ANY : sql`(name_folded, mapping_id) > (${after[0]}, ${after[1]}::uuid)`}
      ORDER BY name_folded, mapping_id ${page === undefined ? sql`` : sql`LIMIT ${page.limit}`}`,
  );
}

export interface SightedProcess {
  device_id: string;
  process_id: string;
  name: string;
  executable_path: string | null;
  publisher: string | null;
  sha256: string | null;
}

/** Unknown processes that devices reported lately, for previews; a page in the order of the key. */
export function selectRecentSightings(
  db: Db,
  tenantId: string,
  { since, among }: { since: Date; among: readonly string[] | null },
  after: Pick<SightedProcess, 'device_id' | 'process_id'> | undefined,
  limit: number,
): Promise<SightedProcess[]> {
  return rows(
    db,
    sql<SightedProcess>`
      SELECT s.device_id, encode(s.process_id, 'hex') AS process_id, u.name, u.executable_path,
        u.publisher, s.sha256
      FROM unknown_process_sightings s
      JOIN unknown_processes u ON u.tenant_id = s.tenant_id AND u.process_id = s.process_id
      WHERE s.tenant_id = ${tenantId} AND s.last_seen_at > ${since}
        AND ${among === null ? ANY : sql`s.device_id = ANY (${among}::uuid[])`}
        AND ${after === undefined ? ANY : sql`(s.process_id, s.device_id) > (decode(${after.process_id}, 'hex'), ${after.device_id}::uuid)`}
      ORDER BY s.process_id, s.device_id LIMIT ${limit}`,
  );
}

/** Returns the files of these processes as devices reported them. */
export function selectHashes(
  db: Db,
  tenantId: string,
  processIds: readonly string[],
): Promise<{ device_id: string; process_id: string; sha256: string }[]> {
  return rows(
    db,
    sql<{ device_id: string; process_id: string; sha256: string }>`
      SELECT device_id, encode(process_id, 'hex') AS process_id, sha256
      FROM unknown_process_sightings
      WHERE tenant_id = ${tenantId} AND sha256 IS NOT NULL
        AND process_id = ANY (${processIds.map((id) => Buffer.from(id, 'hex'))})`,
  );
}

/** How many wait for a name, up to `most`. */
export async function countUnknown(db: Db, tenantId: string, most: number): Promise<number> {
  const record = await row(
    db,
    sql<{ count: number }>`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM unknown_processes WHERE tenant_id = ${tenantId} AND NOT mapped
        LIMIT ${most}) waiting`,
  );
  return record?.count ?? 0;
}
