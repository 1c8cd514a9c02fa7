// Products: applications grouped over platforms and sources, and policies for them.

export { SEARCHED_INVENTORY_PRODUCTS } from './list-store.ts';
export {
  createProductCounts,
  groupProducts,
  type ProductCounts,
  recountAllProducts,
  sightProductsAgain,
} from './product-counts.ts';
export { registerProductPages } from './routes.ts';
