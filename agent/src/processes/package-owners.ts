// Finds the packages that own an executable: looked up on demand in the databases of this machine, cached until they
// change.
import { openApkIndex } from './owners/apk.ts';
import { openDpkgIndex } from './owners/dpkg.ts';
import type { PackageIndex, PackageOwner } from './owners/package-index.ts';
import { openPacmanIndex } from './owners/pacman.ts';
import { openRpmIndex } from './owners/rpm.ts';

export type { PackageOwner };

export interface PackageOwners {
  /** The owners of each real path. Throws nothing: see `readable`. */
  find(paths: readonly string[]): Map<string, readonly PackageOwner[]>;
  /** False where there is a package database that cannot be read: then nothing is known to be harmless. */
  readable(): boolean;
}

/** The first database of a machine is its own; others may exist as tools for foreign packages. */
const BOOKS = [openDpkgIndex, openPacmanIndex, openRpmIndex, openApkIndex];
/** A build makes thousands of short-lived programs; what is remembered stays bounded. */
const MAX_REMEMBERED = 5000;

/** Reads nothing before it is asked. */
export function openPackageOwners(root = '/'): PackageOwners {
  const books = BOOKS.map((open) => remember(open(root)));
  let readable = true;
  return {
    readable: () => readable,
    find(paths) {
      readable = true;
      let isOwn = true;
      const owners = new Map<string, readonly PackageOwner[]>(paths.map((path) => [path, []]));
      for (const book of books) {
        const found = book(paths);
        if (found === 'absent') continue;
        // `readable` reports the failure: the protection rules then refuse programs in system folders.
        if (found === 'unreadable') readable &&= !isOwn;
        else addFound(owners, found);
        isOwn = false;
      }
      return owners;
    },
  };
}

type Found = Map<string, readonly PackageOwner[]>;

function addFound(owners: Found, found: Found): void {
  for (const [path, added] of found) {
    if (added.length > 0) owners.set(path, [...(owners.get(path) ?? []), ...added]);
  }
}

/** Queries a database for paths that are not cached since its last change. */
function remember(
  book: PackageIndex,
): (paths: readonly string[]) => Found | 'absent' | 'unreadable' {
  let stamp: string | null = null;
  let remembered: Found = new Map();
  return (paths) => {
    try {
      const now = book.stamp();
      if (now !== stamp) remembered = new Map();
      stamp = now;
      if (stamp === null) return 'absent';
      const missing = paths.filter((path) => !remembered.has(path));
      if (missing.length > 0) {
        const found = book.search(missing);
        if (remembered.size > MAX_REMEMBERED) remembered.clear();
        for (const path of missing) remembered.set(path, found.get(path) ?? []);
      }
      return new Map(paths.map((path) => [path, remembered.get(path) ?? []]));
    } catch {
      return 'unreadable';
    }
  };
}
