// SQL of what a mapping may cover: fetched by a pattern that finds at least all that the rule finds.
import { foldName } from '@gatewarden/shared/names.ts';
import type { ProcessMappingPreviewInput } from '@gatewarden/shared/wire/console/processes.ts';
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import type { KnownProcess } from './mapping-preview.ts';

export function selectUnknownLike(
  db: Db,
  tenantId: string,
  of: ProcessMappingPreviewInput,
  limit: number,
): Promise<KnownProcess[]> {
  return rows(
    db,
    sql<KnownProcess>`
      SELECT name, executable_path, platform, device_count AS devices FROM unknown_processes
      WHERE tenant_id = ${tenantId} AND NOT mapped AND name_folded LIKE ${likeOf(of)}
        AND ${onPlatform(of)}
      ORDER BY device_count DESC, name_folded, process_id LIMIT ${limit}`,
  );
}

export function selectRunningLike(
  db: Db,
  tenantId: string,
  of: ProcessMappingPreviewInput,
  limit: number,
): Promise<KnownProcess[]> {
  return rows(
    db,
    sql<KnownProcess>`
      SELECT min(r.name) AS name, r.executable_path, d.platform,
        count(DISTINCT r.device_id) AS devices
      FROM running_processes r
      JOIN devices d ON d.tenant_id = r.tenant_id AND d.device_id = r.device_id
      WHERE r.tenant_id = ${tenantId} AND d.retired_at IS NULL
        AND r.name_folded LIKE ${likeOf(of)} AND ${onPlatform(of)}
      GROUP BY r.name_folded, r.executable_path, d.platform
      ORDER BY count(DISTINCT r.device_id) DESC, r.name_folded, r.executable_path LIMIT ${limit}`,
  );
}

const onPlatform = ({ platform }: ProcessMappingPreviewInput) =>
  platform === undefined || platform === null ? ANY : sql<boolean>`platform = ${platform}`;

/** `*` and `?` as LIKE writes them; everything else is itself. */
function likeOf({ process_name, match }: ProcessMappingPreviewInput): string {
  const literal = foldName(process_name).replace(/[\\%_]/g, (char) => `\\${char}`);
  return match === 'exact' ? literal : literal.replaceAll('*', '%').replaceAll('?', '_');
}
