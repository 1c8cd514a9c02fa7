// RPM packages: from the SQLite database of today's distributions or the one of SUSE, read by ourselves.
import { basename, dirname } from 'node:path';
import type { Discovered, Look, Source } from '../source-contract.ts';
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
  looksAt: ['machine'],
  watches: () => ({
    machine: RPM_FOLDERS.flatMap((folder) => FILES.map((file) => `${folder}/${file}`)),
    home: [],
  }),
  async *discover(look) {
    let done = 0;
    const manifests: string[] = [];
    for await (const blob of readHeaders(look)) {
      if (++done % AT_ONCE === 0) await look.turn();
      const header = look.parse('/var/lib/rpm', () => parseRpmHeader(blob));
      if (header === null || header.name === NO_PACKAGE) continue;
      manifests.push(...header.files.filter(isManifestPath));
      yield describe(look, header);
    }
    // The sources of Node and Python leave out what these packages brought.
    await look.shared('rpm manifests', async () => manifests);
  },
};

/** The first database that is there; distributions that moved it leave links at the old place. */
async function* readHeaders(look: Look): AsyncGenerator<Buffer> {
  for (const folder of RPM_FOLDERS) {
    if (look.kindOf(`${folder}/rpmdb.sqlite`) === 'file') {
      yield* readSqlite(look, `${folder}/rpmdb.sqlite`);
      return;
    }
    if (look.kindOf(`${folder}/Packages.db`) === 'file') {
      const bytes = look.bytes(`${folder}/Packages.db`, MAX_NDB);
      const blobs =
        bytes === null ? null : look.parse(`${folder}/Packages.db`, () => readNdb(bytes));
      yield* blobs ?? [];
      return;
    }
    if (look.kindOf(`${folder}/Packages`) === 'file') {
      look.trouble(
        `${folder}/Packages`,
        'unparsed',
        'a Berkeley DB, which this agent does not read',
      );
      return;
    }
  }
}

async function* readSqlite(look: Look, path: string): AsyncGenerator<Buffer> {
  const file = look.realFile(path, MAX_DATABASE);
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
    look.trouble(path, 'unparsed', 'not a package database that can be read');
  }
}

function describe(look: Look, header: RpmPackage): Discovered {
  const programs = header.files.filter((path) => PROGRAM_FOLDERS.has(basename(dirname(path))));
  return {
    kind: 'package',
    key: header.name,
    name: header.name,
    version: header.version,
    publisher: header.vendor,
    executables: [...new Set(programs.flatMap((path) => look.executable(path) ?? []))],
    installedAt: header.installedAt,
    details: { architecture: header.architecture },
  };
}
