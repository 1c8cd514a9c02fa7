// Product identity: the pure rule that groups applications over platforms and sources.
export { PRODUCT_RULES_VERSION } from './aliases.ts';
export { describeProduct, productIdOf, productKey, serverProductIds } from './product-key.ts';
