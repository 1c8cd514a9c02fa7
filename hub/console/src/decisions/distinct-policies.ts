// A product policy has an override for each app of its product, and all of them are equal: lists show it once. Pure.

interface OwnedOverride {
  override_id: string;
  product_policy_id: string | null;
}

/** Returns the first override of each policy, in the given order. */
export function distinctPolicies<Item extends OwnedOverride>(items: readonly Item[]): Item[] {
  const policies = Map.groupBy(items, (item) => item.product_policy_id ?? item.override_id);
  return [...policies.values()].flatMap(([first]) => first ?? []);
}
