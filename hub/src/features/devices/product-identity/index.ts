// Product identity: which apps of several platforms and sources are one product.
// Main types: product key (text) and product id (its hash).
// Invariants: pure; the same entity has the same key in every process; changed rules raise `PRODUCT_RULES_VERSION`.
// Depends on shared wire types only. See ADR 0024.
// Start reading at product-key.ts; known names are in aliases.json.
export { PRODUCT_RULES_VERSION } from './aliases.ts';
export { describeProduct, productIdOf, productKey, serverProductIds } from './product-key.ts';
