// SQL of what is decided about products, tenant-wide: by a product's id (kept in product_decisions), else by its name.
import type { ApprovalStatus, ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';

/** A product that a decision in force covers by name. */
export interface CoveredProduct {
  entity_id: string;
  override_id: string;
  approval_status: ApprovalStatus;
  execution_policy: ExecutionPolicy;
}

/** Returns apps that overrides cover by name, each once. */
export type CoveredByName = (tenantId: string) => Promise<readonly CoveredProduct[]>;

/** Returns a table to join by tenant and app. A decision by id precedes a decision by name, as on devices. */
export function decidedProducts(
  tenantId: string,
  covered: readonly CoveredProduct[],
): RawBuilder<unknown> {
  const byId = sql`SELECT tenant_id, entity_id, override_id, approval_status, execution_policy,
    NULL::uuid AS named_decision_id FROM product_decisions WHERE tenant_id = ${tenantId}`;
  if (covered.length === 0) return sql`(${byId})`;
  return sql`(${byId} UNION ALL
    SELECT ${tenantId}::uuid, decode(c.entity_id, 'hex'), c.override_id, c.approval_status,
      c.execution_policy, c.override_id
    FROM json_to_recordset(${JSON.stringify(covered)}::json) AS c(entity_id text,
      override_id uuid, approval_status text, execution_policy text)
    WHERE NOT EXISTS (SELECT FROM product_decisions w
      WHERE w.tenant_id = ${tenantId} AND w.entity_id = decode(c.entity_id, 'hex')))`;
}
