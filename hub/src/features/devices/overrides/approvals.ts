// The devices that approvals cover: drift there awaits a review.
import { qualifiersOf } from '@gatewarden/shared/match-qualifiers.ts';
import { isInForce, matches } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ApprovalAudience } from '../drift/baseline.ts';
import { type DriftedEntity, deleteDrifts, selectDriftedEntities } from '../drift/drift-store.ts';
import { processFactsOf } from '../drift/holds.ts';
import { selectMemberships } from '../groups/index.ts';
import { selectDevicesInScope } from '../inventory/scope-store.ts';
import { aimsAt, hasExpiredBy, type StoredOverride } from '../sync/snapshot.ts';
import { selectApprovals } from './store.ts';

/** Returns the entities that an approval in force covers on their device, in any scope. */
export async function selectApproved(
  tx: Tx,
  tenantId: string,
  found: readonly DriftedEntity[],
): Promise<DriftedEntity[]> {
  if (found.length === 0) return [];
  const now = Date.now();
  const ids = [...new Set(found.map((entity) => entity.entity_id))];
  const approvals = await selectApprovals(tx, tenantId, ids);
  return filterCovered(
    tx,
    tenantId,
    approvals.filter((approval) => isInForce(approval, now)),
    found,
  );
}

/** Returns the entities that any of these approvals covers on their device. */
async function filterCovered(
  tx: Tx,
  tenantId: string,
  approvals: readonly StoredOverride[],
  found: readonly DriftedEntity[],
): Promise<DriftedEntity[]> {
  const groups = approvals.some((approval) => approval.scope_kind === 'group')
    ? await selectMemberships(tx, tenantId, [...new Set(found.map((entity) => entity.device_id))])
    : new Map<string, string[]>();
  const byEntity = Map.groupBy(approvals, (approval) => approval.match.entity_id);
  return found.filter((entity) => {
    const groupIds = groups.get(entity.device_id) ?? [];
    const named = byEntity.get(entity.entity_id) ?? [];
    return named.some((approval) => covers(approval, entity, groupIds));
  });
}

/**
 * Returns the audience of the approvals of an app, or of a single approval. Approvals that have not begun count, and rollouts
 * count as complete.
 */
export async function loadApprovalAudience(
  tx: Tx,
  tenantId: string,
  entityId: string,
  overrideId?: string,
): Promise<ApprovalAudience> {
  const now = Date.now();
  const meant = (await selectApprovals(tx, tenantId, [entityId]))
    .filter((approval) => !hasExpiredBy(approval, now))
    .filter((approval) => overrideId === undefined || approval.override_id === overrideId)
    .map((approval) => ({ ...approval, rollout_percent: 100 }));
  const isForAll = meant.some((row) => row.scope_kind === 'tenant' && namesEntityOnly(row.match));
  if (isForAll) return 'everybody';
  return {
    among: (_tx, _id, found) => filterCovered(tx, tenantId, meant, found),
    only: await resolveSmallAudience(tx, tenantId, meant),
  };
}

/** Maximum of users and devices that are resolved to devices. */
const SMALL_AUDIENCE_MAX = 50;

/** Returns the devices of overrides for few devices or users; null if they may be for many. */
export async function resolveSmallAudience(
  tx: Tx,
  tenantId: string,
  decisions: readonly Pick<StoredOverride, 'scope_kind' | 'scope_id'>[],
): Promise<string[] | null> {
  const aims = Map.groupBy(decisions, (decision) => decision.scope_kind);
  if (aims.has('tenant') || aims.has('group')) return null;
  const idsOf = (kind: 'device' | 'subscriber') =>
    new Set((aims.get(kind) ?? []).map((row) => row.scope_id));
  const devices = idsOf('device');
  const people = idsOf('subscriber');
  if (devices.size + people.size > SMALL_AUDIENCE_MAX) return null;
  for (const subscriber_id of people) {
    const scope = { kind: 'subscriber', subscriber_id } as const;
    for (const device of await selectDevicesInScope(tx, tenantId, scope))
      devices.add(device.device_id);
  }
  return [...devices];
}

const namesEntityOnly = (match: OverrideMatch) =>
  Object.keys(qualifiersOfApproval(match)).length === 1;

/** Returns the match without qualifiers of processes: name and file of a process are unknown for an installed app. */
function qualifiersOfApproval(match: OverrideMatch): OverrideMatch {
  const known = qualifiersOf(match).filter(({ qualifier }) => qualifier.subject !== 'process');
  return Object.fromEntries(known.map(({ name, value }) => [name, value]));
}

function covers(
  approval: StoredOverride,
  found: DriftedEntity,
  groupIds: readonly string[],
): boolean {
  const audience = { deviceId: found.device_id, subscriberId: found.subscriber_id, groupIds };
  if (!aimsAt(approval, audience)) return false;
  return matches(found, processFactsOf(found), qualifiersOfApproval(approval.match)) !== null;
}

/**
 * Deletes the drift of apps that are no longer approved on their device, after a decision changed. Returns the devices. Their
 * launches were not reviewed.
 */
export async function deleteUnapprovedDrifts(
  tx: Tx,
  tenantId: string,
  entityId: string,
): Promise<string[]> {
  const drifted = await selectDriftedEntities(tx, tenantId, entityId);
  if (drifted.length === 0) return [];
  const approved = new Set(await selectApproved(tx, tenantId, drifted));
  const gone = drifted.filter((entity) => !approved.has(entity)).map((entity) => entity.device_id);
  if (gone.length > 0) await deleteDrifts(tx, tenantId, entityId, gone);
  return gone;
}
