// App alerts: detects apps and providers whose requests fail, and their recovery, and notifies the app's own targets.
// Main types: `AlertingApp` (configuration), `AlertState` (ok or failing), `AppAlertFacts` (of a message).
// Invariants: a change of state and its deliveries are stored together, so a single hub process notifies.
// Depends on events for request counts, and on notifications for deliveries.
// Start reading at failure-state.ts, then evaluate.ts.
export { createAppAlerts } from './evaluate.ts';
export { formatAppAlert } from './messages.ts';
export type { AppAlertFacts } from './store.ts';
export type { AlertingApp, AppAlerts } from './types.ts';
