// All SQL of the configuration feed of gateway nodes.
import type { ConfigurationKind } from '@gatewarden/shared/wire/nodes/configuration.ts';
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';

export interface ItemRow {
  tenant_id: string;
  kind: ConfigurationKind;
  id: string;
  revision: number;
  deleted: boolean;
}

/** Revision, tenant, kind and id of the last delivered item: the resume point of a node. */
export type ResumePoint = readonly [string, string, string, string];

/**
 * Returns items in commit order after the resume point; `tenantId` null: of all tenants. Items of a suspended tenant are
 * `deleted`, because its gateways must not serve them.
 */
export function selectItems(
  db: Db,
  tenantId: string | null,
  after: ResumePoint | undefined,
  limit: number,
): Promise<ItemRow[]> {
  const inTenant = tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`;
  const afterPoint =
    after === undefined
      ? sql`true`
      : sql`(revision, tenant_id, kind, id) >
          (${after[0]}::bigint, ${after[1]}::uuid, ${after[2]}, ${after[3]})`;
  return rows(
    db,
    sql<ItemRow>`
      SELECT tenant_id, kind, id, revision,
        deleted OR EXISTS (SELECT 1 FROM tenants t
          WHERE t.tenant_id = i.tenant_id AND t.suspended_at IS NOT NULL) AS deleted
      FROM configuration_items i
      WHERE ${inTenant} AND ${afterPoint}
      ORDER BY revision, tenant_id, kind, id LIMIT ${limit}`,
  );
}

/** Records a delivery: which token received how many items and credentials, up to which revision. */
export async function insertDelivery(
  db: Db,
  delivery: { tokenId: string; revision: number; items: number; credentials: number },
): Promise<void> {
  await sql`
    INSERT INTO node_deliveries (token_id, revision, items, credentials)
    VALUES (${delivery.tokenId}, ${delivery.revision}, ${delivery.items}, ${delivery.credentials})`.execute(
    db,
  );
}

/** Deletes records of deliveries after 90 days, and processes that have not polled for a day. */
export async function deleteOldDeliveries(db: Db): Promise<void> {
  await sql`DELETE FROM node_deliveries WHERE at < now() - interval '90 days'`.execute(db);
  await sql`DELETE FROM node_instances WHERE polled_at < now() - interval '1 day'`.execute(db);
}

/** Records a poll of a process. A time that is younger than 10 s stays, which saves writes. */
export async function upsertInstance(
  db: Db,
  poll: { tokenId: string; instance: string; hasModelChecks: boolean },
): Promise<void> {
  await sql`
    INSERT INTO node_instances AS i (token_id, instance_id, polled_at, has_model_checks)
    VALUES (${poll.tokenId}, ${poll.instance}, now(), ${poll.hasModelChecks})
    ON CONFLICT (token_id, instance_id)
      DO UPDATE SET polled_at = now(), has_model_checks = excluded.has_model_checks
    WHERE i.polled_at < now() - interval '10 seconds'
      OR i.has_model_checks <> excluded.has_model_checks`.execute(db);
}

/** Processes that polled within 90 s and serve the tenant; `tenantId` null: those of all tenants. */
function liveInstances(tenantId: string | null) {
  const inTenant = tenantId === null ? sql`false` : sql`t.tenant_id = ${tenantId}`;
  return sql`
    FROM node_instances i JOIN node_tokens t USING (token_id)
    WHERE i.polled_at > now() - interval '90 seconds' AND t.revoked_at IS NULL
      AND (t.tenant_id IS NULL OR ${inTenant})`;
}

/** Returns the number of running processes that serve the tenant. */
export async function countLiveInstances(db: Db, tenantId: string | null): Promise<number> {
  const counted = await row(
    db,
    sql<{ count: number }>`SELECT count(*)::integer AS count ${liveInstances(tenantId)}`,
  );
  return counted?.count ?? 0;
}

/** Returns whether every running process that serves the tenant has model checks; false without a process. */
export async function selectModelChecks(db: Db, tenantId: string): Promise<boolean> {
  const found = await row(
    db,
    sql<{ every: boolean | null }>`
      SELECT bool_and(i.has_model_checks) AS every ${liveInstances(tenantId)}`,
  );
  return found?.every === true;
}
