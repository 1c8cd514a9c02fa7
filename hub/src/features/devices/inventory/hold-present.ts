// An approval that counts again, or only now: what devices have that was not seen when it was given waits for a review.
import type { Tx } from '../../../platform/db/database.ts';
import { type DriftRow, insertDrifts } from './drift-store.ts';
import type { ApprovedAmong } from './keep-drifts.ts';
import { LOOKED_AT } from './launch-forms.ts';
import { readSeen, unseenAmong } from './seen-launches.ts';
import { selectMayDrift, selectPresent } from './seen-store.ts';

const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Holds all that devices have of an approved product against what was seen. While no approval counted nothing of what came
 * was: ingest asks only for what comes. Of what was approved before this was kept nothing is known; there it does nothing.
 * `since`: only of devices that said something new of it from then on. True where something waits now.
 */
export async function holdPresent(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  since: Date | null = null,
): Promise<boolean> {
  if ((await selectMayDrift(tx, tenantId, entityId)) !== true) return false;
  const drifts: DriftRow[] = [];
  let after = BEFORE_ALL;
  for (;;) {
    const page = await selectPresent(tx, tenantId, entityId, { after, since, limit: PAGE });
    const found = page.map((one) => one.found);
    const approved = new Set(await approvedAmong(tx, tenantId, found));
    const sights = page.filter((one) => approved.has(one.found));
    const { formed, seen } = await readSeen(tx, tenantId, sights);
    if (sights.length > 0 && seen.get(entityId)?.has(LOOKED_AT) !== true) return false;
    drifts.push(...unseenAmong(formed, seen));
    const last = found.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.device_id;
  }
  return insertDrifts(tx, tenantId, drifts, new Map());
}
