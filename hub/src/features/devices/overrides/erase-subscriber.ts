// What names a person among the decisions, taken away with them.
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
 * Withdraws the decisions for a person, and overwrites whom they and those before them were for, and why; what the last
 * approval of a product was given for goes with it. Gives the ids of those that stood, and whether any ever did. To be
 * called before devices are locked: the feed's lock comes first everywhere.
 */
export async function eraseOverridesOfSubscriber(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  by: { email: string; now: Date; erased: string },
): Promise<{ stood: string[]; hadAny: boolean }> {
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
  return { stood: inForce.map((override) => override.override_id), hadAny: last > 0 };
}
