// The versions of an app that the console shows, and their order. Pure.

import { compareVersions } from '@gatewarden/shared/names.ts';
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';

type Versions = ApplicationRow['versions'];

export const VERSIONS_SHOWN = 20;
/** So many are read: which of equally common ones are the newest is asked among these. Comparing more takes a list too long. */
export const VERSIONS_READ = 3 * VERSIONS_SHOWN;

/** Returns the most common versions, newest first; equally common versions by age. `read` is the most common first. */
export function shownVersions(read: Versions): Versions {
  const least = read[VERSIONS_SHOWN - 1]?.device_count ?? 0;
  const surely = read.filter((row) => row.device_count > least);
  const perhaps = read.filter((row) => row.device_count === least);
  const rest = newestFirst(perhaps).slice(0, VERSIONS_SHOWN - surely.length);
  return newestFirst([...surely, ...rest]);
}

const newestFirst = (versions: Versions): Versions =>
  versions.toSorted((a, b) => compareVersions(b.version ?? '', a.version ?? ''));
