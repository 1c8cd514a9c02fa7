// Sessions and streams of MCP clients: their lifecycle, open streams, resumable responses, and requests in flight.
// Main types: `RequestContext`, `ClientStreams`, `EventLog`, `ReplyChannel`, `RequestsInFlight`.
// Invariant: a session belongs to a single token and endpoint; each stream is revalidated after a revocation.
// Depends on catalog, guardrails, oauth, access-tokens, upstream and protocol.
// A revoked token ends open streams in client-streams.ts and requests in requests-in-flight.ts.
// Start reading at `authenticateRequest` in request-context.ts and `openGetStream` in get-stream.ts.
export { type ClientStreams, createClientStreams } from './client-streams.ts';
export { createEventLog, type EventLog } from './event-log.ts';
export { mayReachClient } from './filter-server-message.ts';
export { openGetStream } from './get-stream.ts';
export { gatewayJobs } from './jobs.ts';
export {
  endSession,
  initialize,
  notifyServers,
  setLogLevel,
  setSubscription,
} from './lifecycle.ts';
export { openListenStream } from './listen-stream.ts';
export {
  createReplyChannel,
  type Envelope,
  type ReplyChannel,
  type ReplyReceiver,
} from './reply-channel.ts';
export {
  allowOrigin,
  authenticateRequest,
  headerOf,
  isTenantOrigin,
  loadBackends,
  type RequestContext,
  resolveOwner,
  type SessionDeps,
  tokenHolder,
} from './request-context.ts';
export { createRequestsInFlight, type RequestsInFlight } from './requests-in-flight.ts';
export { openResponseStream, STREAM_TIMINGS, type StreamTimings } from './response-stream.ts';
export { sendToServer } from './send-to-server.ts';
export { type ClientSession, SEALED_REPLIES } from './store.ts';
export { SEALED_EVENTS } from './stream-store.ts';
