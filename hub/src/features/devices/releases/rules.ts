// Selects the release for a device, and the byte from which a download resumes. Pure.
import { compareVersions } from '@gatewarden/shared/names.ts';
import { rolloutAdmits } from '../sync/index.ts';
import type { Release } from './store.ts';

/** The fields of a release that the selection needs. */
export type Offered = Pick<
  Release,
  'release_id' | 'version' | 'minimum_version' | 'expires_at' | 'ring_percent'
>;

export interface Asking {
  deviceId: string;
  version: string;
  /** Releases that one of its groups has early. */
  early: ReadonlySet<string>;
  now: Date;
}

/** Returns the newest release that may replace the device's version; null if the device is up to date. */
export function chooseRelease<R extends Offered>(releases: readonly R[], asking: Asking): R | null {
  let chosen: R | null = null;
  for (const release of releases) {
    const isAllowed =
      compareVersions(release.version, asking.version) > 0 &&
      compareVersions(release.minimum_version, asking.version) <= 0 &&
      release.expires_at > asking.now &&
      isAdmitted(release, asking.deviceId, asking.early);
    if (isAllowed && (chosen === null || compareVersions(release.version, chosen.version) > 0)) {
      chosen = release;
    }
  }
  return chosen;
}

/** Stable for a device: raising the percentage only ever adds devices. */
export function isAdmitted(
  release: Pick<Release, 'release_id' | 'ring_percent'>,
  deviceId: string,
  early: ReadonlySet<string>,
): boolean {
  return (
    early.has(release.release_id) ||
    rolloutAdmits(release.release_id, deviceId, release.ring_percent)
  );
}

/** Returns N of `bytes=N-` (RFC 9110 §14.2); 0 for any other range, which is answered with the complete file. */
export function rangeStart(header: string | undefined, size: number): number {
  const from = Number(/^bytes=(\d{1,12})-$/.exec(header ?? '')?.[1] ?? 0);
  return from < size ? from : 0;
}
