// Keeps what drifted in a group of batches: what changed where it stood, and what a device has otherwise than it was seen.
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, holdSights, type Sight } from './baseline.ts';
import { insertSeen } from './baseline-store.ts';
import { type DriftedEntity, type DriftRow, insertDrifts } from './drift-store.ts';

/** Of what nobody approved there nothing is to be reviewed anew. True where something is. */
export async function keepDrifts(
  tx: Tx,
  tenantId: string,
  written: {
    drifts: readonly DriftRow[];
    firsts: readonly Sight[];
    former: ReadonlyMap<string, Facets>;
  },
  approvedAmong: ApprovedAmong,
): Promise<boolean> {
  const { drifts, firsts, former } = written;
  if (drifts.length + firsts.length === 0) return false;
  const found = [...drifts, ...firsts].map((drift) => drift.found);
  const before = firsts.flatMap((observation) => observation.before ?? []);
  const approved = new Set(await approvedAmong(tx, tenantId, [...found, ...before]));
  const changed = drifts.filter((drift) => approved.has(drift.found));
  const held = await holdSights(tx, tenantId, comingUnder(firsts, approved));
  const hasDrifted = await insertDrifts(tx, tenantId, [...changed, ...held.drifts], former);
  // Behind the drift, as a review does it.
  await insertSeen(tx, tenantId, held.learned);
  return hasDrifted;
}

/** Those that are approved as they are and were not as they were: whatever an approval reached before was looked at. */
export function comingUnder(
  firsts: readonly Sight[],
  approved: ReadonlySet<DriftedEntity>,
): Sight[] {
  return firsts.filter(
    ({ found, before }) => approved.has(found) && !(before !== undefined && approved.has(before)),
  );
}
