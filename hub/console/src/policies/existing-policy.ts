// The policy in force for the same app and scope: a person who sets a policy changes it, because a second policy of the scope
// would leave the stricter policy of the two in force.
import type { ListedOverride, OverrideScope } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { useResource, useTenantRead } from '../api/tenant.ts';

/** The maximum page of the hub. */
const LIMIT = 200;

/**
 * Returns the policies in force that a new policy with this match would change, by scope: `cached` from the list of the page,
 * `read` from the hub. Both return undefined for a match without an app, whose policies the hub does not list by match.
 */
export function useExistingPolicy(match: OverrideMatch) {
  const read = useTenantRead();
  const { entity_id: entityId } = match;
  const path =
    entityId === undefined
      ? null
      : `/overrides?${new URLSearchParams({ entity_id: entityId, state: 'in_force', limit: `${LIMIT}` })}`;
  const { data } = useResource<ListAnswer<ListedOverride>>('overrides', path, {}, 'aside');
  return {
    cached: (scope: OverrideScope) => findExisting(data?.items ?? [], match, scope),
    read: async (scope: OverrideScope) => {
      if (path === null) return undefined;
      const { items } = await read<ListAnswer<ListedOverride>>(path);
      return findExisting(items, match, scope);
    },
  };
}

/** Policies of a product, of a default and of drift are changed elsewhere; a staged policy covers only some devices. */
function findExisting(
  policies: readonly ListedOverride[],
  match: OverrideMatch,
  scope: OverrideScope,
): ListedOverride | undefined {
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
