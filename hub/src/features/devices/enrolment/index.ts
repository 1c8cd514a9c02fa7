// Enrolment: what other features, server.ts and the command line may use.
export { admitDevice } from './admit-device.ts';
export { noticeClaims } from './claims.ts';
export { addDeviceGate, type DeviceGate } from './gate.ts';
export { registerEnrolment } from './routes.ts';
export { checkDevice } from './rules.ts';
export { createSightings, type Sightings } from './sightings.ts';
export {
  type AgentToken,
  hasDevice,
  type LockedDevice,
  lockDevices,
  lockOrEnrol,
  MAX_SCAN,
  NEW_EPOCH,
  type PolledDevice,
  selectDeviceState,
  updateDevices,
} from './store.ts';
export { registerAgentTokens } from './token-routes.ts';
export { findAgentToken } from './token-store.ts';
export {
  createAgentToken,
  forgetAgentTokens,
  ISSUED_AGENT_TOKENS,
  revokeAgentToken,
  TOKEN_CACHE,
} from './tokens.ts';
