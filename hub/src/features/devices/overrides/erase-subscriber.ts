// Erases a user from overrides.
import type { Tx } from '../../../platform/db/database.ts';
import { advanceFeed, lockFeed } from '../../../platform/feed/feed.ts';
import { deleteBaseline } from '../drift/baseline-store.ts';
import { hashSubscriber } from '../sync/snapshot.ts';
import {
  eraseScope,
  recordErasedSubscriber,
  selectApprovals,
  selectOverridesFor,
  updateOverride,
} from './store.ts';

/**
 * Withdraws the overrides for a user, and overwrites scope and reason of these and of earlier ones. Baselines of apps without
 * another approval are deleted. Returns the withdrawn ids, and whether the user ever had an override. Must be called before
 * devices are locked, because the feed's lock comes first everywhere.
 */
export async function eraseOverridesOfSubscriber(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  by: { email: string; now: Date; erased: string },
): Promise<{ overrideIds: string[]; hadAny: boolean }> {
  await lockFeed(tx, tenantId, 'governance');
  const inForce = await selectOverridesFor(tx, tenantId, subscriberId);
  if (inForce.length > 0) {
    const last = await advanceFeed(tx, tenantId, 'governance', inForce.length);
    for (const [i, { sort_key: _key, ...override }] of inForce.entries()) {
      await updateOverride(tx, tenantId, override.version, {
        ...override,
        deleted: true,
        revision: last - inForce.length + 1 + i,
        updated_at: by.now,
        updated_by: by.email,
      });
    }
  }
  const last = await eraseScope(tx, tenantId, subscriberId, by.erased);
  if (last > 0) await recordErasedSubscriber(tx, tenantId, hashSubscriber(subscriberId), last);
  const named = [...new Set(inForce.flatMap((override) => override.match.entity_id ?? []))];
  const approvals = await selectApprovals(tx, tenantId, named);
  const approved = new Set(approvals.map((approval) => approval.match.entity_id));
  for (const entityId of named) {
    if (!approved.has(entityId)) await deleteBaseline(tx, tenantId, entityId);
  }
  return { overrideIds: inForce.map((override) => override.override_id), hadAny: last > 0 };
}
