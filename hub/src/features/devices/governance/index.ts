// Governance: what server.ts may use.
import type { Db } from '../../../platform/db/database.ts';
import { matchText } from './rules.ts';
import { selectMatchesForGroup } from './store.ts';

export { advanceRollouts } from './advance-rollouts.ts';
export { answerInForce } from './answer-in-force.ts';
export { approvedAmong, meantFor } from './approvals.ts';
export { registerBulkDecisions } from './bulk-routes.ts';
export { coveredByName } from './covered-by-name.ts';
export { registerDefaultPolicies } from './default-routes.ts';
export { registerDelta } from './delta.ts';
export { registerDeviceDecisions } from './device-decisions.ts';
export { registerDriftPolicy } from './drift-policy-routes.ts';
export { registerEmergencyStop } from './emergency-stop.ts';
export { eraseDecisionsFor } from './erase-decisions.ts';
export { forgetFarewells } from './forget-farewells.ts';
export { type DriftHolds, startDriftHolds } from './hold-drift.ts';
export { holdUnseen, lookAtApproved } from './hold-unseen.ts';
export { heldNow } from './in-force.ts';
export { loadPoliciesInForce } from './policies-in-force.ts';
export { previewOverrides } from './preview.ts';
export { registerRolloutPages } from './rollout-routes.ts';
export { countStoppedRollouts } from './rollout-store.ts';
export { registerGovernancePages } from './routes.ts';
export { joinScope, overrideFacts, splitScope } from './rules.ts';
export { settleDecided } from './settle-decided.ts';
export { hashOfPerson, rolloutAdmits } from './snapshot.ts';
export { createSnapshots, readSnapshot, type Snapshots } from './snapshots.ts';
export { otherDecisions } from './standing.ts';
export {
  checkGroup,
  checkNotDecidedSince,
  storeChange,
  storeDecision,
  storeNew,
} from './write.ts';

/** What the decisions that hold for a device group are about. */
export async function decisionsForGroup(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<string[]> {
  return (await selectMatchesForGroup(db, tenantId, groupId)).map(matchText);
}
export { DISCOVERY_SCOPE } from './discovery-scope.ts';
export { registerFollowedSetting } from './followed-setting.ts';
export {
  type NewOverride,
  type OverrideRecord,
  selectOverridesByIds,
  selectOverridesOfPolicies,
} from './store.ts';
export { TRAY_SETTING } from './tray-setting.ts';
