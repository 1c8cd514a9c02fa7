// Enrollment: how a machine becomes a device, and how each later request proves which device sent it.
// Main types: `AgentToken` (admits new devices), `DeviceGate` (authenticates requests), `LockedDevice`, `Sightings`.
// Invariants: after enrollment a device is named only by its own token; a claimed device id never moves to another token.
// Depends on the platform and on people/identity. All other rooms of the devices wing depend on this room.
// Start reading at `addDeviceGate` in device-auth.ts.
export { admitDevice } from './admit-device.ts';
export { checkDevice } from './check-device.ts';
export { addDeviceGate, type DeviceGate } from './device-auth.ts';
export { noticeClaims } from './device-id-claims.ts';
export { createSightings, type Sightings } from './last-seen.ts';
export { registerEnrolment } from './routes.ts';
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
