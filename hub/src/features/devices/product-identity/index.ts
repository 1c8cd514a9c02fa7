// Product identity: the pure rule that groups applications over platforms and sources.
export {
  PRODUCT_CATEGORIES,
  PRODUCT_RULES_VERSION,
  type ProductCategory,
} from './aliases.ts';
export type { IdentifiedEntity } from './identities.ts';
export { type ProductKey, productKey } from './product-key.ts';
