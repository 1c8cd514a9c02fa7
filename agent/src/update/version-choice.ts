// Chooses the version that a launcher starts: the installed version, or a newer version from the hub that did not fail.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '@gatewarden/shared/names.ts';

/** A version on trial is started so many times before it is given up. */
export const MAX_TRIES = 5;
const VERSION = /^\d+\.\d+\.\d+$/;

export interface VersionFolders {
  /** Folder of the installed agent, with `bin`, `app` and `version`. */
  installed: string;
  /** Folder of the versions from the hub; see installed-versions.ts. */
  versions: string;
}

export interface ChosenVersion {
  /** Null for the installed version. */
  version: string | null;
  /** Folder with `bin` and `app`. */
  folder: string;
  isOnTrial: boolean;
}

/** Returns the version to start. `skipped` is never chosen: commands avoid a version on trial, which may hang. */
export function chooseVersion(
  { installed, versions }: VersionFolders,
  skipped: string | null = null,
): ChosenVersion {
  const floor = readLine(join(installed, 'version')) ?? '0.0.0';
  for (const pointer of ['current', 'previous']) {
    const version = readLine(join(versions, pointer));
    if (version === null || version === skipped || !VERSION.test(version)) continue;
    const folder = join(versions, version);
    const isUsable =
      readLine(join(folder, 'version')) === version && !existsSync(join(versions, 'bad', version));
    if (!isUsable || compareVersions(version, floor) <= 0) continue;
    return { version, folder, isOnTrial: readLine(join(versions, 'trial')) === version };
  }
  return { version: null, folder: installed, isOnTrial: false };
}

/** Counts a start of a version on trial. Returns false after `MAX_TRIES` starts. */
export function countTry({ versions }: VersionFolders): boolean {
  const file = join(versions, 'tries');
  const before = Number(readLine(file));
  const tries = (Number.isInteger(before) && before > 0 ? before : 0) + 1;
  writeFileSync(file, `${tries}\n`);
  return tries <= MAX_TRIES;
}

/** Records a version as bad, so that it is neither started nor installed again. */
export function giveUpVersion({ versions }: VersionFolders, version: string, reason: string): void {
  mkdirSync(join(versions, 'bad'), { recursive: true });
  writeFileSync(join(versions, 'bad', version), `${reason}\n`);
  for (const name of ['trial', 'tries']) rmSync(join(versions, name), { force: true });
}

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').split('\n')[0]?.trim() || null;
  } catch {
    return null;
  }
}
