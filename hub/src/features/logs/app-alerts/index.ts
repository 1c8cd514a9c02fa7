// App alerts: reports apps and providers whose requests fail, and their recovery, by mail and webhook.
// Main types: `AlertingApp` (configuration), `AlertState` (ok or failing), `AppAlertFacts` (of a message).
// Invariants: a change of state and its deliveries are stored together, so a single hub process notifies.
// Depends on events for request counts, and on platform/delivery and platform/jobs.
// Start reading at failure-state.ts, then evaluate.ts and deliver.ts.
export { startAppAlerts } from './start.ts';
export type { AlertingApp, AppAlertDeps, AppAlerts } from './types.ts';
