// All SQL of drift.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/http/lists/console-lists.ts';
import type { Drift } from './baseline.ts';
import { facetsOf, type ReportedEntity } from './facets.ts';

export interface DriftRow {
  /** As it is now, on the device where it drifted. */
  entity: DriftedEntity;
  drift: Drift;
}

const keyOf = ({ device_id, entity_id }: { device_id: string; entity_id: string }) =>
  `${entity_id}/${device_id}`;

/** Returns launches and permissions before a change, by entity and device. To be called before the change is written. */
export async function selectPreviousFacets(
  tx: Tx,
  tenantId: string,
  changed: readonly Pick<DriftRow, 'entity'>[],
): Promise<Map<string, Facets>> {
  if (changed.length === 0) return new Map();
  const wanted = changed.map(({ entity }) => ({
    device_id: entity.device_id,
    entity_id: entity.entity_id,
  }));
  const current = await rows(
    tx,
    sql<ReportedEntity & { device_id: string; entity_id: string }>`
      SELECT e.device_id, encode(e.entity_id, 'hex') AS entity_id, e.details, e.instances
      FROM json_to_recordset(${JSON.stringify(wanted)}::json) AS r(device_id uuid, entity_id text)
      JOIN entities e ON e.tenant_id = ${tenantId} AND e.device_id = r.device_id
        AND e.entity_id = decode(r.entity_id, 'hex')`,
  );
  return new Map(current.map((entity) => [keyOf(entity), facetsOf(entity)]));
}

/** Keeps drift; what drifted there before stays in it, and how it stood before that. True where any is kept. */
export async function insertDrifts(
  tx: Tx,
  tenantId: string,
  drifts: readonly DriftRow[],
  former: ReadonlyMap<string, Facets>,
): Promise<boolean> {
  if (drifts.length === 0) return false;
  const records = [...Map.groupBy(drifts, (drift) => keyOf(drift.entity))].map(([key, ofOne]) => ({
    device_id: ofOne[0]?.entity.device_id,
    entity_id: ofOne[0]?.entity.entity_id ?? '',
    launch_changed: ofOne.some((drift) => drift.drift.launchChanged),
    new_permissions: [...new Set(ofOne.flatMap((drift) => drift.drift.newPermissions))].sort(),
    former: former.get(key) ?? null,
  }));
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
  // After the rows themselves, in one order, as a review does it.
  const changed = [...new Set(records.map((record) => record.entity_id))].sort();
  await bumpReviewVersions(tx, tenantId, changed);
  return true;
}

/** Counts on what drifted or was reviewed of these products. Gives the new versions. */
export async function bumpReviewVersions(
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
): Promise<number[]> {
  const raised = await rows(
    tx,
    sql<{ version: number }>`
      INSERT INTO application_versions AS v (tenant_id, entity_id, version)
      SELECT ${tenantId}::uuid, decode(id, 'hex'), 2 FROM unnest(${entityIds}::text[]) AS id
      ORDER BY decode(id, 'hex')
      ON CONFLICT (tenant_id, entity_id) DO UPDATE SET version = v.version + 1
      RETURNING version`,
  );
  return raised.map((item) => item.version);
}

/** 1 where nothing of it ever drifted. */
export async function selectReviewVersion(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<number> {
  const record = await row(
    db,
    sql<{ version: number }>`
      SELECT version FROM application_versions
      WHERE tenant_id = ${tenantId} AND entity_id = ${Buffer.from(entityId, 'hex')}`,
  );
  return record?.version ?? 1;
}

/**
 * In the order in which ingest locks them, for it keeps the drift of several devices at once. Gives the devices: what
 * comes after this is not locked, and is news.
 */
async function lockDrifts(tx: Tx, tenantId: string, entityId: string): Promise<string[]> {
  const records = await rows(
    tx,
    sql<{ device_id: string }>`
      SELECT device_id FROM product_drifts
      WHERE tenant_id = ${tenantId} AND entity_id = ${Buffer.from(entityId, 'hex')}
      ORDER BY device_id FOR UPDATE`,
  );
  return records.map((record) => record.device_id);
}

/** Where a product drifted, of those devices: what waited for a review there waits no more. */
export async function deleteDrifts(
  tx: Tx,
  tenantId: string,
  entityId: string,
  deviceIds: readonly string[],
): Promise<void> {
  const locked = new Set(await lockDrifts(tx, tenantId, entityId));
  await deleteLocked(
    tx,
    tenantId,
    entityId,
    deviceIds.filter((deviceId) => locked.has(deviceId)),
  );
}

/** A person has looked at the product: what was drift until now is what counts from now on. Gives on how many devices. */
export async function clearDrifts(tx: Tx, tenantId: string, entityId: string): Promise<number> {
  const locked = await lockDrifts(tx, tenantId, entityId);
  await deleteLocked(tx, tenantId, entityId, locked);
  return locked.length;
}

async function deleteLocked(
  tx: Tx,
  tenantId: string,
  entityId: string,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`
    DELETE FROM product_drifts
    WHERE tenant_id = ${tenantId} AND entity_id = ${Buffer.from(entityId, 'hex')}
      AND device_id = ANY (${deviceIds}::uuid[])`.execute(tx);
}

export interface DriftRecord {
  device_id: string;
  hostname: string;
  since: Date;
  launch_changed: boolean;
  new_permissions: string[];
  former: Facets | null;
  /** Null where the product is not on the device any more. */
  current: ReportedEntity | null;
}

/** Where a product drifted, the earliest first; at most 100. */
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
      WHERE p.tenant_id = ${tenantId} AND p.entity_id = ${Buffer.from(entityId, 'hex')}
      ORDER BY p.since, p.device_id LIMIT 100`,
  );
}

/** What drifted on a device and waits for a review, as far as a decision asks. */
export interface DriftedEntity extends OwningEntity {
  device_id: string;
  platform: Platform;
  subscriber_id: string;
}

/** What drifted, on devices that are not retired: everything, or one product. */
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
        AND ${entityId === undefined ? ANY : sql`p.entity_id = ${Buffer.from(entityId, 'hex')}`}
      ORDER BY p.entity_id, p.device_id`,
  );
}

/** How much waits for a review. */
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
