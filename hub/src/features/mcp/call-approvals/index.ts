// Approvals of single tool calls by the caller or a reviewer.
// Main types: `Approvals`.
// Invariant: an approval lets through one call with the same arguments, once.
// Depends on the platform only; the composition adds notifications.
// Start reading at `createApprovals` in approvals.ts.
export { type Approvals, createApprovals } from './approvals.ts';
export { registerApprovals } from './routes.ts';
export { deleteOldApprovals, eraseApprovals, SEALED_APPROVALS, selectApproval } from './store.ts';
