// Why a tool call went as it did: what the composition may use.
export { type ChainDeps, chainOf } from './chain.ts';
export { type CalledEvent, distinct, foundIn, outcomeOf } from './event.ts';
export { registerToolCallWhy } from './routes.ts';
