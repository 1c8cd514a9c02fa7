// Merged /usr: packages still list /bin/x where the file really is /usr/bin/x. Both ways round, by what this machine has.
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface UsrMerge {
  /** The path with a merged first folder resolved. */
  resolve(path: string): string;
  /** Every way in which a package may list this real path. */
  aliases(realPath: string): string[];
}

const CANDIDATES = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** Looks which folders of the root are links into /usr. */
export function readUsrMerge(root: string): UsrMerge {
  const merged = CANDIDATES.filter((name) => isLinkTo(join(root, name), `usr/${name}`));
  // Arch and new Fedoras have a single folder of programs; older packages still list the other folder.
  const isSbinMerged = isLinkTo(join(root, 'usr/sbin'), 'bin');
  return {
    resolve(path) {
      const name = merged.find((m) => path.startsWith(`/${m}/`));
      return name === undefined ? path : `/usr${path}`;
    },
    aliases(realPath) {
      const name = merged.find((m) => realPath.startsWith(`/usr/${m}/`));
      const all = name === undefined ? [realPath] : [realPath, realPath.slice('/usr'.length)];
      if (!isSbinMerged || !realPath.startsWith('/usr/bin/')) return all;
      const program = realPath.slice('/usr/bin'.length);
      return [...all, `/usr/sbin${program}`, `/sbin${program}`];
    },
  };
}

function isLinkTo(path: string, end: string): boolean {
  try {
    return readlinkSync(path).replace(/^\//, '') === end;
  } catch {
    // A folder of its own, or none: not merged.
    return false;
  }
}
