// SQL of holds and of the tenant's drift setting.
import type { DriftPolicy } from '@gatewarden/shared/wire/console/drift-policy.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { Hold } from './holds.ts';

export interface DriftSetting {
  policy: DriftPolicy;
  version: number;
}

/** Returns the tenant's setting; null for an unknown tenant. */
export function selectDriftSetting(db: Db, tenantId: string): Promise<DriftSetting | null> {
  return row(
    db,
    sql<DriftSetting>`
      SELECT drift_policy AS policy, drift_policy_version AS version FROM tenants
      WHERE tenant_id = ${tenantId}`,
  );
}

/** Returns the stored setting; null if its version is not the expected version any more. */
export function updateDriftSetting(
  tx: Tx,
  tenantId: string,
  expectedVersion: number,
  policy: DriftPolicy,
): Promise<DriftSetting | null> {
  return row(
    tx,
    sql<DriftSetting>`
      UPDATE tenants SET drift_policy = ${policy}, drift_policy_version = drift_policy_version + 1
      WHERE tenant_id = ${tenantId} AND drift_policy_version = ${expectedVersion}
      RETURNING drift_policy AS policy, drift_policy_version AS version`,
  );
}

/** Returns the holds in force. */
export async function selectHolds(db: Db, tenantId: string): Promise<Hold[]> {
  const records = await rows(
    db,
    sql<Omit<Hold, 'expires_at'> & { expires_at: Date | null }>`
      SELECT override_id, scope_id AS device_id, match, execution_policy, expires_at
      FROM overrides WHERE tenant_id = ${tenantId} AND drift_hold AND NOT deleted
      ORDER BY override_id`,
  );
  return records.map((record) => ({
    ...record,
    expires_at: record.expires_at?.toISOString() ?? null,
  }));
}

/** Returns tenants that restrict drift, or that have a restriction to release. */
export async function selectTenantsWithHolds(db: Db): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT tenant_id FROM tenants WHERE drift_policy <> 'approval'
      UNION SELECT tenant_id FROM overrides WHERE drift_hold AND NOT deleted`,
  );
  return records.map((record) => record.tenant_id);
}

/** Stores overrides with their revisions. An override that was released before is restored under its id. */
export async function upsertHolds(
  tx: Tx,
  tenantId: string,
  holds: readonly (Hold & { revision: number })[],
  by: { name: string; reason: string; now: Date },
): Promise<void> {
  if (holds.length === 0) return;
  await sql`
    INSERT INTO overrides AS o
      (tenant_id, override_id, revision, version, match, approval_status, execution_policy,
       severity, reason, scope_kind, scope_id, expires_at, rollout_percent, created_at,
       created_by, updated_at, updated_by, drift_hold)
    SELECT ${tenantId}::uuid, h.override_id, h.revision, 1, h.match, 'pending',
      h.execution_policy, 'high', ${by.reason}, 'device', h.device_id, h.expires_at, 100,
      ${by.now}::timestamptz, ${by.name}, ${by.now}::timestamptz, ${by.name}, true
    FROM json_to_recordset(${JSON.stringify(holds)}::json) AS h(override_id uuid,
      revision bigint, match jsonb, execution_policy text, device_id text, expires_at timestamptz)
    ON CONFLICT (tenant_id, override_id) DO UPDATE SET revision = excluded.revision,
      version = o.version + 1, deleted = false, match = excluded.match,
      execution_policy = excluded.execution_policy, reason = excluded.reason,
      expires_at = excluded.expires_at,
      created_at = CASE WHEN o.deleted THEN excluded.created_at ELSE o.created_at END,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(tx);
}

/** Releases holds: devices receive them as deleted overrides. */
export async function releaseHolds(
  tx: Tx,
  tenantId: string,
  holds: readonly { override_id: string; revision: number }[],
  by: { name: string; now: Date },
): Promise<void> {
  if (holds.length === 0) return;
  await sql`
    UPDATE overrides o SET deleted = true, revision = h.revision, version = o.version + 1,
      updated_at = ${by.now}, updated_by = ${by.name}
    FROM json_to_recordset(${JSON.stringify(holds)}::json) AS h(override_id uuid, revision bigint)
    WHERE o.tenant_id = ${tenantId} AND o.override_id = h.override_id`.execute(tx);
}
