// Rollouts: an override that reaches its devices in rings, each after a health check of the ring before.
// Main types: `StoredRollout`, `RingObservation`, `RolloutAction`.
// Invariants: raising the percentage only adds devices; a stopped rollout never advances by itself. See ADR 0030.
// Depends on overrides, activity and alerts.
// Start reading at rollout.ts (pure rules), then advance-rollouts.ts (the job).
export { advanceRollouts } from './advance-rollouts.ts';
export { registerRolloutPages } from './routes.ts';
export { countStoppedRollouts } from './store.ts';
