// Which approvals count where: what drifts there has to be reviewed.
import { isInForce, matches } from '@gatewarden/shared/policy.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { selectMemberships } from '../groups/index.ts';
import { type DriftedEntity, deleteDrifts, selectDrifted } from '../inventory/index.ts';
import { factsOf } from './drift-holds.ts';
import { aimsAt, type StoredOverride } from './snapshot.ts';
import { selectApprovals } from './store.ts';

/** Those for which some approval in force names the application on that device, in whatever scope. */
export async function approvedAmong(
  tx: Tx,
  tenantId: string,
  found: readonly DriftedEntity[],
): Promise<DriftedEntity[]> {
  if (found.length === 0) return [];
  const now = Date.now();
  const ids = [...new Set(found.map((one) => one.entity_id))];
  const approvals = (await selectApprovals(tx, tenantId, ids)).filter((one) => isInForce(one, now));
  const groups = approvals.some((one) => one.scope_kind === 'group')
    ? await selectMemberships(tx, tenantId, [...new Set(found.map((one) => one.device_id))])
    : new Map<string, string[]>();
  const byEntity = Map.groupBy(approvals, (one) => one.match.entity_id);
  return found.filter((one) => {
    const groupIds = groups.get(one.device_id) ?? [];
    const named = byEntity.get(one.entity_id) ?? [];
    return named.some((approval) => covers(approval, one, groupIds));
  });
}

function covers(
  approval: StoredOverride,
  found: DriftedEntity,
  groupIds: readonly string[],
): boolean {
  const audience = { deviceId: found.device_id, subscriberId: found.subscriber_id, groupIds };
  if (!aimsAt(approval, audience)) return false;
  // A version that the approval does not reach any more is not what drifts out of it; which file it runs is not known, nor
  // what its processes are called.
  const { executable_sha256: _hash, name: _name, ...match } = approval.match;
  return matches(found, factsOf(found), match) !== null;
}

/**
 * After a decision changed: what drifted and is approved there no more waits for no review. Gives the devices; nobody has
 * looked at what they have.
 */
export async function forgetUnapproved(
  tx: Tx,
  tenantId: string,
  entityId: string,
): Promise<string[]> {
  const drifted = await selectDrifted(tx, tenantId, entityId);
  if (drifted.length === 0) return [];
  const approved = new Set(await approvedAmong(tx, tenantId, drifted));
  const gone = drifted.filter((one) => !approved.has(one)).map((one) => one.device_id);
  if (gone.length > 0) await deleteDrifts(tx, tenantId, entityId, gone);
  return gone;
}
