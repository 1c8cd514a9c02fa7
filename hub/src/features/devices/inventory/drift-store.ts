// All SQL of drift.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { Drift } from './drift.ts';

export interface DriftRow {
  deviceId: string;
  entityId: string;
  drift: Drift;
}

/**
 * Keeps the drift of products that are approved; of the others nothing is to be reviewed anew. True where any is kept.
 */
export async function insertDrifts(
  tx: Tx,
  tenantId: string,
  drifts: readonly DriftRow[],
): Promise<boolean> {
  if (drifts.length === 0) return false;
  const last = new Map(drifts.map((one) => [`${one.entityId}/${one.deviceId}`, one]));
  const records = [...last.values()].map(({ deviceId, entityId, drift }) => ({
    device_id: deviceId,
    entity_id: entityId,
    launch_changed: drift.launchChanged,
    new_permissions: drift.newPermissions,
  }));
  const kept = await rows(
    tx,
    sql`
    WITH drifted AS (
      UPDATE product_decisions SET drifted_at = coalesce(drifted_at, ${new Date()}::timestamptz)
      WHERE tenant_id = ${tenantId} AND approval_status = 'approved'
        AND entity_id = ANY (${records.map((one) => Buffer.from(one.entity_id, 'hex'))})
      RETURNING entity_id)
    INSERT INTO product_drifts AS p
      (tenant_id, entity_id, device_id, since, launch_changed, new_permissions)
    SELECT ${tenantId}::uuid, d.entity_id, r.device_id, now(), r.launch_changed,
      ARRAY(SELECT json_array_elements_text(r.new_permissions))
    FROM json_to_recordset(${JSON.stringify(records)}::json)
      AS r(device_id uuid, entity_id text, launch_changed boolean, new_permissions json)
    JOIN drifted d ON d.entity_id = decode(r.entity_id, 'hex')
    ORDER BY d.entity_id, r.device_id
    ON CONFLICT (tenant_id, entity_id, device_id) DO UPDATE SET
      launch_changed = p.launch_changed OR excluded.launch_changed,
      new_permissions = ARRAY(SELECT DISTINCT unnest(p.new_permissions || excluded.new_permissions)
        ORDER BY 1)
    RETURNING p.device_id`,
  );
  return kept.length > 0;
}

/** A person has looked at the product: what was drift until now is what counts from now on. Gives on how many devices. */
export async function clearDrifts(tx: Tx, tenantId: string, entityId: string): Promise<number> {
  const id = Buffer.from(entityId, 'hex');
  await sql`
    UPDATE product_decisions SET drifted_at = NULL
    WHERE tenant_id = ${tenantId} AND entity_id = ${id}`.execute(tx);
  const gone = await rows(
    tx,
    sql`
      DELETE FROM product_drifts WHERE tenant_id = ${tenantId} AND entity_id = ${id}
      RETURNING device_id`,
  );
  return gone.length;
}

export interface DriftRecord {
  device_id: string;
  hostname: string;
  since: Date;
  launch_changed: boolean;
  new_permissions: string[];
}

/** Where a product drifted, the earliest first; at most 100. */
export function selectDrifts(db: Db, tenantId: string, entityId: string): Promise<DriftRecord[]> {
  return rows(
    db,
    sql<DriftRecord>`
      SELECT p.device_id, d.hostname, p.since, p.launch_changed, p.new_permissions
      FROM product_drifts p
      JOIN devices d ON d.tenant_id = p.tenant_id AND d.device_id = p.device_id
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

/** Everything that drifted, on devices that are not retired. */
export function selectDrifted(db: Db, tenantId: string): Promise<DriftedEntity[]> {
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
      ORDER BY p.entity_id, p.device_id`,
  );
}

/** How much waits for a review. */
export async function countDrifted(
  db: Db,
  tenantId: string,
): Promise<{ applications: number; devices: number }> {
  const found = await row(
    db,
    sql<{ applications: number; devices: number }>`
      SELECT count(DISTINCT p.entity_id) AS applications, count(DISTINCT p.device_id) AS devices
      FROM product_drifts p
      JOIN devices d ON d.tenant_id = p.tenant_id AND d.device_id = p.device_id
      WHERE p.tenant_id = ${tenantId} AND d.retired_at IS NULL`,
  );
  return found ?? { applications: 0, devices: 0 };
}
