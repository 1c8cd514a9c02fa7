// Finds folders that may never respond: those of network and user-space file systems. The mount table identifies
// them, so that none is touched; links on local disks are followed.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Mounts {
  /** The mount on the way to a path that may not answer; null where the whole way is the machine's own. */
  foreignOn(path: string): string | null;
  /** Returns the file system of a path: of nested mounts the innermost; null for local disks. */
  answererOf(path: string): string | null;
  /** Returns whether a path leads to such a mount or onto it. */
  leadsOnto(path: string, points: ReadonlySet<string>): boolean;
  /** Returns whether a path without links, in this mount namespace, may not respond. */
  isForeignAt(path: string): boolean;
  /** Returns whether such mounts exist below the folder. */
  foreignBelow(folder: string): { point: string; type: string }[];
}

/** Whatever is none of these may wait for somebody else. */
const OWN_TYPES = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'jfs', 'reiserfs'],
  ...['tmpfs', 'ramfs', 'rootfs', 'overlay', 'aufs', 'ecryptfs', 'squashfs', 'erofs'],
  ...['vfat', 'exfat', 'ntfs3', 'iso9660', 'udf', 'proc', 'sysfs', 'devtmpfs', 'devpts'],
]);
const MAX_LINKS = 40;

/** Reads the present mounts; null where the system lists none. */
export function readMounts(): Mounts | null {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    // No Linux, or no /proc.
    return null;
  }
}

/** Parses `/proc/<pid>/mountinfo`. Of two mounts on a folder the later is visible. */
export function parseMounts(table: string): Mounts {
  const types = new Map<string, string>();
  let rootType: string | undefined;
  for (const line of table.split('\n')) {
    const [place, kind] = line.split(' - ');
    const point = place?.split(' ')[4];
    const type = kind?.split(' ')[0];
    if (point === undefined || type === undefined) continue;
    const plain = point.replace(/\\([0-7]{3})/g, (_, octal) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    // A machine with an unresponsive root could not report anything.
    if (plain === '/') rootType = type;
    else types.set(plain, type);
  }
  const isForeign = (type: string | undefined) => type !== undefined && !OWN_TYPES.has(type);
  /** The first mount that may not answer, and the path as it goes on from there: its links are for nobody to follow. */
  const follow = (path: string): { first: string; whole: string } | null => {
    const rest = path.split('/');
    let links = 0;
    for (let at = '/'; rest.length > 0; ) {
      const name = rest.shift();
      if (name === undefined || name === '' || name === '.') continue;
      if (name === '..') {
        at = dirname(at);
        continue;
      }
      const next = join(at, name);
      if (isForeign(types.get(next))) return { first: next, whole: join(next, ...rest) };
      const target = linkAt(next);
      if (target === 'absent') return null;
      if (target === null) {
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) return null;
      rest.unshift(...target.split('/'));
      if (target.startsWith('/')) at = '/';
    }
    return null;
  };
  const deepestOf = (path: string): string | null => {
    for (let at = path; at !== '/'; at = dirname(at)) if (types.has(at)) return at;
    return null;
  };
  return {
    foreignOn: (path) => follow(path)?.first ?? null,
    answererOf(path) {
      const way = follow(path);
      const mount = way === null ? null : deepestOf(way.whole);
      if (way === null || mount === null) return null;
      if (types.get(mount) !== 'autofs' || mount === way.whole) return mount;
      // Each name in it is a mount of its own that is still to come.
      return join(mount, way.whole.slice(mount.length + 1).split('/')[0] ?? '');
    },
    leadsOnto(path, points) {
      const way = follow(path);
      if (way === null) return false;
      for (let at = way.whole; at !== '/'; at = dirname(at)) if (points.has(at)) return true;
      return false;
    },
    isForeignAt(path) {
      const mount = deepestOf(normalize(path));
      return isForeign(mount === null ? rootType : types.get(mount));
    },
    foreignBelow: (folder) =>
      [...types]
        .filter(([point, type]) => isForeign(type) && isBelow(folder, point))
        .map(([point, type]) => ({ point, type })),
  };
}

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder === '/' ? folder : `${folder}/`);

/** Returns the target of a link; null for anything else. */
function linkAt(path: string): string | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return 'absent';
    return stat.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    // Not ours to see: nobody of us gets further either.
    return 'absent';
  }
}
