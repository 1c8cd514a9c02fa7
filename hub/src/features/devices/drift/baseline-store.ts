// SQL of baselines (`launch_baselines`: a row for each fingerprint, and a row that a baseline exists) and of the launches that
// devices report.
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import type { DriftedEntity } from './drift-store.ts';
import type { ReportedLaunch } from './fingerprint.ts';

/** An app with launches or permissions on a device, to be compared with the baseline. */
export interface LaunchObservation {
  entity: DriftedEntity;
  /** Fingerprinted only for approved apps: a batch may contain very many others. */
  reported: ReportedLaunch;
  /** True for a launch or a permission that the device did not report before. */
  isChanged: boolean;
}

/** Returns those of the fingerprints that are stored, by entity id. Apps without a baseline are left out. */
export async function selectBaselines(
  tx: Tx,
  tenantId: string,
  requested: { entityIds: readonly string[]; fingerprints: readonly string[] },
): Promise<Map<string, Set<string>>> {
  const records = await rows(
    tx,
    sql<{ entity_id: string; fingerprint: string }>`
      SELECT encode(entity_id, 'hex') AS entity_id, encode(fingerprint, 'hex') AS fingerprint
      FROM launch_baselines
      WHERE tenant_id = ${tenantId} AND entity_id = ANY (${bytes(requested.entityIds)})
        AND (kind = 'reviewed' OR fingerprint = ANY (${bytes(requested.fingerprints)}))`,
  );
  const byEntity = Map.groupBy(records, (record) => record.entity_id);
  return new Map(
    [...byEntity].map(([entityId, entries]) => [
      entityId,
      new Set(entries.map((entry) => entry.fingerprint)),
    ]),
  );
}

/** Returns true for an app with a baseline. */
export const hasBaseline = async (tx: Tx, tenantId: string, entityId: string): Promise<boolean> =>
  (await selectBaselines(tx, tenantId, { entityIds: [entityId], fingerprints: [] })).size > 0;

/** Adds fingerprints to the baseline of an app; without any, the baseline of an app that has no launch is created. */
export async function insertBaseline(
  tx: Tx,
  tenantId: string,
  entityId: string,
  fingerprints: Iterable<string>,
): Promise<void> {
  await sql`
    INSERT INTO launch_baselines (tenant_id, entity_id, kind, fingerprint)
    SELECT ${tenantId}::uuid, decode(${entityId}, 'hex'), b.kind, b.fingerprint
    FROM (SELECT 'reviewed' AS kind, '\\x'::bytea AS fingerprint
      UNION SELECT 'fingerprint', unnest(${bytes([...fingerprints])}::bytea[])) b
    ORDER BY b.kind, b.fingerprint
    ON CONFLICT (tenant_id, entity_id, kind, fingerprint) DO NOTHING`.execute(tx);
}

/** Deletes the baseline of an app that no override approves any more; its next approval is a new review. */
export async function deleteBaseline(tx: Tx, tenantId: string, entityId: string): Promise<void> {
  await sql`
    DELETE FROM launch_baselines
    WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')`.execute(tx);
}

/** Returns whether a device reports launches or permissions of an app; null if no device has the app. */
export async function selectMayDrift(
  tx: Tx,
  tenantId: string,
  entityId: string,
): Promise<boolean | null> {
  const record = await row(
    tx,
    sql<{ may_drift: boolean }>`
      SELECT coalesce(may_drift, true) AS may_drift FROM products
      WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
        AND device_count > 0`,
  );
  return record?.may_drift ?? null;
}

/** The columns that fingerprints are made from. */
interface LaunchRow {
  source: string;
  hashes: string[];
  permissions: string[];
  configured: unknown;
  cut: unknown;
}

const LAUNCH_COLUMNS = sql`e.source, e.details -> 'configured' AS configured, e.details -> 'cut' AS cut,
  jsonb_path_query_array(e.instances, '$[*].permissions[*] ? (@.type() == "string")') AS permissions,
  jsonb_path_query_array(e.instances, '$[*].launch_hash ? (@.type() == "string")')
    || CASE WHEN e.launch_hash IS NULL THEN '[]'::jsonb ELSE to_jsonb(e.launch_hash) END AS hashes`;

const toReportedLaunch = ({
  source,
  hashes,
  permissions,
  configured,
  cut,
}: LaunchRow): ReportedLaunch => ({
  source,
  instances: [...hashes.map((launch_hash) => ({ launch_hash })), { permissions }],
  details: { configured, cut },
});

const hasDrift = (tenantId: string) => sql`EXISTS (SELECT 1 FROM product_drifts p
  WHERE p.tenant_id = ${tenantId} AND p.entity_id = e.entity_id AND p.device_id = e.device_id)`;

/**
 * Returns each distinct variant of an app once, over devices on which the app awaits no review. Devices of `excluded` are
 * left out.
 */
export async function selectLaunchVariants(
  tx: Tx,
  tenantId: string,
  entityId: string,
  excluded: readonly string[],
): Promise<ReportedLaunch[]> {
  const records = await rows(
    tx,
    sql<LaunchRow>`
      SELECT DISTINCT ${LAUNCH_COLUMNS} FROM entities e
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.removed_at IS NULL AND NOT e.device_id = ANY (${excluded}::uuid[])
        AND NOT ${hasDrift(tenantId)}`,
  );
  return records.map(toReportedLaunch);
}

/** Filter of the devices that have an app; without properties it selects all of them. */
export interface InstallationFilter {
  /** Device ids. */
  only?: readonly string[] | null;
  /** Devices that reported a change of the app since this time. */
  since?: Date | null;
}

/** An app on a device. */
export interface Installation extends LaunchObservation {
  isAwaitingReview: boolean;
}

const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Yields the devices that have an app, in order of device id, in pages of at most 1,000. */
export async function* installationPages(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { only = null, since = null }: InstallationFilter,
): AsyncGenerator<Installation[]> {
  for (const ids of only === null ? [null] : chunksOf(only)) {
    let after = BEFORE_ALL;
    for (;;) {
      const page = await selectInstallations(tx, tenantId, entityId, { only: ids, since, after });
      if (page.length > 0) yield page;
      const last = page[PAGE - 1];
      if (last === undefined) break;
      after = last.entity.device_id;
    }
  }
}

/** Returns the ids in order, in chunks: each id is sent once, and not with every page. */
function chunksOf(ids: readonly string[]): string[][] {
  const sorted = [...new Set(ids)].sort();
  return Array.from({ length: Math.ceil(sorted.length / PAGE) }, (_, i) =>
    sorted.slice(i * PAGE, (i + 1) * PAGE),
  );
}

async function selectInstallations(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { after, only, since }: Required<InstallationFilter> & { after: string },
): Promise<Installation[]> {
  const records = await rows(
    tx,
    sql<DriftedEntity & LaunchRow & { is_awaiting_review: boolean }>`
      SELECT e.device_id, d.platform, d.subscriber_id, encode(e.entity_id, 'hex') AS entity_id,
        e.kind, e.name, e.version, e.publisher, ${LAUNCH_COLUMNS},
        ${hasDrift(tenantId)} AS is_awaiting_review
      FROM entities e
      JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.device_id > ${after}::uuid AND e.removed_at IS NULL AND d.retired_at IS NULL
        AND ${since === null ? ANY : sql`e.last_seen_at >= ${since}`}
        AND ${only === null ? ANY : sql`e.device_id = ANY (${only}::uuid[])`}
      ORDER BY e.device_id LIMIT ${PAGE}`,
  );
  return records.map((record) => {
    const { hashes: _hashes, permissions: _permissions, configured: _configured, ...rest } = record;
    const { cut: _cut, source: _source, is_awaiting_review: isAwaitingReview, ...entity } = rest;
    return { entity, reported: toReportedLaunch(record), isChanged: false, isAwaitingReview };
  });
}

const bytes = (hex: readonly string[]): Buffer[] => hex.map((text) => Buffer.from(text, 'hex'));
