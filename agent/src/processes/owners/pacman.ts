// Finds the Arch Linux packages that own an executable: each has a folder with its file list in pacman's database.
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFolder, readRegularFile } from '../../discovery/scoped-fs/safe-reader.ts';
import { describePacman, PACMAN_BASE } from '../../discovery/sources/pacman.ts';
import { toPackageOwner } from './owner.ts';
import { addOwner, listedNames, type PackageIndex, type PackageOwner } from './package-index.ts';

/** The largest lists (a kernel's headers, TeX) have some megabytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_DESC_BYTES = 256 * 1024;
const HEAD = Buffer.from('%FILES%\n');

/** Reads nothing before it is asked. */
export function openPacmanIndex(root: string): PackageIndex {
  const base = join(root, PACMAN_BASE);
  return {
    // A package that is installed, changed or removed is a folder that comes or goes.
    stamp() {
      const stat = statSync(base, { throwIfNoEntry: false });
      return stat?.isDirectory() ? `${stat.ino}:${stat.mtimeMs}` : null;
    },
    search(paths) {
      const owners = new Map<string, PackageOwner[]>();
      // Listed without the first slash.
      const wanted = listedNames(root, paths).map(([name, path]) => ({
        path,
        line: Buffer.from(`\n${name.slice(1)}\n`),
      }));
      if (wanted.length === 0) return owners;
      for (const { name } of listFolder(base) ?? []) {
        if (name === 'ALPM_DB_VERSION') continue;
        for (const path of findListed(join(base, name), wanted)) {
          addOwner(owners, path, readOwner(join(base, name)));
        }
      }
      return owners;
    },
  };
}

/** Returns the paths that a package lists. Throws where its list cannot be read. */
function findListed(folder: string, wanted: readonly { path: string; line: Buffer }[]): string[] {
  const list = readRegularFile(join(folder, 'files'), MAX_LIST_BYTES);
  // A package of dependencies alone may have none.
  if (!list.ok && list.absent) return [];
  if (!list.ok) throw new Error(`${basename(folder)}: ${list.reason}`);
  const from = list.bytes.indexOf(HEAD);
  if (from < 0) return [];
  return wanted.filter(({ line }) => list.bytes.indexOf(line, from) >= 0).map(({ path }) => path);
}

function readOwner(folder: string): PackageOwner {
  const desc = readRegularFile(join(folder, 'desc'), MAX_DESC_BYTES);
  if (!desc.ok) throw new Error(`${basename(folder)}: ${desc.reason}`);
  const described = describePacman(desc.bytes.toString('utf8'));
  if (described === null) throw new Error(`${basename(folder)}: it has no name`);
  return toPackageOwner('pacman', described);
}
