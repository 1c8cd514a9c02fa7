// The baseline of an approved app: the fingerprints that somebody reviewed, and how a device differs from them. Pure.
//
// States: `missing` (approved, not recorded yet) -> `awaiting_first_device` (no device in the audience had the app) ->
// `reviewed` -> `too_many_launches` (more launches than anybody reviews: no device is compared). A state never goes back;
// withdrawing the last approval deletes the baseline.
import type { Drift } from './detect.ts';
import {
  completeFingerprint,
  exceedsReviewable,
  type LaunchFingerprints,
  launchFingerprint,
  launchTextsOf,
  permissionFingerprint,
  REVIEWABLE_LAUNCHES,
  type ReportedLaunch,
} from './fingerprint.ts';

/** Stored states in order of progress; an app without any of them has no baseline. */
export const BASELINE_STATES = ['awaiting_first_device', 'reviewed', 'too_many_launches'] as const;
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

/** Launches over all devices. */
const LAUNCHES_MAX = 1_000;
/** Permissions over all devices. */
const PERMISSIONS_MAX = 2_000;
/** Distinct variants of an app that are kept while a baseline is collected. */
const VARIANTS_MAX = 5_000;

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

/** Returns true for a baseline that reports are compared with. */
export const isReviewed = ({ state }: Baseline): boolean =>
  state === 'reviewed' || state === 'too_many_launches';

/** Collects a baseline from any number of devices with bounded memory. */
export interface BaselineCollector {
  add(reported: ReportedLaunch): void;
  /** Returns entries to store. Devices with the most permissions are left out once the limit is reached. */
  entries(): BaselineEntry[];
}

/** Returns an empty collector for a reviewed app. */
export function collectBaseline(): BaselineCollector {
  const launches = new Set<string>();
  const exact = new Set<string>();
  const permissions = new Map<string, Set<string>>();
  const complete = new Set<string>();
  return {
    add(reported) {
      const texts = launchTextsOf(reported);
      if (exceedsReviewable(texts)) {
        addUpTo(complete, [completeFingerprint(texts)], VARIANTS_MAX);
        return;
      }
      addUpTo(launches, texts.launches, LAUNCHES_MAX + REVIEWABLE_LAUNCHES);
      addUpTo(exact, texts.exact === null ? [] : [texts.exact], LAUNCHES_MAX);
      if (permissions.size >= VARIANTS_MAX || texts.permissions.size === 0) return;
      permissions.set(JSON.stringify([...texts.permissions].sort()), texts.permissions);
    },
    entries() {
      const reviewed = stateEntry('reviewed');
      if (launches.size > LAUNCHES_MAX) return [reviewed, stateEntry('too_many_launches')];
      const fingerprints = new Set([
        ...[...launches, ...exact].map(launchFingerprint),
        ...complete,
        ...smallestFirst([...permissions.values()]).map(permissionFingerprint),
      ]);
      const stored = [...fingerprints].map(
        (fingerprint): BaselineEntry => ({ kind: 'fingerprint', fingerprint }),
      );
      return [reviewed, ...stored];
    },
  };
}

function addUpTo(target: Set<string>, texts: Iterable<string>, limit: number): void {
  for (const text of texts) if (target.size < limit) target.add(text);
}

/** Returns the union of as many sets as fit the limit, small sets first. */
function smallestFirst(sets: readonly ReadonlySet<string>[]): string[] {
  const union = new Set<string>();
  for (const permissions of sets.toSorted((a, b) => a.size - b.size)) {
    const added = [...permissions].filter((permission) => !union.has(permission));
    if (union.size + added.length > PERMISSIONS_MAX) continue;
    for (const permission of added) union.add(permission);
  }
  return [...union];
}

/** Returns the baseline entries of an app that was reviewed as these devices report it. */
export function baselineOf(reports: readonly ReportedLaunch[]): BaselineEntry[] {
  const collector = collectBaseline();
  for (const reported of reports) collector.add(reported);
  return collector.entries();
}

/**
 * Returns the baseline entries that the first devices of an audience define. A device with more launches or permissions than
 * anybody reviews defines nothing.
 */
export function initialBaseline(reports: readonly ReportedLaunch[]): BaselineEntry[] {
  return baselineOf(reports.filter((reported) => !exceedsReviewable(launchTextsOf(reported))));
}

/** Returns how a device differs from the baseline; null if it does not. */
export function diffAgainstBaseline(
  fingerprints: LaunchFingerprints,
  baseline: Baseline,
): Drift | null {
  const { launches, exact, permissions, complete } = fingerprints;
  const isStored = (fingerprint: string) => baseline.fingerprints.has(fingerprint);
  if (baseline.state === 'too_many_launches') return null;
  if (complete !== null && isStored(complete)) return null;
  const isExact = exact !== null && isStored(exact);
  const launchChanged = !isExact && [...launches].some((launch) => !isStored(launch));
  const newPermissions = [...permissions]
    .flatMap(([fingerprint, permission]) => (isStored(fingerprint) ? [] : permission))
    .sort();
  if (launchChanged || newPermissions.length > 0) return { launchChanged, newPermissions };
  return complete === null ? null : { launchChanged: true, newPermissions };
}
