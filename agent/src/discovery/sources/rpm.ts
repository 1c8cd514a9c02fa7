// RPM packages: from the SQLite database of current distributions or from SUSE's, without the rpm program.
import { basename, dirname } from 'node:path';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { isManifestPath } from './lib/manifest-paths.ts';
import { NO_PACKAGE, RPM_FOLDERS, readNdb } from './lib/rpm-database.ts';
import { parseRpmHeader, type RpmPackage } from './lib/rpm-header.ts';

const FILES = ['rpmdb.sqlite', 'rpmdb.sqlite-wal', 'Packages.db'];
const MAX_DATABASE = 2 * 1024 ** 3;
const MAX_NDB = 512 * 1024 * 1024;
const AT_ONCE = 25;
const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'games', 'libexec']);

export const rpm: Source = {
  name: 'rpm',
  platforms: ['linux'],
  scopes: ['machine'],
  watches: () => ({
    machine: RPM_FOLDERS.flatMap((folder) => FILES.map((file) => `${folder}/${file}`)),
    home: [],
  }),
  async *discover(fs) {
    let done = 0;
    const manifests: string[] = [];
    for await (const blob of readHeaders(fs)) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const header = fs.parse('/var/lib/rpm', () => parseRpmHeader(blob));
      if (header === null || header.name === NO_PACKAGE) continue;
      manifests.push(...header.files.filter(isManifestPath));
      yield describe(fs, header);
    }
    // The sources of Node and Python leave out what these packages brought.
    await fs.computeOnce('rpm manifests', async () => manifests);
  },
};

/** The first database that is there; distributions that moved it leave links at the old place. */
async function* readHeaders(fs: ScopedFs): AsyncGenerator<Buffer> {
  for (const folder of RPM_FOLDERS) {
    if (fs.kindOf(`${folder}/rpmdb.sqlite`) === 'file') {
      yield* readSqlite(fs, `${folder}/rpmdb.sqlite`);
      return;
    }
    if (fs.kindOf(`${folder}/Packages.db`) === 'file') {
      const bytes = fs.bytes(`${folder}/Packages.db`, MAX_NDB);
      const blobs = bytes === null ? null : fs.parse(`${folder}/Packages.db`, () => readNdb(bytes));
      yield* blobs ?? [];
      return;
    }
    if (fs.kindOf(`${folder}/Packages`) === 'file') {
      fs.reportError(
        `${folder}/Packages`,
        'unparsed',
        'a Berkeley DB, which this agent does not read',
      );
      return;
    }
  }
}

async function* readSqlite(fs: ScopedFs, path: string): AsyncGenerator<Buffer> {
  const file = fs.realFile(path, MAX_DATABASE);
  if (file === null) return;
  const { default: Database } = await import('better-sqlite3');
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
    try {
      const rows = db.prepare<[], { blob: Buffer }>('SELECT blob FROM Packages ORDER BY hnum');
      for (const { blob } of rows.iterate()) yield blob;
    } finally {
      db.close();
    }
  } catch {
    fs.reportError(path, 'unparsed', 'not a package database that can be read');
  }
}

function describe(fs: ScopedFs, header: RpmPackage): Discovered {
  const programs = header.files.filter((path) => PROGRAM_FOLDERS.has(basename(dirname(path))));
  return {
    kind: 'package',
    key: header.name,
    name: header.name,
    version: header.version,
    publisher: header.vendor,
    executables: [...new Set(programs.flatMap((path) => fs.executable(path) ?? []))],
    installedAt: header.installedAt,
    details: { architecture: header.architecture },
  };
}
