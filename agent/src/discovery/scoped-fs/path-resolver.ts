// Resolves paths of a scope to real paths: follows links inside the scope, reports links that lead out of a home, and
// touches no path on an unresponsive mount. Missing folders and real folders are cached for the lifetime of a scan.
import { lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { codeOf, isAbsence, messageOf } from '../../runtime/errors.ts';
import { nameExists } from '../../runtime/name-check.ts';
import { isWithin } from '../../runtime/path-comparison.ts';
import { realPath } from '../../runtime/real-path.ts';
import type { Home } from '../homes/home-list.ts';
import type { CoverageRecorder } from './coverage-recorder.ts';
import { toDiskPath } from './machine-path.ts';

export const UNRESPONSIVE = 'its file system does not answer';
const LEADS_OUT = 'a link leads out of the home';

export interface LocatedFile {
  /** Real path on disk. */
  path: string;
  /** Status of this path itself, which is asked once for its location and its reader. */
  status: Stats;
}

export interface PathResolver {
  /** Returns the path on disk, without following links. */
  onDisk(path: string): string;
  /** Returns the real folder, or null where it is missing or lies outside. */
  realFolder(path: string): string | null;
  /** Returns where a file really is, links followed inside the scope; null where it is missing or lies outside. */
  locate(path: string): LocatedFile | null;
  /** Returns the status of what has this name, a link not followed; null where it is missing or must not be touched. */
  lstat(path: string): Stats | null;
  /** Returns the status with links followed inside the scope. */
  stat(path: string): Stats | null;
  /** True where something exists under this name, including a link that leads out. */
  exists(path: string): boolean;
}

/** Returns the real path of a home, or the path itself where it is missing: every read then reports the absence. */
export function resolveBase(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}

/** Creates a resolver for the scope below `base`; `absences` maps a path to whether it is missing, shared by sources. */
export function createPathResolver(options: {
  base: string;
  home: Home | null;
  isUnresponsive: ((path: string) => boolean) | null;
  absences: Map<string, boolean>;
  coverage: CoverageRecorder;
}): PathResolver {
  const { base, home, isUnresponsive, absences, coverage } = options;
  const realFolders = new Map<string, string | null>();

  const onDisk = (path: string) => toDiskPath(base, home, path);
  const roots = [base, ...(home?.redirected ?? []).map((folder) => folder.path)];
  const contains = (real: string) => home === null || roots.some((root) => isWithin(root, real));

  const isBlocked = (path: string): boolean => {
    if (isUnresponsive?.(onDisk(path)) !== true) return false;
    coverage.reportError(path, 'timed_out', UNRESPONSIVE);
    return true;
  };

  const reportFailure = (path: string, error: unknown) => {
    if (isAbsence(error)) return;
    coverage.reportError(path, 'unreadable', codeOf(error) ?? messageOf(error));
  };

  const realInside = (path: string, diskPath: string): string | null => {
    const real = realPath(diskPath);
    if (contains(real)) return real;
    coverage.reportError(path, 'unreadable', LEADS_OUT);
    return null;
  };

  const realFolder = (path: string): string | null => {
    const cached = realFolders.get(path);
    if (cached !== undefined) return cached;
    let real: string | null = null;
    try {
      const isSkipped = isBlocked(path) || isMissing(path, onDisk, absences);
      real = isSkipped ? null : realInside(path, onDisk(path));
    } catch (error) {
      reportFailure(path, error);
    }
    realFolders.set(path, real);
    return real;
  };

  /** Returns the path with its folder resolved and its last segment as it is; null where it must not be touched. */
  const unfollowedPath = (path: string): string | null => {
    const folder = realFolder(dirname(path));
    return folder === null || isBlocked(path) ? null : join(folder, basename(path));
  };

  /** A folder that was just seen is not looked up again when it is listed. */
  const rememberFolder = (path: string, stats: Stats | null): Stats | null => {
    if (stats?.isDirectory() === true) absences.set(path, false);
    return stats;
  };

  return {
    onDisk,
    realFolder,
    locate(path) {
      const plain = unfollowedPath(path);
      if (plain === null) return null;
      try {
        const status = lstatSync(plain);
        if (!status.isSymbolicLink()) return { path: plain, status };
        const real = realInside(path, plain);
        return real === null ? null : { path: real, status: lstatSync(real) };
      } catch (error) {
        reportFailure(path, error);
        return null;
      }
    },
    lstat(path) {
      const plain = unfollowedPath(path);
      return plain === null
        ? null
        : rememberFolder(path, lstatSync(plain, { throwIfNoEntry: false }) ?? null);
    },
    stat(path) {
      const plain = unfollowedPath(path);
      return plain === null ? null : rememberFolder(path, statInside(plain, contains));
    },
    exists(path) {
      const plain = unfollowedPath(path);
      try {
        return plain !== null && nameExists(plain);
      } catch {
        // The folder is not readable, or the name is invalid.
        return false;
      }
    },
  };
}

/** Returns whether a path is missing, as most are: the uppermost missing folder answers for all below it. */
function isMissing(
  path: string,
  onDisk: (path: string) => string,
  absences: Map<string, boolean>,
): boolean {
  const cached = absences.get(path);
  if (cached !== undefined) return cached;
  const parent = dirname(path);
  const missing =
    (parent !== path && isMissing(parent, onDisk, absences)) || !nameExists(onDisk(path));
  absences.set(path, missing);
  return missing;
}

/** Returns the status of a file, a link followed inside the scope; null where it cannot be read: its reader reports why. */
function statInside(path: string, contains: (real: string) => boolean): Stats | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return stats ?? null;
    const real = realPath(path);
    return contains(real) ? statSync(real) : null;
  } catch {
    return null;
  }
}
