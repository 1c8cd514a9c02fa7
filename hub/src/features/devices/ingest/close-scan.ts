// The end of a scan: a full scan whose batches all arrived removes the entities that it did not name.
import { EMPTY_INVENTORY, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ID_PREFIX_BYTES } from './cache-entry.ts';
import { markRemoved, selectPresent } from './entity-store.ts';
import { type Merge, mergeRemovals } from './merge.ts';
import { type Candidate, completelyCovered, selectUnmentioned } from './scan-coverage.ts';
import { finishScan, markCovered, type ScanPart, selectScanParts } from './scan-store.ts';

export interface ClosingScan {
  deviceId: string;
  scanId: string;
  /** A full scan does, unless it comes too late to be held against what others named. */
  removesMissing: boolean;
  seq: number;
  /** The device's state after the batches of this transaction. */
  inventory: { hash: Buffer; count: number };
  /** The id prefixes that newer scans named, in the format of `mentionedIdPrefixes`. */
  mentionedIdPrefixes: readonly Buffer[];
}

/** What went, or null where nothing did. Everything in the caller's transaction. */
export async function closeScan(
  tx: Tx,
  tenantId: string,
  scan: ClosingScan,
): Promise<{ ids: string[]; merge: Merge } | null> {
  const { deviceId, scanId } = scan;
  if (!scan.removesMissing) {
    await finishScan(tx, tenantId, deviceId, scanId, false);
    return null;
  }
  const parts = await selectScanParts(tx, tenantId, deviceId, scan);
  const coverage = coverageOf(parts);
  await Promise.all([
    markCovered(tx, tenantId, deviceId, completelyCovered(coverage ?? []), scan.seq),
    finishScan(tx, tenantId, deviceId, scanId, coverage === null),
  ]);
  if (mentionsWholeInventory(parts, scan.inventory)) return null;
  const gone = selectMissing(scan, parts, coverage, await selectPresent(tx, tenantId, deviceId));
  if (gone.length === 0) return null;
  const ids = gone.map((entity) => entity.entity_id);
  await markRemoved(tx, tenantId, deviceId, ids);
  return { ids, merge: mergeRemovals(gone) };
}

/** The coverage that a scan declared, in any of its batches; null if it declared none. */
export function coverageOf(parts: readonly ScanPart[]): WireCoverage[] | null {
  const lists = parts.flatMap((part) => (part.coverage === null ? [] : [part.coverage]));
  return lists.length === 0 ? null : lists.flat();
}

/** Of what is present that which a full scan takes away by not having named it. */
export function selectMissing<C extends Candidate>(
  scan: Pick<ClosingScan, 'seq' | 'mentionedIdPrefixes'>,
  parts: readonly ScanPart[],
  coverage: readonly WireCoverage[] | null,
  present: readonly C[],
): C[] {
  const named = readIdPrefixes([...parts.map((part) => part.named), ...scan.mentionedIdPrefixes]);
  const isNamed = (id: string) => named.has(id.slice(0, 2 * ID_PREFIX_BYTES));
  const ids = present.map((c) => c.entity_id).filter(isNamed);
  return selectUnmentioned(present, new Set(ids), coverage, scan.seq);
}

/** The usual end: the scan named exactly the stored entities. Its digest shows that without reading a row. */
function mentionsWholeInventory(
  parts: readonly ScanPart[],
  inventory: { hash: Buffer; count: number },
): boolean {
  const count = parts.reduce((sum, part) => sum + part.named.length / ID_PREFIX_BYTES, 0);
  const contents = parts.map((part) => part.contents).reduce(xorHash, EMPTY_INVENTORY);
  return count === inventory.count && contents.equals(inventory.hash);
}

/** The concatenated prefixes of entity ids, as hex. */
export function readIdPrefixes(buffers: readonly Buffer[]): Set<string> {
  const result = new Set<string>();
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += ID_PREFIX_BYTES) {
      result.add(buffer.toString('hex', at, at + ID_PREFIX_BYTES));
    }
  }
  return result;
}
