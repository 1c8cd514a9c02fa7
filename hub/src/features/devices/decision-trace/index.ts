// Decision trace: the chain from an event, an alert or an override to its author and audit events.
// Main type: `Chain` (trace.ts).
// Invariant: the trace shows what a device reported; it evaluates nothing again. The status of an app, such as pending, is
// in inventory/application-status-store.ts.
// Depends on access-requests, inventory and overrides. Start reading at `chainOf` in trace.ts.
export { registerWhy } from './routes.ts';
