// Prices of models: a public price list, and the prices that an organization sets instead.
// Main types: `PriceOverrides`, `PricedProvider`, `ListPrice`.
// Invariant: a provider's own price precedes the organization's, which precedes the list's; a cost is calculated once, when
// the row of a request is stored. Start reading at find-price.ts; the data is in price-list.ts.
export { findPrice } from './find-price.ts';
export { registerPrices } from './routes.ts';
export { selectPriceOverrides } from './store.ts';
