// Fingerprint of a scan: digests of what the workers write when each source that has a stamp (modification time and size
// of its files) reports the stamp instead of reading. Equal fingerprints mean that nothing changed.
import type { Report } from '../source-contract.ts';

/** Digest and size of a worker's output. */
export interface OutputDigest {
  digest: string;
  bytes: number;
}

export interface ScanFingerprint {
  /** The jobs and homes of the scan as JSON: other jobs are never compared. */
  jobs: string;
  workers: OutputDigest[];
  /** Owners of homes that nobody uses. */
  unusedHomes: ReadonlySet<string>;
}

/** Returns the names of the sources that reported a stamp instead of reading. */
export function stampedSources(reports: readonly Report[]): ReadonlySet<string> {
  return new Set(reports.flatMap(({ source, stamp }) => (stamp === undefined ? [] : [source])));
}

/** Returns whether a report remains valid while its stamp is the same: an error may end without a change of any file. */
export const isRepeatable = ({ state, problems }: Report): boolean =>
  (state === 'read' || state === 'absent') && problems.length === 0;
