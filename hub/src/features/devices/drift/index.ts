// Drift: an approval covers the launches and permissions that were observed when it was given. Other ones need a review.
// Main types: `LaunchFingerprints`, `Drift`, `LaunchObservation`, `Hold` (a stricter override for one device).
// Invariants: a changed launch or a wider permission reopens the approval, per device; a hold never allows more than before.
// Depends on the inventory's tables and on overrides (which approvals apply where). See docs/explanation/drift-and-approvals.md.
// Start reading at detect.ts, then baseline.ts (the precedent), holds.ts (the consequence) and reconcile-job.ts.

export { type DriftMonitor, startDriftMonitor } from './hold-job.ts';
export { reconcileApprovals } from './reconcile-job.ts';
export { registerDriftPolicy } from './routes.ts';
