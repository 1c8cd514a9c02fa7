// An approval that counts again, only now, or for more: what devices have that was not seen when it was given waits for a
// review.
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, readSeen, seenRows, unseenAmong } from './baseline.ts';
import {
  insertSeen,
  type Present,
  type PresentProduct,
  presentPages,
  selectMayDrift,
} from './baseline-store.ts';
import { mayDrift } from './detect.ts';
import { type DriftRow, insertDrifts } from './drift-store.ts';
import { LOOKED_AT, meantBy, NOBODY_YET } from './fingerprint.ts';

type Which = Pick<Present, 'only' | 'since'>;

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
  which: Which = {},
): Promise<boolean> {
  const drifts: DriftRow[] = [];
  for await (const page of unseenPages(tx, tenantId, entityId, approvedAmong, which)) {
    drifts.push(...page.drifts);
    if (page.first.length === 0) continue;
    const forms = meantBy(page.first.map((installation) => installation.told));
    await insertSeen(tx, tenantId, seenRows(entityId, forms));
  }
  return insertDrifts(tx, tenantId, drifts, new Map());
}

/** The devices of which `holdPresent` would write something as of now. Locks nothing, and writes nothing. */
export async function findUnseen(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  which: Which,
): Promise<string[]> {
  const found: string[] = [];
  for await (const page of unseenPages(tx, tenantId, entityId, approvedAmong, which)) {
    found.push(...[...page.drifts, ...page.first].map((drift) => drift.found.device_id));
  }
  return found;
}

/** By pages what is not as it was seen, or, where nobody had it yet, says what was meant. */
async function* unseenPages(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  which: Which,
): AsyncGenerator<{ drifts: DriftRow[]; first: PresentProduct[] }> {
  if ((await selectMayDrift(tx, tenantId, entityId)) !== true) return;
  for await (const page of presentPages(tx, tenantId, entityId, which)) {
    const found = page.map((installation) => installation.found);
    const approved = new Set(await approvedAmong(tx, tenantId, found));
    const sights = page.filter((installation) => approved.has(installation.found) && mayDrift(installation.told));
    if (sights.length === 0) continue;
    const { formed, seen } = await readSeen(tx, tenantId, sights);
    const ofIt = seen.get(entityId);
    if (ofIt?.has(LOOKED_AT) === true) yield { drifts: unseenAmong(formed, seen), first: [] };
    else if (ofIt?.has(NOBODY_YET) === true) yield { drifts: [], first: sights };
    else return;
  }
}
