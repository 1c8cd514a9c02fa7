// The job that follows decisions which begin or end by themselves: what lists show of an application is what counts now.
import { type Db, transact } from '../../../platform/db/database.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { recordDecision } from '../inventory/scope-store.ts';
import { deleteUnapprovedDrifts } from './approvals.ts';
import {
  selectOutdatedDecisions,
  selectProductDecision,
  selectTimedTenants,
} from './product-decision-store.ts';

/** Safe to repeat, by many hubs at once. One that fails keeps no other back. */
export async function applyTimedDecisions(db: Db): Promise<void> {
  await forEachIsolated(
    await selectTimedTenants(db),
    'some decisions were not followed',
    async (tenantId) => {
      for (const entityId of await selectOutdatedDecisions(db, tenantId)) {
        await applyTimedDecision(db, tenantId, entityId);
      }
    },
  );
}

/** Drift that an approval still covers awaits its review. An approval that begins is compared by `reconcileApprovals`. */
function applyTimedDecision(db: Db, tenantId: string, entityId: string): Promise<void> {
  return transact(db, async (tx) => {
    // The lock of the feed orders this after a concurrent decision about the app.
    await lockFeed(tx, tenantId, 'governance');
    const decision = await selectProductDecision(tx, tenantId, entityId);
    await recordDecision(tx, tenantId, entityId, decision);
    await deleteUnapprovedDrifts(tx, tenantId, entityId);
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
  });
}
