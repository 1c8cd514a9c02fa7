// Debian packages that dpkg lists as installed.
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entityId } from '@gatewarden/shared/identity.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import {
  type Diversions,
  type DpkgPackage,
  dpkgPlacesStamp,
  readDiversions,
  readDpkgDatabase,
  readFileList,
} from './lib/dpkg-database.ts';
import { manifestLines } from './lib/manifest-paths.ts';
import { readUsrMerge, type UsrMerge } from './lib/usr-merge.ts';

/** Folders of programs that people start; libraries and plug-ins are looked up on demand. */
const PROGRAM_FOLDERS = ['bin', 'sbin', 'games', 'libexec'];
/** Endings of program folders in a line; `sbin/` ends like `bin/`. */
const FOLDER_ENDINGS = ['bin/', 'games/', 'libexec/'].map((text) => Buffer.from(text));
/** After so many packages other work gets its turn. */
const PACKAGES_AT_ONCE = 25;

export const dpkg: Source = {
  name: 'dpkg',
  platforms: ['linux'],
  scopes: ['machine'],
  watches: () => ({ machine: ['/var/lib/dpkg/status'], home: [] }),
  stamp: (fs) => dpkgPlacesStamp(fs.root),
  async *discover(fs) {
    let database: ReturnType<typeof readDpkgDatabase>;
    try {
      database = readDpkgDatabase(fs.root);
    } catch (error) {
      fs.reportError('/var/lib/dpkg/status', 'unreadable', messageOf(error));
      return;
    }
    if (database === null) return;
    fs.markPresent();
    const merge = readUsrMerge(fs.root);
    const diversions = readDiversions(fs.root);
    const snaps = installedSnaps(fs);
    let done = 0;
    const manifests: string[] = [];
    for (const pkg of database.packages) {
      if (++done % PACKAGES_AT_ONCE === 0) await fs.yieldToEventLoop();
      const list = readList(fs, pkg);
      if (list !== null) manifests.push(...manifestLines(list.bytes));
      if (isTransitionalToSnap(snaps, pkg, list?.bytes ?? null)) continue;
      yield describePackage(fs, pkg, { list, merge, diversions });
    }
    // The sources of Node and Python leave out what these packages brought.
    await fs.computeOnce('dpkg manifests', async () => manifests);
  },
};

type FileList = ReturnType<typeof readFileList>;

function readList(fs: ScopedFs, pkg: DpkgPackage): FileList {
  try {
    return readFileList(fs.root, pkg);
  } catch (error) {
    fs.reportNotice(`/var/lib/dpkg/info/${pkg.key}.list`, messageOf(error));
    return null;
  }
}

/** Folders of installed snaps, by distribution. */
const SNAP_FOLDERS = ['/snap', '/var/lib/snapd/snap'];
/** Ubuntu's versions of packages that only lead to a snap: `1:1snap1-0ubuntu5`. */
const SNAP_VERSION = /(^|[:.\d~+-])snap\d/;
/** Files of a package without content: documents, and profiles of AppArmor. */
const NO_CONTENT = /^\/(usr\/share\/(doc|lintian|doc-base|bug)(\/.*)?|etc\/apparmor\.d(\/.*)?)$/;

function installedSnaps(fs: ScopedFs): ReadonlySet<string> {
  const names = SNAP_FOLDERS.flatMap((folder) =>
    fs.folders(folder).filter((name) => fs.kindOf(`${folder}/${name}/current`) === 'folder'),
  );
  return new Set(names);
}

/** True for a package that only leads to an installed snap: the snap is the application. */
function isTransitionalToSnap(
  snaps: ReadonlySet<string>,
  pkg: DpkgPackage,
  list: Buffer | null,
): boolean {
  if (!snaps.has(pkg.name) && !snaps.has(pkg.name.replace(/-browser$/, ''))) return false;
  return SNAP_VERSION.test(pkg.version) || (list !== null && !hasContent(list));
}

/** True where a package has a file of its own. In its list, a folder is a line that another line begins with. */
function hasContent(list: Buffer): boolean {
  const lines = list
    .toString('utf8')
    .split('\n')
    .filter((line) => line.length > 2);
  return lines.some(
    (line) => !NO_CONTENT.test(line) && !lines.some((other) => other.startsWith(`${line}/`)),
  );
}

function describePackage(
  fs: ScopedFs,
  pkg: DpkgPackage,
  at: { list: FileList; merge: UsrMerge; diversions: Diversions },
): Discovered {
  const { list, merge, diversions } = at;
  let installedAt: string | null = null;
  let executables: string[] = [];
  try {
    if (list !== null) {
      installedAt = new Date(list.mtimeMs).toISOString();
      const placeOf = (listed: string) => merge.resolve(diversions.placeOf(pkg.name, listed));
      executables = listExecutables(fs.root, list.bytes, merge, placeOf);
    }
  } catch (error) {
    fs.reportNotice(`/var/lib/dpkg/info/${pkg.key}.list`, messageOf(error));
  }
  return {
    kind: 'package',
    key: pkg.key,
    name: pkg.name,
    version: pkg.version,
    publisher: publisherOf(pkg.maintainer),
    executables,
    installedAt,
    details: {
      section: pkg.section,
      architecture: pkg.architecture,
      priority: pkg.priority,
      ...(pkg.essential ? { essential: true } : {}),
    },
  };
}

/** The id of a package on every device. */
export function dpkgEntityId(pkg: Pick<DpkgPackage, 'key'>): string {
  return entityId('linux', 'package', 'dpkg', pkg.key);
}

/** The maintainer's name without the mail address. */
export function publisherOf(maintainer: string | null): string | null {
  const name = (maintainer ?? '').replace(/\s*<[^>]*>?\s*/g, ' ').trim();
  return name === '' ? null : name.replace(/^"(.*)"$/, '$1').slice(0, 512);
}

/** Regular executable files in program folders, as real paths; a link counts where its end is the package's own. */
function listExecutables(
  root: string,
  list: Buffer,
  merge: UsrMerge,
  placeOf: (listed: string) => string,
): string[] {
  const found = new Set<string>();
  for (const listed of inProgramFolders(list)) {
    const path = placeOf(listed);
    // Moved out of the folders of programs, into a quarantine too: nobody starts it there by its name.
    if (!PROGRAM_FOLDERS.includes(basename(dirname(path)))) continue;
    const stat = lookAt(root === '/' ? path : join(root, path));
    if (stat?.isFile() && (stat.mode & 0o111) !== 0) found.add(path);
    if (!stat?.isSymbolicLink()) continue;
    const end = resolveLink(root, path);
    if (
      end !== null &&
      merge.aliases(end).some((alias) => hasLine(list, alias) && placeOf(alias) === end)
    )
      found.add(end);
  }
  return [...found];
}

/** The lines that name something directly in a program folder. Lists are searched as bytes: few of their lines are wanted. */
function inProgramFolders(list: Buffer): string[] {
  const lines: string[] = [];
  for (const ending of FOLDER_ENDINGS) {
    for (let at = list.indexOf(ending); at >= 0; at = list.indexOf(ending, at)) {
      at += ending.length;
      let end = list.indexOf(LINE_END, at);
      if (end < 0) end = list.length;
      // Something in a folder of its own comes first in another line's turn, or not at all.
      const deeper = list.indexOf(SLASH, at);
      if (end === at || (deeper >= 0 && deeper < end)) continue;
      const line = list.toString('utf8', list.lastIndexOf(LINE_END, at - 1) + 1, end);
      const folder = line.slice(0, line.lastIndexOf('/'));
      if (
        line.startsWith('/') &&
        PROGRAM_FOLDERS.includes(folder.slice(folder.lastIndexOf('/') + 1))
      ) {
        lines.push(line);
      }
    }
  }
  return lines;
}

const LINE_END = 0x0a;
const SLASH = 0x2f;

function hasLine(list: Buffer, line: string): boolean {
  return list.includes(`\n${line}\n`) || list.indexOf(`${line}\n`) === 0;
}

function lookAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function resolveLink(root: string, path: string): string | null {
  try {
    const real = realpathSync.native(join(root, path));
    const inside = root === '/' ? real : real.startsWith(root) ? real.slice(root.length) : null;
    const stat = statSync(real);
    return stat.isFile() && (stat.mode & 0o111) !== 0 ? inside : null;
  } catch {
    // A link to nowhere, as alternatives leave them: it owns nothing.
    return null;
  }
}
