// The end of a full scan: which entities it did not name and may therefore be called removed. Pure.
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

export interface Candidate {
  entity_id: string;
  source: string;
  /** The owners of its instances; an empty or null owner is the machine itself. */
  owners: (string | null)[];
  scan_seq: number;
}

/** The coverage of full scans with a higher number: everything, or the (source, owner) pairs of each. */
export interface NewerScanSummary {
  coversAll: boolean;
  /** For each of those scans what `pairsLookedAt` makes of its coverage. */
  coveredPairsByScan: readonly ReadonlySet<string>[];
  /** It is forgotten what some of them named: nothing that comes so late counts any more. */
  isPruned: boolean;
  /** The first 8 bytes of every entity id that they named, concatenated. */
  mentionedIdPrefixes: readonly Buffer[];
}

/**
 * True if a single newer full scan covered every source of this entity and did not name it: the entity was removed. Two scans that
 * looked at half of it each take nothing away, as they would not have done had it come before them.
 */
export function isSuperseded(
  later: Pick<NewerScanSummary, 'coversAll' | 'coveredPairsByScan'>,
  entity: { source: string; owners: readonly (string | null)[] },
): boolean {
  return later.coversAll || later.coveredPairsByScan.some((looked) => isCoveredBy(looked, entity));
}

const COVERED_STATES = new Set(['read', 'absent']);

/**
 * What was not named and is of a (source, owner) that was looked at. Without coverage, everything was. An entity of
 * several owners is removed only after all of them were scanned; the result of a newer scan stays.
 */
export function selectUnmentioned<C extends Candidate>(
  candidates: readonly C[],
  named: ReadonlySet<string>,
  coverage: readonly WireCoverage[] | null,
  seq: number,
): C[] {
  const looked = coveredPairs(coverage ?? []);
  return candidates.filter((candidate) => {
    if (named.has(candidate.entity_id) || candidate.scan_seq > seq) return false;
    return coverage === null || isCoveredBy(looked, candidate);
  });
}

/** The (source, owner) pairs that were scanned completely. A pair that is also reported as incomplete is left out. */
export function completelyCovered(coverage: readonly WireCoverage[]): WireCoverage[] {
  const doubted = new Set(
    coverage
      .filter((item) => !COVERED_STATES.has(item.state))
      .map((item) => coverageKey(item.source, item.owner)),
  );
  return coverage.filter((item) => !doubted.has(coverageKey(item.source, item.owner)));
}

/** The same as a set to look things up in. */
export function coveredPairs(coverage: readonly WireCoverage[]): Set<string> {
  return new Set(completelyCovered(coverage).map((item) => coverageKey(item.source, item.owner)));
}

/** True where all that could hold the entity is among these pairs. */
function isCoveredBy(
  looked: ReadonlySet<string>,
  entity: { source: string; owners: readonly (string | null)[] },
): boolean {
  return ownersOf(entity.owners).every((owner) => looked.has(coverageKey(entity.source, owner)));
}

/** The result of a scan for each (source, owner): the last report, and incomplete if any report is. */
export function mergeCoverage(coverage: readonly WireCoverage[]): WireCoverage[] {
  const lastReports = new Map<string, WireCoverage>();
  for (const item of coverage) {
    const key = coverageKey(item.source, item.owner);
    const before = lastReports.get(key);
    const isDoubted = before !== undefined && !COVERED_STATES.has(before.state);
    if (!isDoubted || !COVERED_STATES.has(item.state)) lastReports.set(key, item);
  }
  return [...lastReports.values()];
}

function ownersOf(owners: readonly (string | null)[]): readonly (string | null)[] {
  return owners.length === 0 ? [null] : owners;
}

function coverageKey(source: string, owner: string | null): string {
  return `${source}\0${owner ?? ''}`;
}
