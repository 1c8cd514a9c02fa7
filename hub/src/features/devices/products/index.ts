// Products: apps grouped over platforms and sources, and policies that cover every app of a product.
// Main types: `ProductCounts` (counts per product, kept up to date), `PolicyCache`.
// Invariants: a product policy owns one override per app; new apps are covered in the transaction that stores them.
// Depends on product-identity, inventory, ingest and overrides.
// Start reading at routes.ts (lists) and policy-routes.ts (policies).
export { createArrivalPolicies } from './cover-arrivals.ts';
export { coverMissedApplications } from './cover-products.ts';
export { searchProductNames } from './global-search.ts';
export { countAppsBySteps, type StepNumbers, selectNewestProducts } from './home-store.ts';
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
