// Products: applications grouped over platforms and sources, and policies for them.
export { createArrivalPolicies } from './cover-arrivals.ts';
export { coverMissedApplications } from './cover-products.ts';
export { searchProductNames } from './global-search.ts';
export {
  type CategoryNumbers,
  countProductsForReview,
  SEARCHED_INVENTORY_PRODUCTS,
} from './list-store.ts';
export { createPolicyCache, type PolicyCache } from './policy-cache.ts';
export { registerProductPolicies } from './policy-routes.ts';
export { erasePoliciesFor, selectPolicyProductsForGroup } from './policy-store.ts';
export {
  createProductCounts,
  groupProducts,
  type ProductCounts,
  recountAllProducts,
  sightProductsAgain,
} from './product-counts.ts';
export { registerProductPages } from './routes.ts';
