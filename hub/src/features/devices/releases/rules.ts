// Which release a device is offered, and from which byte a file goes on. Pure.
import { compareVersions } from '@gatewarden/shared/names.ts';
import { rolloutAdmits } from '../sync/index.ts';
import type { Release } from './store.ts';

/** What a release must say for the choice. */
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

/** The newest one that may be installed over what the device runs; null where it has nothing to do. */
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

/** Where `bytes=N-` begins; 0 for whatever else is asked: then all of it is sent. */
export function rangeStart(header: string | undefined, size: number): number {
  const from = Number(/^bytes=(\d{1,12})-$/.exec(header ?? '')?.[1] ?? 0);
  return from < size ? from : 0;
}
