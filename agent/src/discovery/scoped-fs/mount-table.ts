// Which folders may never answer: those of network file systems and of programs that play one. Told by the table of mounts,
// so that asking touches none of them; a path is followed over the links that stand on the machine's own disks.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Mounts {
  /** The mount on the way to a path that may not answer; null where the whole way is the machine's own. */
  foreignOn(path: string): string | null;
  /** Who answers for a path on such a way: of mounts within each other the last one; null where nobody else is asked. */
  answererOf(path: string): string | null;
  /** Whether a path leads to one of these mounts or onto it. */
  leadsOnto(path: string, points: ReadonlySet<string>): boolean;
  /** Of a path without links, as whoever has these mounts calls it: whether what stands there may not answer. */
  isForeignAt(path: string): boolean;
  /** Where such mounts stand somewhere below the folder. */
  foreignBelow(folder: string): { point: string; type: string }[];
}

/** Whatever is none of these may wait for somebody else. */
const OWN_TYPES = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'jfs', 'reiserfs'],
  ...['tmpfs', 'ramfs', 'rootfs', 'overlay', 'aufs', 'ecryptfs', 'squashfs', 'erofs'],
  ...['vfat', 'exfat', 'ntfs3', 'iso9660', 'udf', 'proc', 'sysfs', 'devtmpfs', 'devpts'],
]);
const MAX_LINKS = 40;

/** The mounts of now; null where the system tells of none. */
export function readMounts(): Mounts | null {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    // No Linux, or no /proc.
    return null;
  }
}

/** Of `/proc/<pid>/mountinfo`. Where two stand on one folder, the later one is seen. */
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
    // Of a machine whose root does not answer nothing could be said anyway.
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

/** Where a link leads; null for what is none. */
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
