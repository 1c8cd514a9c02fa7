// SQL of drift (`product_drifts`): apps that await a review on a device. Rows of an app are always locked in order of device
// id, and `application_versions` after them, so that ingest and reviews never lock in opposite order.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import { facetsOf, type ReportedEntity } from './facets.ts';
import type { Drift } from './fingerprint.ts';

/** An app on a device, with the fields that a match may name. */
export interface DriftedEntity extends OwningEntity {
  device_id: string;
  platform: Platform;
  subscriber_id: string;
}

export interface DriftRow {
  /** The app as the device reports it now. */
  entity: DriftedEntity;
  drift: Drift;
}

type InstallationKey = Pick<DriftedEntity, 'device_id' | 'entity_id'>;

const keyOf = ({ device_id, entity_id }: InstallationKey) => `${entity_id}/${device_id}`;

const bytes = (entityId: string) => Buffer.from(entityId, 'hex');

/** Returns launches and permissions before a change, by `${entity_id}/${device_id}`. Must run before the change is written. */
export async function selectPreviousFacets(
  tx: Tx,
  tenantId: string,
  changed: readonly Pick<DriftRow, 'entity'>[],
): Promise<Map<string, Facets>> {
  if (changed.length === 0) return new Map();
  const keys = changed.map(({ entity: { device_id, entity_id } }) => ({ device_id, entity_id }));
  const records = await rows(
    tx,
    sql<ReportedEntity & InstallationKey>`
      SELECT e.device_id, encode(e.entity_id, 'hex') AS entity_id, e.details, e.instances
      FROM json_to_recordset(${JSON.stringify(keys)}::json) AS r(device_id uuid, entity_id text)
      JOIN entities e ON e.tenant_id = ${tenantId} AND e.device_id = r.device_id
        AND e.entity_id = decode(r.entity_id, 'hex')`,
  );
  return new Map(records.map((record) => [keyOf(record), facetsOf(record)]));
}

/**
 * Adds drift. An app that awaits a review already keeps its time and its state before the first change. Returns true if
 * there was any drift to add.
 */
export async function insertDrifts(
  tx: Tx,
  tenantId: string,
  drifts: readonly DriftRow[],
  previousFacets: ReadonlyMap<string, Facets>,
): Promise<boolean> {
  if (drifts.length === 0) return false;
  const byKey = Map.groupBy(drifts, ({ entity }) => keyOf(entity));
  const records = [...byKey].flatMap(([key, [first, ...more]]) => {
    if (first === undefined) return [];
    const { device_id, entity_id } = first.entity;
    const merged = [first, ...more].map(({ drift }) => drift);
    return {
      device_id,
      entity_id,
      launch_changed: merged.some((drift) => drift.launchChanged),
      new_permissions: [...new Set(merged.flatMap((drift) => drift.newPermissions))].sort(),
      former: previousFacets.get(key) ?? null,
    };
  });
  await sql`
    INSERT INTO product_drifts AS p
      (tenant_id, entity_id, device_id, since, launch_changed, new_permissions, former)
    SELECT ${tenantId}::uuid, decode(r.entity_id, 'hex'), r.device_id, now(), r.launch_changed,
      ARRAY(SELECT json_array_elements_text(r.new_permissions)), nullif(r.former, 'null'::jsonb)
    FROM json_to_recordset(${JSON.stringify(records)}::json)
      AS r(device_id uuid, entity_id text, launch_changed boolean, new_permissions json,
        former jsonb)
    ORDER BY decode(r.entity_id, 'hex'), r.device_id
    ON CONFLICT (tenant_id, entity_id, device_id) DO UPDATE SET
      launch_changed = p.launch_changed OR excluded.launch_changed,
      new_permissions = ARRAY(SELECT DISTINCT unnest(p.new_permissions || excluded.new_permissions)
        ORDER BY 1)`.execute(tx);
  const changed = [...new Set(records.map((record) => record.entity_id))].sort();
  await bumpReviewVersions(tx, tenantId, changed);
  return true;
}

/** Raises the review versions of apps that drifted or were reviewed. Returns the new versions. */
export async function bumpReviewVersions(
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
): Promise<number[]> {
  const records = await rows(
    tx,
    sql<{ version: number }>`
      INSERT INTO application_versions AS v (tenant_id, entity_id, version)
      SELECT ${tenantId}::uuid, decode(id, 'hex'), 2 FROM unnest(${entityIds}::text[]) AS id
      ORDER BY decode(id, 'hex')
      ON CONFLICT (tenant_id, entity_id) DO UPDATE SET version = v.version + 1
      RETURNING version`,
  );
  return records.map((record) => record.version);
}

/** Returns the review version of an app; 1 if it never drifted. */
export async function selectReviewVersion(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<number> {
  const record = await row(
    db,
    sql<{ version: number }>`
      SELECT version FROM application_versions
      WHERE tenant_id = ${tenantId} AND entity_id = ${bytes(entityId)}`,
  );
  return record?.version ?? 1;
}

/** Deletes drift of an app, on these devices or on all. Returns the number of devices. Later drift is not locked and stays. */
export async function deleteDrifts(
  tx: Tx,
  tenantId: string,
  entityId: string,
  deviceIds: readonly string[] | null = null,
): Promise<number> {
  const ofApp = sql`p.tenant_id = ${tenantId} AND p.entity_id = ${bytes(entityId)}`;
  const locked = await rows(
    tx,
    sql<{ device_id: string }>`
      SELECT device_id FROM product_drifts p
      WHERE ${ofApp} AND ${deviceIds === null ? ANY : sql`p.device_id = ANY (${deviceIds}::uuid[])`}
      ORDER BY device_id FOR UPDATE`,
  );
  const ids = locked.map((record) => record.device_id);
  await sql`DELETE FROM product_drifts p WHERE ${ofApp} AND p.device_id = ANY (${ids}::uuid[])`.execute(
    tx,
  );
  return ids.length;
}

export interface DriftRecord {
  device_id: string;
  hostname: string;
  since: Date;
  launch_changed: boolean;
  new_permissions: string[];
  former: Facets | null;
  /** Null if the device no longer has the app. */
  current: ReportedEntity | null;
}

/** Returns the devices on which an app drifted, the earliest first; at most 100. */
export function selectDrifts(db: Db, tenantId: string, entityId: string): Promise<DriftRecord[]> {
  return rows(
    db,
    sql<DriftRecord>`
      SELECT p.device_id, d.hostname, p.since, p.launch_changed, p.new_permissions, p.former,
        CASE WHEN e.device_id IS NOT NULL THEN
          json_build_object('details', e.details, 'instances', e.instances) END AS "current"
      FROM product_drifts p
      JOIN devices d ON d.tenant_id = p.tenant_id AND d.device_id = p.device_id
      LEFT JOIN entities e ON e.tenant_id = p.tenant_id AND e.device_id = p.device_id
        AND e.entity_id = p.entity_id AND e.removed_at IS NULL
      WHERE p.tenant_id = ${tenantId} AND p.entity_id = ${bytes(entityId)}
      ORDER BY p.since, p.device_id LIMIT 100`,
  );
}

/** Returns drifted apps on devices that are not retired: all, or a single app. */
export function selectDriftedEntities(
  db: Db,
  tenantId: string,
  entityId?: string,
): Promise<DriftedEntity[]> {
  return rows(
    db,
    sql<DriftedEntity>`
      SELECT p.device_id, d.platform, d.subscriber_id, encode(p.entity_id, 'hex') AS entity_id,
        e.kind, e.name, e.version, e.publisher
      FROM product_drifts p
      JOIN devices d ON d.tenant_id = p.tenant_id AND d.device_id = p.device_id
      JOIN entities e ON e.tenant_id = p.tenant_id AND e.device_id = p.device_id
        AND e.entity_id = p.entity_id
      WHERE p.tenant_id = ${tenantId} AND d.retired_at IS NULL
        AND ${entityId === undefined ? ANY : sql`p.entity_id = ${bytes(entityId)}`}
      ORDER BY p.entity_id, p.device_id`,
  );
}

/** Returns how many apps and devices await a review. */
export async function countDrifted(
  db: Db,
  tenantId: string,
): Promise<{ applications: number; devices: number }> {
  const record = await row(
    db,
    sql<{ applications: number; devices: number }>`
      SELECT count(DISTINCT p.entity_id) AS applications, count(DISTINCT p.device_id) AS devices
      FROM product_drifts p
      JOIN devices d ON d.tenant_id = p.tenant_id AND d.device_id = p.device_id
      WHERE p.tenant_id = ${tenantId} AND d.retired_at IS NULL`,
  );
  return record ?? { applications: 0, devices: 0 };
}
