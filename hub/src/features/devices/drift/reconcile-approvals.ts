// The jobs that keep what an approval was given for where the approval itself could not: what came at the same time, and
// what was approved before that was kept.
import { type Db, readConsistently, type Tx, transact } from '../../../platform/db/database.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { resolveSmallAudience, selectApproved } from '../overrides/approvals.ts';
import { selectApprovals } from '../overrides/store.ts';
import { findDriftedDevices, recordDriftOfPresent } from './detect.ts';
import {
  type ApprovedProduct,
  selectRecentlyApproved,
  selectRecentlyInScope,
  selectReconcileWindow,
  storeReconcileWatermark,
} from './reconcile-store.ts';

type DriftChanged = (tx: Tx, tenantId: string) => Promise<void>;

const FAILURE_MESSAGE = 'some approvals were not looked at';
/** Longer than a batch and an approval take that do not see each other, and than clocks of hub and database differ. */
const IN_FLIGHT_MS = 5 * 60_000;
/** So long what fails is tried again with everything that is as new; one product must not hold all others back for good. */
const RETRY_WINDOW_MS = 60 * 60_000;

/**
 * What came while it was being approved: ingest did not see the approval yet, nor the approval what came. And what a device
 * had when it came under an approval of its group or person. Since the last time that all was looked at, however long ago.
 * Safe to repeat, by many hubs at once. Tells `driftChanged` in the transaction of what then waits.
 */
export async function reconcileApprovals(
  db: Db,
  driftChanged: DriftChanged = async () => undefined,
): Promise<void> {
  const { since: from, until } = await selectReconcileWindow(db);
  const approved = (await selectRecentlyApproved(db, from)).map(({ since, ...row }) => ({
    ...row,
    which: { since: since && new Date(since.getTime() - IN_FLIGHT_MS) },
  }));
  const reached = (await selectRecentlyInScope(db, from)).map(({ only, ...row }) => ({
    ...row,
    which: { only },
  }));
  try {
    await forEachIsolated([...approved, ...reached], FAILURE_MESSAGE, (row) =>
      reconcileApproval(db, row, driftChanged),
    );
  } catch (error) {
    await storeReconcileWatermark(db, new Date(until.getTime() - RETRY_WINDOW_MS));
    throw error;
  }
  await storeReconcileWatermark(db, until);
}

/**
 * Looks without a lock first, as of one moment: mostly there is nothing, and whoever decides would wait meanwhile. A decision
 * that is stored after that moment looks itself, and is found by its time.
 */
async function reconcileApproval(
  db: Db,
  product: ApprovedProduct & { which: { only?: string[]; since?: Date | null } },
  driftChanged: DriftChanged,
): Promise<void> {
  const { tenant_id: tenantId, entity_id: entityId, which } = product;
  const only = await readConsistently(db, async (tx) => {
    const few =
      which.only ??
      (await resolveSmallAudience(tx, tenantId, await selectApprovals(tx, tenantId, [entityId])));
    return findDriftedDevices(tx, tenantId, entityId, selectApproved, { ...which, only: few });
  });
  if (only.length === 0) return;
  await transact(db, async (tx) => {
    // Behind the feed's lock: somebody may be deciding about it.
    await lockFeed(tx, tenantId, 'governance');
    if (await recordDriftOfPresent(tx, tenantId, entityId, selectApproved, { only })) {
      await driftChanged(tx, tenantId);
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
    }
  });
}
