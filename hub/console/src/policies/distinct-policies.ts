// A product policy has an override for each app of its product, and all of them are equal: lists show it once. Pure.

interface OwnedOverride {
  override_id: string;
  product_policy_id: string | null;
  entity_ids: readonly string[];
}

/** Returns the first override of each policy, in the given order, with the apps of all overrides of the policy. */
export function distinctPolicies<Item extends OwnedOverride>(items: readonly Item[]): Item[] {
  const policies = Map.groupBy(items, (item) => item.product_policy_id ?? item.override_id);
  return [...policies.values()].flatMap((overrides) => {
    const entityIds = new Set(overrides.flatMap((override) => override.entity_ids));
    return overrides.slice(0, 1).map((first) => ({ ...first, entity_ids: [...entityIds] }));
  });
}
