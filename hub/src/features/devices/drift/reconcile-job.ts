// The job that compares devices which an approval reached without a report: apps that arrived while they were being approved,
// approvals that begin by time, and devices that join a group or change their user. Each run reads everything since the
// previous run and a bit more, so that any hub may run it at any time and nothing is missed after a downtime.
import { type Db, readConsistently, type Tx, transact } from '../../../platform/db/database.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { resolveSmallAudience, selectApproved } from '../overrides/approvals.ts';
import { selectApprovals } from '../overrides/store.ts';
import { findDriftedDevices, recordDriftOfPresent } from './detect.ts';
import {
  type ReachedApp,
  selectApprovedSince,
  selectMoved,
  selectWindow,
  updateReconciledUntil,
} from './reconcile-store.ts';

/**
 * Compares what approvals reached since the previous successful run. Safe to repeat, and for many hubs at once. Calls
 * `driftChanged` in the transaction that records drift. Throws after all others if an app failed; the next run repeats it.
 */
export async function reconcileApprovals(
  db: Db,
  driftChanged: (tx: Tx, tenantId: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const { since, now } = await selectWindow(db);
  const reached = [...(await selectApprovedSince(db, since)), ...(await selectMoved(db, since))];
  await forEachIsolated(reached, 'some approvals were not compared', (app) =>
    reconcileApp(db, app, driftChanged),
  );
  await updateReconciledUntil(db, now);
}

/** Reads first without a lock, because mostly nothing differs and an administrator who decides would wait. */
async function reconcileApp(
  db: Db,
  { tenant_id: tenantId, entity_id: entityId, filter }: ReachedApp,
  driftChanged: (tx: Tx, tenantId: string) => Promise<void>,
): Promise<void> {
  const only = await readConsistently(db, async (tx) => {
    const approvals = await selectApprovals(tx, tenantId, [entityId]);
    const audience = filter.only ?? (await resolveSmallAudience(tx, tenantId, approvals));
    const devices = { ...filter, only: audience };
    return findDriftedDevices(tx, tenantId, entityId, selectApproved, devices);
  });
  if (only.length === 0) return;
  await transact(db, async (tx) => {
    await lockFeed(tx, tenantId, 'governance');
    if (await recordDriftOfPresent(tx, tenantId, entityId, selectApproved, { only })) {
      await driftChanged(tx, tenantId);
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
    }
  });
}
