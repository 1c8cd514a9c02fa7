// The policies of a product by their id: their platforms, which the policies in force do not name.
import type { ProductPolicy } from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { useResource } from '../api/tenant.ts';

/** Returns the product's policies by id; empty until they are loaded. */
export function useProductPolicies(productId: string): ReadonlyMap<string, ProductPolicy> {
  const params = { product_id: productId, limit: 200 };
  const answer = useResource<ListAnswer<ProductPolicy>>('overrides', '/product-policies', params);
  return new Map((answer.data?.items ?? []).map((policy) => [policy.policy_id, policy]));
}
