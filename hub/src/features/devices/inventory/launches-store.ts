// SQL of what a product is on the devices that have it: its files, how it is launched, what it may do. Over all of them.
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import { foldedText } from '../../../platform/db/name-folding.ts';

export interface LaunchRecord {
  launch: unknown;
  devices: number;
  key: string;
  /** How many different ones there are from here on. */
  total: number;
}

/** Returns distinct launches as the console shows them, the most common first. */
export function selectLaunches(
  db: Db,
  tenantId: string,
  entityId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<LaunchRecord[]> {
  return rows(
    db,
    sql<LaunchRecord>`
      SELECT launch, devices, key, (count(*) OVER ())::integer AS total FROM (
        SELECT launch, md5(launch::text) AS key, sum(devices)::integer AS devices
        FROM (SELECT DISTINCT nr, devices, jsonb_build_object('client', c -> 'client',
              'scope', c -> 'scope', 'transport', c -> 'transport', 'command', c -> 'command',
              'url', c -> 'url', 'args', coalesce(c -> 'args', '[]'),
              'env', coalesce(c -> 'env', '[]'), 'headers', coalesce(c -> 'headers', '[]'),
              'disabled', coalesce(c -> 'disabled' = 'true', false),
              'unpinned', coalesce(c -> 'unpinned' = 'true', false)) AS launch
            -- Most devices report the same, so equal reports are counted before they are taken apart.
            FROM (SELECT details -> 'configured' AS configured, count(*) AS devices,
                row_number() OVER () AS nr
              FROM entities
              WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
                AND removed_at IS NULL AND jsonb_typeof(details -> 'configured') = 'array'
              GROUP BY details -> 'configured') reported
            CROSS JOIN LATERAL jsonb_array_elements(reported.configured) c) launches
        GROUP BY launch) counted
      WHERE ${after === undefined ? ANY : sql`(devices < ${after[0]}::integer OR (devices = ${after[0]}::integer AND key > ${after[1]}))`}
      ORDER BY devices DESC, key LIMIT ${limit}`,
  );
}

/** Condition on an entity: its command, an argument or its address matches. */
export const isLaunchedBy = (pattern: string) => sql`(
  jsonb_typeof(details -> 'configured') = 'array' AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(details -> 'configured') c
    WHERE ${foldedText(sql`(c ->> 'command')`)} LIKE ${pattern} OR ${foldedText(sql`(c ->> 'url')`)} LIKE ${pattern}
      OR EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(
          CASE WHEN jsonb_typeof(c -> 'args') = 'array' THEN c -> 'args' ELSE '[]' END) arg
        WHERE ${foldedText(sql`arg`)} LIKE ${pattern})))`;

export interface ExecutableRecord {
  path: string;
  devices: number;
  /** How many different ones there are from here on. */
  total: number;
}

/** Each path once; those that most devices have come first. */
export function selectExecutables(
  db: Db,
  tenantId: string,
  entityId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ExecutableRecord[]> {
  return rows(
    db,
    sql<ExecutableRecord>`
      SELECT path, devices, (count(*) OVER ())::integer AS total FROM (
        SELECT path, sum(devices)::integer AS devices
        FROM (SELECT executables, count(*) AS devices FROM entities
            WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
              AND removed_at IS NULL
            GROUP BY executables) reported
          CROSS JOIN LATERAL (SELECT DISTINCT p COLLATE "C" AS path
            FROM jsonb_array_elements_text(reported.executables) p) each
        GROUP BY path) counted
      WHERE ${after === undefined ? ANY : sql`(devices < ${after[0]}::integer OR (devices = ${after[0]}::integer AND path > ${after[1]}))`}
      ORDER BY devices DESC, path LIMIT ${limit}`,
  );
}

/** All that it may do on any device, in order. */
export async function selectPermissions(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ permission: string }>`
      SELECT DISTINCT p #>> '{}' COLLATE "C" AS permission
      -- Most devices report the same, which is taken apart once.
      FROM (SELECT instances FROM entities
          WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
            AND removed_at IS NULL
          GROUP BY instances) reported
        CROSS JOIN LATERAL
          jsonb_path_query(reported.instances, '$[*].permissions[*] ? (@.type() == "string")') p
      ORDER BY permission`,
  );
  return records.map((item) => item.permission);
}
