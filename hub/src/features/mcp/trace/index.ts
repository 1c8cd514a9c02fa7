// The trace of a logged call: which check allowed or blocked it, in the order of the checks.
// Main types: `ChainDeps`, `CalledEvent`.
// Invariant: the trace shows the recorded decision, and marks what changed since the call.
// Depends on access-policies, guardrails, tool-pinning, call-approvals, access-tokens, backends and logs.
// Start reading at `chainOf` in chain.ts.
export { type TraceDeps, traceCall } from './chain.ts';
export { type CalledEvent, distinct, foundIn, outcomeOf } from './event.ts';
export { registerCallTrace } from './routes.ts';
