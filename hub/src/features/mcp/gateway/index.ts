// The MCP gateway itself: what the composition may use.
export { type CallLog, createCallLog } from './call-log.ts';
export { createGuard, type Guard } from './guard.ts';
export { type Backend, toolsOf } from './methods.ts';
export { registerGateway } from './routes.ts';
export { type ClientSession, deleteOldSessions, SEALED_SESSIONS } from './store.ts';
export {
  createUpstreams,
  KeyMissing,
  TokenRefused,
  type Upstreams,
  unreachable,
} from './upstream.ts';
