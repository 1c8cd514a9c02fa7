// The end of a full scan: which entities it did not name and may therefore be called removed. Pure.
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

export interface Candidate {
  entity_id: string;
  source: string;
  /** The owners of its instances; empty or null ones stand for the machine itself. */
  owners: (string | null)[];
  scan_seq: number;
}

const LOOKED_AT = new Set(['read', 'absent']);

/**
 * What was not named and is of a (source, owner) that was looked at. Without coverage, everything was. An entity of
 * several owners goes only when all of them were looked at; what a higher scan said stays.
 */
export function entitiesGone<C extends Candidate>(
  candidates: readonly C[],
  named: ReadonlySet<string>,
  coverage: readonly WireCoverage[] | null,
  seq: number,
): C[] {
  const looked = new Set(
    (coverage ?? [])
      .filter((one) => LOOKED_AT.has(one.state))
      .map((one) => pair(one.source, one.owner)),
  );
  return candidates.filter((candidate) => {
    if (named.has(candidate.entity_id) || candidate.scan_seq > seq) return false;
    if (coverage === null) return true;
    const owners = candidate.owners.length === 0 ? [null] : candidate.owners;
    return owners.every((owner) => looked.has(pair(candidate.source, owner)));
  });
}

function pair(source: string, owner: string | null): string {
  return `${source}\0${owner ?? ''}`;
}
