// The policy in force for the same app and scope, which setting a policy changes.
import { findExistingPolicy } from '@gatewarden/shared/existing-policy.ts';
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
    cached: (scope: OverrideScope) => findExistingPolicy(data?.items ?? [], { match, scope }),
    read: async (scope: OverrideScope) => {
      if (path === null) return undefined;
      const { items } = await read<ListAnswer<ListedOverride>>(path);
      return findExistingPolicy(items, { match, scope });
    },
  };
}
