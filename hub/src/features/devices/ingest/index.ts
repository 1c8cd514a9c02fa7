// Ingest: stores the batches of discovered apps that devices send, many devices in one transaction.
// Main types: `CommitBatch` (the stages over one transaction), `PendingBatch`, `DeviceMergeState`, `BatchAck`, `InventoryCache`.
// Invariants: a 202 means committed; the stored inventory does not depend on the order of batches; an older scan never
// overwrites a newer one. Depends on enrollment, drift and product-identity. See ADR 0011 and ADR 0032.
// Start reading at commit-batch.ts.
export type { Arrival, ArrivalPolicies } from './arrival-policies.ts';
export { deleteInventory, lockInventories } from './entity-store.ts';
export { eraseOutOfScope } from './erase-out-of-scope.ts';
export { registerIngest } from './routes.ts';
export {
  insertBatches,
  pairKey,
  pruneBatches as deleteOldBatches,
  selectBatches,
} from './scan-store.ts';
