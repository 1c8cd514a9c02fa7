// The baseline of an approved app: the fingerprints that were reviewed, and how a device differs from them. Pure.
//
// States: `missing` (approved, not recorded yet) -> `awaiting_first_device` (no device in the audience had the app) ->
// `reviewed`. A state never goes back; withdrawing the last approval deletes the baseline.
import type { Drift } from './detect.ts';
import { fingerprintsOf, type LaunchFingerprints, type ReportedLaunch } from './fingerprint.ts';

/** Stored states in order of progress; an app without any of them has no baseline. */
export const BASELINE_STATES = ['awaiting_first_device', 'reviewed'] as const;
export type BaselineState = (typeof BASELINE_STATES)[number];

/** A stored row: a fingerprint, or a state with an empty fingerprint. */
export interface BaselineEntry {
  kind: 'fingerprint' | BaselineState;
  /** Hex of 16 bytes; empty for a state. */
  fingerprint: string;
}

export interface Baseline {
  state: BaselineState | 'missing';
  fingerprints: ReadonlySet<string>;
}

/** Returns the entry that stores a state. */
export const stateEntry = (state: BaselineState): BaselineEntry => ({
  kind: state,
  fingerprint: '',
});

/** Returns the baseline that stored entries form; the state furthest along counts. */
export function toBaseline(entries: readonly BaselineEntry[]): Baseline {
  const kinds = new Set(entries.map((entry) => entry.kind));
  const state = BASELINE_STATES.findLast((candidate) => kinds.has(candidate)) ?? 'missing';
  const stored = entries.filter((entry) => entry.kind === 'fingerprint');
  return { state, fingerprints: new Set(stored.map((entry) => entry.fingerprint)) };
}

/** Returns all fingerprints of an app on a device. */
export const allFingerprints = ({ launches, exact, permissions }: LaunchFingerprints): string[] => [
  ...launches,
  ...(exact === null ? [] : [exact]),
  ...permissions.keys(),
];

/** Returns the baseline entries of an app that was reviewed as these devices report it. */
export function baselineOf(reports: Iterable<ReportedLaunch>): BaselineEntry[] {
  const fingerprints = new Set<string>();
  for (const reported of reports) {
    for (const fingerprint of allFingerprints(fingerprintsOf(reported))) {
      fingerprints.add(fingerprint);
    }
  }
  const stored = [...fingerprints].map(
    (fingerprint): BaselineEntry => ({ kind: 'fingerprint', fingerprint }),
  );
  return [stateEntry('reviewed'), ...stored];
}

/** Returns how a device differs from the baseline; null if it does not. */
export function diffAgainstBaseline(
  { launches, exact, permissions }: LaunchFingerprints,
  { fingerprints }: Baseline,
): Drift | null {
  const isExact = exact !== null && fingerprints.has(exact);
  const launchChanged = !isExact && !launches.isSubsetOf(fingerprints);
  const newPermissions = [...permissions]
    .flatMap(([fingerprint, permission]) => (fingerprints.has(fingerprint) ? [] : permission))
    .sort();
  return launchChanged || newPermissions.length > 0 ? { launchChanged, newPermissions } : null;
}
