// Effects of a stored change of an override on the recorded decision, drift and baselines of the apps that it names.
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, recordBaseline } from '../drift/baseline.ts';
import { deleteBaseline } from '../drift/baseline-store.ts';
import { recordDriftOfPresent } from '../drift/detect.ts';
import { deleteDrifts } from '../drift/drift-store.ts';
import { recordDecision } from '../inventory/scope-store.ts';
import { rolloutAdmits } from '../sync/snapshot.ts';
import {
  deleteUnapprovedDrifts,
  loadApprovalAudience,
  resolveSmallAudience,
  selectApproved,
} from './approvals.ts';
import { classifyOverrideChange, type OverrideChange } from './classify-change.ts';
import { decidedProduct } from './override-rules.ts';
import { selectProductDecision } from './product-decision-store.ts';
import { type OverrideRecord, selectApprovals } from './store.ts';

/** Applies the effects in the caller's transaction; `before` is null for a new override. */
export async function applyOverrideEffects(
  tx: Tx,
  tenantId: string,
  before: OverrideRecord | null,
  after: OverrideRecord,
): Promise<void> {
  const change = classifyOverrideChange(before, after, after.updated_at);
  const versions = before === null ? [after] : [before, after];
  const entityIds = [...new Set(versions.flatMap(({ match }) => match.entity_id ?? []))].sort();
  const released = new Map<string, string[]>();
  for (const entityId of entityIds) {
    released.set(entityId, await deleteUnapprovedDrifts(tx, tenantId, entityId));
  }
  const reviewed = await recordDecisions(tx, tenantId, versions, change.reviewsDrift);
  if (change.kind === 'broadened') reviewed.add(after.match.entity_id);
  for (const entityId of entityIds) {
    const approvals = await selectApprovals(tx, tenantId, [entityId]);
    if (approvals.length === 0) await deleteBaseline(tx, tenantId, entityId);
    else if (reviewed.has(entityId)) {
      // An approval for a few devices reviews nothing on devices of other approvals.
      const overrideId = change.kind === 'broadened' ? after.override_id : undefined;
      const audience = await loadApprovalAudience(tx, tenantId, entityId, overrideId);
      const excluded = released.get(entityId) ?? [];
      await recordBaseline(tx, tenantId, entityId, { audience, excluded });
    } else await compareReached(tx, tenantId, entityId, { change, before, after });
  }
}

/** Records what is decided about the apps that an override names as a whole. Returns apps whose drift was reviewed. */
async function recordDecisions(
  tx: Tx,
  tenantId: string,
  versions: readonly OverrideRecord[],
  reviewsDrift: boolean,
): Promise<Set<string | undefined>> {
  const reviewed = new Set<string | undefined>();
  for (const entityId of new Set(versions.map(decidedProduct))) {
    if (entityId === null) continue;
    const cleared = reviewsDrift ? await deleteDrifts(tx, tenantId, entityId) : 0;
    if (cleared > 0) reviewed.add(entityId);
    const decision = await selectProductDecision(tx, tenantId, entityId);
    await recordDecision(tx, tenantId, entityId, decision);
  }
  return reviewed;
}

/** Compares devices that an approval reaches again, or with a later ring of its rollout. */
async function compareReached(
  tx: Tx,
  tenantId: string,
  entityId: string,
  {
    change,
    before,
    after,
  }: {
    change: OverrideChange;
    before: OverrideRecord | null;
    after: OverrideRecord;
  },
): Promise<void> {
  if (before === null) return;
  if (change.kind !== 'reactivated' && change.kind !== 'rolloutAdvanced') return;
  const only = await resolveSmallAudience(tx, tenantId, [after]);
  const reached = change.kind === 'reactivated' ? selectApproved : reachedByLaterRing(before);
  await recordDriftOfPresent(tx, tenantId, entityId, reached, { only });
}

/** Returns a filter for approved entities on devices that the previous percentage did not admit. */
function reachedByLaterRing(before: OverrideRecord): ApprovedAmong {
  return async (tx, tenantId, entities) =>
    (await selectApproved(tx, tenantId, entities)).filter(
      ({ device_id: deviceId }) =>
        !rolloutAdmits(before.override_id, deviceId, before.rollout_percent),
    );
}
