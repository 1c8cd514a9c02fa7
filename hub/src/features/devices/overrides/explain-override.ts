// The row of an override in the policies of an app's page, the list of a device and the decision trace: where it comes
// from, who decided it and when.
import type { ProductPolicyOrigin } from '@gatewarden/shared/wire/console/products.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { joinScope } from './override-rules.ts';
import type { OverrideRecord } from './store.ts';

/** Returns the decision of an override, with its scope as users write it and times as text. */
export function explainOverride(override: OverrideRecord) {
  return {
    override_id: override.override_id,
    match: override.match,
    approval_status: override.approval_status,
    execution_policy: override.execution_policy,
    reason: override.reason,
    scope: joinScope(override.scope_kind, override.scope_id),
    expires_at: isoOrNull(override.expires_at),
    default_kind: override.default_kind,
    drift_hold: override.drift_hold,
    decided_by: override.updated_by,
    decided_at: override.updated_at.toISOString(),
  };
}

/** Returns where an override comes from: a policy of a product, a default policy, drift, or a policy for a match or an app. */
export function originOf(override: OverrideRecord): ProductPolicyOrigin {
  if (override.product_policy_id !== null) return 'product_policy';
  if (override.default_kind !== null) return 'default_policy';
  if (override.drift_hold) return 'drift';
  return override.match.entity_id === undefined ? 'match' : 'application';
}
