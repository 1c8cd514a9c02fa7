// Connections from the gateway to MCP servers: requests, sessions, streams, timeouts, revocation and the circuit breaker.
// Main types: `Upstreams`, `UpstreamTarget`, `Backend`, `SessionOwner`, `CircuitBreaker`.
// Invariant: no credential of the client reaches a server, except at a passthrough server; each call has an idle and a total timeout.
// Depends on protocol and access-policies.
// Start reading at upstreams.ts (the interface) and streamable-http.ts (its implementation).
export { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
export { followWithRetry } from './follow.ts';
export { withRevocation } from './revocation.ts';
export { CHANNELS, type Channel, onSignals, sendSignal } from './signals.ts';
export {
  deleteOldUpstreamSessions,
  deleteUpstreamSessions,
  SEALED_SESSIONS,
  selectConnectedBackends,
} from './store.ts';
export { createUpstreams } from './streamable-http.ts';
export {
  type Backend,
  CredentialRequiredError,
  ServerDeniedError,
  ServerUnreachableError,
  type SessionOwner,
  TokenRejectedError,
  type UpstreamTarget,
  UserRemovedError,
  unavailableError,
} from './targets.ts';
export type { Upstreams } from './upstreams.ts';
export { withCircuitBreaker } from './with-circuit-breaker.ts';
