// Forgets what left a scope long ago. What is forgotten and which cursors can still be answered move together: all of a
// tenant in one transaction, and a snapshot reads both as of one moment.
import { type Db, transact } from '../../../platform/db/database.ts';
import {
  markFeeds,
  raiseFloor,
  selectPrunableFeeds,
} from '../../../platform/feed/feed-retention.ts';
import { forgetGroupDepartures } from '../groups/index.ts';
import { deleteDepartures } from '../overrides/store.ts';

/** A device that was not heard for longer starts again without a cursor. */
const TOMBSTONE_RETENTION_DAYS = 90;

/** Safe to repeat, in any hub process. */
export async function pruneTombstones(db: Db, now: Date): Promise<void> {
  await markFeeds(db, 'governance', now);
  const before = new Date(now.getTime() - TOMBSTONE_RETENTION_DAYS * 86_400_000);
  for (const { tenant_id: tenantId, n } of await selectPrunableFeeds(db, 'governance', before)) {
    await transact(db, async (tx) => {
      await raiseFloor(tx, tenantId, 'governance', n);
      await deleteDepartures(tx, tenantId, n);
      await forgetGroupDepartures(tx, tenantId, n);
    });
  }
}
