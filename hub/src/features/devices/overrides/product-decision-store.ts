// SQL of what counts tenant-wide about an application as a whole: what lists show as its approval.
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

/** A policy's place in the order from mild to strict. */
export function strictness(policy: RawBuilder<unknown>) {
  return sql`array_position(${[...EXECUTION_POLICIES]}::text[], ${policy})`;
}

/** Condition of an override that names an app by its id only, for the whole tenant. */
const IS_WHOLE = sql`o.match ->> 'entity_id' IS NOT NULL AND o.match - 'entity_id' = '{}'::jsonb
  AND o.scope_kind = 'tenant' AND NOT o.deleted`;

export interface DecidedProduct {
  override_id: string;
  approval_status: string;
  execution_policy: string;
}

/**
 * Selects the deciding override among those in force. A complete rollout precedes a partial rollout; then the order is that of
 * `precedes` for equal match and scope.
 */
function decidingOverride(tenantId: string, entityId: RawBuilder<unknown>) {
  return sql`
    SELECT o.override_id, o.approval_status, o.execution_policy FROM overrides o
    WHERE o.tenant_id = ${tenantId} AND o.match ->> 'entity_id' = ${entityId} AND ${IS_WHOLE}
      AND (o.effective_at IS NULL OR o.effective_at <= now())
      AND (o.expires_at IS NULL OR o.expires_at > now()) AND o.rollout_percent > 0
    ORDER BY o.rollout_percent = 100 DESC, ${strictness(sql`o.execution_policy`)} DESC,
      o.revision DESC LIMIT 1`;
}

/** Returns the decision about an app as a whole, for the tenant and now; null without any. */
export function selectProductDecision(
  tx: Tx,
  tenantId: string,
  entityId: string,
): Promise<DecidedProduct | null> {
  return row(tx, sql<DecidedProduct>`${decidingOverride(tenantId, sql`${entityId}`)}`);
}

const IS_TIMED = sql`(o.effective_at IS NOT NULL OR o.expires_at IS NOT NULL)`;

/** Tenants in which something about an application as a whole begins or ends by itself. */
export async function selectTimedTenants(db: Db): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT o.tenant_id FROM overrides o WHERE ${IS_WHOLE} AND ${IS_TIMED}`,
  );
  return records.map((record) => record.tenant_id);
}

/** Returns the apps whose recorded decision differs from the decision in force. */
export async function selectOutdatedDecisions(db: Db, tenantId: string): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ entity_id: string }>`
      SELECT t.entity_id FROM (
        SELECT DISTINCT o.match ->> 'entity_id' AS entity_id FROM overrides o
        WHERE o.tenant_id = ${tenantId} AND ${IS_WHOLE} AND ${IS_TIMED}) t
      LEFT JOIN LATERAL (${decidingOverride(tenantId, sql`t.entity_id`)}) n ON true
      LEFT JOIN product_decisions d
        ON d.tenant_id = ${tenantId} AND d.entity_id = decode(t.entity_id, 'hex')
      WHERE n.override_id IS DISTINCT FROM d.override_id`,
  );
  return records.map((record) => record.entity_id);
}
