// The policy that setting a policy changes: a second policy for the same app and scope would leave the stricter policy of the
// two in force. Pure.
import type { ListedOverride } from './wire/console/overrides.ts';

type ExistingPolicy = Pick<
  ListedOverride,
  | 'state'
  | 'product_policy_id'
  | 'default_kind'
  | 'drift_hold'
  | 'rollout_percent'
  | 'match'
  | 'scope'
>;

/**
 * Returns the policy in force for the same match and scope, which setting a policy changes. Policies of a product, of a default
 * and of drift are changed elsewhere; a staged policy covers only some devices, so that a policy beside it covers the others.
 */
export function findExistingPolicy<Policy extends ExistingPolicy>(
  policies: readonly Policy[],
  { match, scope }: Pick<ExistingPolicy, 'match' | 'scope'>,
): Policy | undefined {
  return policies.find(
    (policy) =>
      policy.state === 'in_force' &&
      policy.product_policy_id === null &&
      policy.default_kind === null &&
      !policy.drift_hold &&
      policy.rollout_percent === 100 &&
      hasSameFields(policy.match, match) &&
      hasSameFields(policy.scope, scope),
  );
}

function hasSameFields(a: object, b: object): boolean {
  const textOf = (fields: object) => JSON.stringify(Object.entries(fields).toSorted());
  return textOf(a) === textOf(b);
}
