// Finds the Node and Python packages that a system package manager installed: its own source reports them.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { listFolder, readRegularFile } from '../../scoped-fs/safe-reader.ts';
import type { ScopedFs } from '../../source-contract.ts';
import { APK_FILES, APK_MAX_BYTES } from '../apk.ts';
import { PACMAN_BASE } from '../pacman.ts';
import {
  dpkgPlacesStamp,
  readDpkgDatabase,
  readFileList,
  releaseFileLists,
} from './dpkg-database.ts';
import { isManifestPath, manifestLines } from './manifest-paths.ts';
import { RPM_FOLDERS, readNdb } from './rpm-database.ts';
import { parseRpmHeader } from './rpm-header.ts';
import { readUsrMerge } from './usr-merge.ts';

const LISTS_AT_ONCE = 50;
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_NDB_BYTES = 512 * 1024 * 1024;

/** True for the path of a package's description that a package of the system owns. */
export type IsOfSystem = (path: string) => boolean;

type ReadPaths = (fs: ScopedFs) => Promise<string[]>;

/**
 * Package managers, with the name under which their own source shares what it read in the same scan. Each gives the paths
 * of descriptions that its packages own.
 */
const MANAGERS: readonly (readonly [shared: string, read: ReadPaths])[] = [
  ['dpkg manifests', readDpkg],
  ['pacman manifests', readPacman],
  ['apk manifests', readApk],
  ['rpm manifests', readRpm],
];

/** Reads the lists of files of this machine's package managers, once for all sources. */
export async function findSystemManifests(fs: ScopedFs): Promise<IsOfSystem> {
  if (fs.platform !== 'linux' || fs.owner !== null) return () => false;
  const owned = await fs.computeOnce('system manifests', async () => {
    const merge = readUsrMerge(fs.root);
    const paths = new Set<string>();
    for (const [name, read] of MANAGERS) {
      for (const path of await fs.computeOnce(name, () => readOrNone(fs, read))) {
        paths.add(merge.resolve(path));
      }
    }
    return paths;
  });
  return (path) => owned.has(path);
}

/** The package manager's source reports why its database cannot be read: nothing counts as its own here then. */
async function readOrNone(fs: ScopedFs, read: ReadPaths): Promise<string[]> {
  try {
    return await read(fs);
  } catch {
    return [];
  }
}

/** A text that changes when packages of the system do, or the folders change that are given. */
export function packagesStamp(fs: ScopedFs, folders: readonly string[]): string {
  const databases = [
    `${PACMAN_BASE}`,
    ...APK_FILES,
    ...RPM_FOLDERS.flatMap((folder) => [`${folder}/rpmdb.sqlite`, `${folder}/Packages.db`]),
  ];
  const stamps = [...databases, ...folders].map((path) => {
    const stat = statSync(join(fs.root, path), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '-' : `${path}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}`;
  });
  return sha256Hex([dpkgPlacesStamp(fs.root) ?? '-', ...stamps].join(' '));
}

async function readDpkg(fs: ScopedFs): Promise<string[]> {
  const paths: string[] = [];
  let done = 0;
  for (const pkg of readDpkgDatabase(fs.root)?.packages ?? []) {
    if (++done % LISTS_AT_ONCE === 0) await fs.yieldToEventLoop();
    const list = readFileList(fs.root, pkg);
    if (list !== null) paths.push(...manifestLines(list.bytes));
  }
  releaseFileLists();
  return paths;
}

async function readPacman(fs: ScopedFs): Promise<string[]> {
  const base = join(fs.root, PACMAN_BASE);
  const paths: string[] = [];
  let done = 0;
  for (const { name } of listFolder(base) ?? []) {
    if (++done % LISTS_AT_ONCE === 0) await fs.yieldToEventLoop();
    const list = readRegularFile(join(base, name, 'files'), MAX_LIST_BYTES);
    // Listed without the first slash.
    if (list.ok) paths.push(...manifestLines(list.bytes).map((line) => `/${line}`));
  }
  return paths;
}

/** `F:` begins a folder without its first slash, `R:` names a file in it. */
async function readApk(fs: ScopedFs): Promise<string[]> {
  for (const file of APK_FILES) {
    const list = readRegularFile(join(fs.root, file), APK_MAX_BYTES);
    if (!list.ok) continue;
    let folder = '';
    return list.bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        if (line.startsWith('F:')) folder = line.slice(2);
        const path = line.startsWith('R:') ? `/${folder}/${line.slice(2)}` : '';
        return isManifestPath(path) ? [path] : [];
      });
  }
  return [];
}

async function readRpm(fs: ScopedFs): Promise<string[]> {
  const paths: string[] = [];
  let done = 0;
  for await (const blob of rpmHeaders(fs.root)) {
    if (++done % LISTS_AT_ONCE === 0) await fs.yieldToEventLoop();
    paths.push(...parseRpmHeader(blob).files.filter(isManifestPath));
  }
  return paths;
}

async function* rpmHeaders(root: string): AsyncGenerator<Buffer> {
  for (const folder of RPM_FOLDERS) {
    const sqlite = join(root, folder, 'rpmdb.sqlite');
    if (statSync(sqlite, { throwIfNoEntry: false })?.isFile() === true) {
      const { default: Database } = await import('better-sqlite3');
      const db = new Database(sqlite, { readonly: true, fileMustExist: true, timeout: 1000 });
      try {
        const rows = db.prepare<[], { blob: Buffer }>('SELECT blob FROM Packages');
        for (const { blob } of rows.iterate()) yield blob;
      } finally {
        db.close();
      }
      return;
    }
    const ndb = readRegularFile(join(root, folder, 'Packages.db'), MAX_NDB_BYTES);
    if (!ndb.ok) continue;
    yield* readNdb(ndb.bytes);
    return;
  }
}
