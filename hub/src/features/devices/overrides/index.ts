// Overrides: the policies of a tenant for apps, devices, groups and users, and the routes that change them.
// Main types: `OverrideRecord` (as stored), `NewOverride`, `OverrideChange`.
// Invariants: every change has its own feed revision and audit event; a write with a stale version is rejected with 412.
// Depends on groups, inventory, drift, rollouts and sync. Products, access requests and traces depend on this room.
// Start reading at write-override.ts; pure rules are in override-rules.ts, the overrides in force on a device
// in in-force.ts, and the status of an app in inventory/application-status-store.ts.

export { applyTimedDecisions } from './apply-timed-decisions.ts';
export { loadApprovalAudience, selectApproved } from './approvals.ts';
export { registerBulkDecisions } from './bulk-routes.ts';
export { coveredByName } from './covered-by-name.ts';
export { registerDeviceDecisions } from './device-routes.ts';
export { decideAboutApps, selectReleasedStarts, selectStoppedApps } from './device-verdicts.ts';
export { eraseOverridesOfSubscriber } from './erase-subscriber.ts';
export { selectExistingOverrides } from './existing-overrides.ts';
export { explainOverride } from './explain-override.ts';
export { describeGroupOverrides } from './group-overrides.ts';
export { loadOverridesInForce } from './in-force.ts';
export { loadInForcePage } from './in-force-response.ts';
export { joinScope, overrideFacts, splitScope } from './override-rules.ts';
export { loadPoliciesInForce } from './policies-in-force.ts';
export { registerGovernancePages } from './routes.ts';
export {
  type NewOverride,
  type OverrideRecord,
  selectOverridesByIds,
  selectOverridesOfPolicies,
} from './store.ts';
export {
  checkGroup,
  checkNotDecidedSince,
  storeChange,
  storeDecision,
  storeNew,
} from './write-override.ts';
