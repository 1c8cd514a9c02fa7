// The MCP gateway itself: what the composition may use.
export { type CallLog, createCallLog } from './call-log.ts';
export { type ClientStreams, createClientStreams } from './client-streams.ts';
export { createEventLog, type EventLog } from './event-log.ts';
export { STREAM_TIMINGS, type StreamTimings } from './event-stream.ts';
export { createGuard, type Guard } from './guard.ts';
export { gatewayJobs } from './jobs.ts';
export { instructionsNow, toolsOf } from './listing.ts';
export { createLists, type Lists } from './lists.ts';
export { createMail, type Mail } from './mail.ts';
export { registerGateway } from './routes.ts';
export { createRunning, type Running } from './running.ts';
export { type ClientSession, SEALED_MAIL, SEALED_SESSIONS } from './store.ts';
export { SEALED_EVENTS } from './stream-store.ts';
export { endingWhenTakenBack } from './taken-back.ts';
export {
  type Backend,
  KeyMissing,
  PersonGone,
  ServerDenied,
  TokenRefused,
  unavailable,
} from './targets.ts';
export { createUpstreams } from './upstream.ts';
export type { Upstreams } from './upstreams.ts';
