// The policies in force for applications, each with where it comes from, in order of precedence.
import type { PoliciesInForce } from '@gatewarden/shared/wire/console/products.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { KnownProduct } from '../inventory/match-qualifiers.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { explainOverride, originOf } from './explain-override.ts';
import { overridesInForceFor } from './in-force.ts';
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
  const {
    default_kind: _kind,
    drift_hold: _hold,
    decided_at,
    decided_by,
    ...explanation
  } = explainOverride(override);
  return {
    ...explanation,
    origin: originOf(override),
    product_policy_id: override.product_policy_id,
    severity: override.severity,
    rollout_percent: override.rollout_percent,
    updated_at: decided_at,
    updated_by: decided_by,
    entity_ids: [...entityIds],
  };
}
