// Governance: what server.ts may use.
export { registerDelta } from './delta.ts';
export { registerEmergencyStop } from './emergency-stop.ts';
export { registerGovernancePages } from './routes.ts';
export { createSnapshots } from './snapshots.ts';
