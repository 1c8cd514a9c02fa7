// An approval that counts again, only now, or for more: what devices have that was not seen when it was given waits for a
// review.
import type { Tx } from '../../../platform/db/database.ts';
import { mayDrift } from './drift.ts';
import { type DriftRow, insertDrifts } from './drift-store.ts';
import { LOOKED_AT, NOBODY_YET, seenOf } from './launch-forms.ts';
import { type ApprovedAmong, readSeen, seenRows, unseenAmong } from './seen-launches.ts';
import { insertSeen, type Present, presentPages, selectMayDrift } from './seen-store.ts';

/**
 * Holds what devices have of an approved product against what was seen. While no approval counted for them nothing of what
 * came was: ingest asks only for what comes. Where nobody had it yet for whom it is approved, the first of these say what was
 * meant. Of what was approved before this was kept nothing is known; there it does nothing. True where something waits now.
 */
export async function holdPresent(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  which: Pick<Present, 'only' | 'since'> = {},
): Promise<boolean> {
  if ((await selectMayDrift(tx, tenantId, entityId)) !== true) return false;
  const drifts: DriftRow[] = [];
  for await (const page of presentPages(tx, tenantId, entityId, which)) {
    const found = page.map((one) => one.found);
    const approved = new Set(await approvedAmong(tx, tenantId, found));
    const sights = page.filter((one) => approved.has(one.found) && mayDrift(one.told));
    if (sights.length === 0) continue;
    const { formed, seen } = await readSeen(tx, tenantId, sights);
    const ofIt = seen.get(entityId);
    if (ofIt?.has(LOOKED_AT) === true) drifts.push(...unseenAmong(formed, seen));
    else if (ofIt?.has(NOBODY_YET) !== true) return false;
    else await insertSeen(tx, tenantId, seenRows(entityId, seenOf(sights.map((one) => one.told))));
  }
  return insertDrifts(tx, tenantId, drifts, new Map());
}
