// Default policies as overrides: one for each kind, tenant-wide, of the least exact match there is. Pure.
import { breadthOf } from '@gatewarden/shared/policy.ts';
import type {
  DefaultPolicy,
  DefaultPolicyInput,
} from '@gatewarden/shared/wire/console/default-policies.ts';
import type { OverrideInput } from '@gatewarden/shared/wire/console/overrides.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { deterministicId, newOverride } from '../overrides/override-rules.ts';
import type { NewOverride, OverrideRecord } from '../overrides/store.ts';

/** The same for every change of a kind's default, so that a change is a revision and never a second override. */
export function defaultOverrideId(kind: EntityKind): string {
  return deterministicId('default-policy', kind);
}

/** Throws 400 with a pointer for a second policy of a kind and for a policy that agents cannot enforce. */
export function checkDefaults(policies: readonly DefaultPolicyInput[]): void {
  policies.forEach(({ kind, execution_policy: policy }, i) => {
    if (policies.findIndex((row) => row.kind === kind) !== i) {
      throw new HubError('invalid_request', `/policies/${i}/kind is a duplicate`);
    }
    if (endsNothing(kind) && (policy === 'block' || policy === 'quarantine')) {
      throw new HubError(
        'invalid_request',
        `/policies/${i}/execution_policy must not terminate every ${kind}: devices would stop working. Set policies for single apps, or use warn or monitor.`,
      );
    }
  });
}

/** Agents end nothing by a match of everything that runs. */
function endsNothing(kind: EntityKind): boolean {
  return breadthOf({ kind }) === 'everything';
}

/** Returns the preview request of a default policy. */
export function defaultInput(policy: DefaultPolicyInput): OverrideInput {
  const { kind, ...settings } = policy;
  return { ...settings, match: { kind }, approval_status: 'pending', scope: { kind: 'tenant' } };
}

/** Returns the override that implements a default policy. */
export function defaultOverride(
  policy: DefaultPolicyInput,
  by: { email: string; now: Date },
): NewOverride {
  const overrideId = defaultOverrideId(policy.kind);
  return { ...newOverride(defaultInput(policy), { ...by, overrideId }), default_kind: policy.kind };
}

/** Returns a default policy as text. */
export function defaultPolicy(record: OverrideRecord): DefaultPolicy[] {
  if (record.default_kind === null) return [];
  const { default_kind: kind, execution_policy, severity, reason } = record;
  return [{ kind, execution_policy, severity, reason }];
}
