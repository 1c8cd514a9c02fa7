// The jobs that keep what an approval was given for where the approval itself could not: what came at the same time, and
// what was approved before that was kept.
import { type Db, transact } from '../../../platform/db/database.ts';
import { eachByItself } from '../../../platform/each.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { holdPresent, rememberSeen } from '../inventory/index.ts';
import { approvedAmong } from './approvals.ts';
import { selectApprovedLately, selectNeverLooked } from './decided-store.ts';
import { selectApprovals } from './store.ts';

const COMPLAINT = 'some approvals were not looked at';
/** Longer than a batch and an approval take that do not see each other. */
const UNDERWAY_MS = 60_000;

/**
 * What came while it was being approved: ingest did not see the approval yet, nor the approval what came. Safe to repeat, by
 * many hubs at once.
 */
export async function holdUnseen(db: Db): Promise<void> {
  await eachByItself(await selectApprovedLately(db), COMPLAINT, async (one) => {
    const { tenant_id: tenantId, entity_id: entityId } = one;
    const since = new Date(one.since.getTime() - UNDERWAY_MS);
    await transact(db, async (tx) => {
      // Behind the feed's lock: somebody may be deciding about it.
      await lockFeed(tx, tenantId, 'governance');
      if (await holdPresent(tx, tenantId, entityId, approvedAmong, since)) {
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
      }
    });
  });
}

/** In one run of the job, so that it ends; the next comes within a minute. */
const NEVER_LOOKED_MAX = 200;

/**
 * What was approved before it was kept what that was for: what the devices have that do not wait was seen. Else the first
 * batch that brings such things reads it of all devices, product by product, while it holds its own.
 */
export async function lookAtApproved(db: Db): Promise<void> {
  await eachByItself(await selectNeverLooked(db, NEVER_LOOKED_MAX), COMPLAINT, async (one) => {
    const { tenant_id: tenantId, entity_id: entityId } = one;
    await transact(db, async (tx) => {
      // Behind the feed's lock: somebody may be withdrawing it.
      await lockFeed(tx, tenantId, 'governance');
      const approvals = await selectApprovals(tx, tenantId, [entityId]);
      if (approvals.length > 0) await rememberSeen(tx, tenantId, entityId);
    });
  });
}
