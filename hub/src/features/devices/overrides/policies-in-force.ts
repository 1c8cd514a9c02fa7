// The policies in force for applications, each with where it comes from, in order of precedence.
import type {
  PoliciesInForce,
  ProductPolicyOrigin,
} from '@gatewarden/shared/wire/console/products.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import type { KnownProduct } from '../inventory/match-qualifiers.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { overridesInForceFor } from './in-force.ts';
import { joinScope } from './override-rules.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

const POLICIES_SHOWN = 100;

/** Returns the policies in force for any of these applications; where several apply on a device, the first decides. */
export async function loadPoliciesInForce(
  { db, snapshots }: { db: Db; snapshots: Snapshots },
  tenantId: string,
  applications: readonly (KnownProduct & { entity_id: string })[],
): Promise<PoliciesInForce> {
  const inForce = overridesInForceFor(await snapshots.get(tenantId), applications);
  const ids = [...inForce.keys()];
  const overrides = await selectOverridesByIds(db, tenantId, ids.slice(0, POLICIES_SHOWN));
  const byId = new Map(overrides.map((override) => [override.override_id, override]));
  return {
    count: ids.length,
    items: ids.flatMap((id) => {
      const override = byId.get(id);
      return override === undefined ? [] : [policyInForce(override, inForce.get(id) ?? new Set())];
    }),
  };
}

function policyInForce(
  override: OverrideRecord,
  entityIds: ReadonlySet<string>,
): PoliciesInForce['items'][number] {
  return {
    override_id: override.override_id,
    origin: originOf(override),
    product_policy_id: override.product_policy_id,
    match: override.match,
    scope: joinScope(override.scope_kind, override.scope_id),
    approval_status: override.approval_status,
    execution_policy: override.execution_policy,
    severity: override.severity,
    reason: override.reason,
    rollout_percent: override.rollout_percent,
    expires_at: isoOrNull(override.expires_at),
    updated_at: override.updated_at.toISOString(),
    updated_by: override.updated_by,
    entity_ids: [...entityIds],
  };
}

function originOf(override: OverrideRecord): ProductPolicyOrigin {
  if (override.product_policy_id !== null) return 'product_policy';
  if (override.default_kind !== null) return 'default_policy';
  if (override.drift_hold) return 'drift';
  return override.match.entity_id === undefined ? 'match' : 'application';
}
