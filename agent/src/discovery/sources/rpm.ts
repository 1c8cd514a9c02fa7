// RPM packages: from the SQLite database of today's distributions or the one of SUSE, read by ourselves.
import { basename, dirname } from 'node:path';
import type { Discovered, Look, Source } from '../source.ts';
import { parseRpmHeader, type RpmPackage } from './rpm-header.ts';

const FOLDERS = ['/usr/lib/sysimage/rpm', '/var/lib/rpm', '/usr/share/rpm'];
const FILES = ['rpmdb.sqlite', 'rpmdb.sqlite-wal', 'Packages.db'];
const MAX_DATABASE = 2 * 1024 ** 3;
const MAX_NDB = 512 * 1024 * 1024;
const AT_ONCE = 25;
const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'games', 'libexec']);
/** Keys that sign packages stand in the database as if they were some. */
const NO_PACKAGE = 'gpg-pubkey';

const SLOT_BYTES = 16;
const BLOCK_BYTES = 16;
const PAGE_BYTES = 4096;
const NDB_MAGIC = 'RpmP';
const SLOT_MAGIC = 'Slot';
const BLOB_MAGIC = 'BlbS';

export const rpm: Source = {
  name: 'rpm',
  platforms: ['linux'],
  looksAt: ['machine'],
  watches: () => ({
    machine: FOLDERS.flatMap((folder) => FILES.map((file) => `${folder}/${file}`)),
    home: [],
  }),
  async *discover(look) {
    let done = 0;
    for await (const blob of readHeaders(look)) {
      if (++done % AT_ONCE === 0) await look.turn();
      const header = look.parse('/var/lib/rpm', () => parseRpmHeader(blob));
      if (header !== null && header.name !== NO_PACKAGE) yield describe(look, header);
    }
  },
};

/** The first database that is there; distributions that moved it leave links at the old place. */
async function* readHeaders(look: Look): AsyncGenerator<Buffer> {
  for (const folder of FOLDERS) {
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

/** The database of SUSE: pages of slots that say where each header begins. */
export function readNdb(bytes: Buffer): Buffer[] {
  if (bytes.toString('latin1', 0, 4) !== NDB_MAGIC) throw new Error('not a package database');
  const end = Math.min(bytes.readUInt32LE(12) * PAGE_BYTES, bytes.length - SLOT_BYTES);
  const blobs: Buffer[] = [];
  // The head takes the place of two slots.
  for (let at = 2 * SLOT_BYTES; at <= end; at += SLOT_BYTES) {
    if (bytes.toString('latin1', at, at + 4) !== SLOT_MAGIC) continue;
    const block = bytes.readUInt32LE(at + 8) * BLOCK_BYTES;
    if (bytes.readUInt32LE(at + 4) === 0 || block === 0) continue;
    if (bytes.toString('latin1', block, block + 4) !== BLOB_MAGIC) throw new Error('damaged');
    const length = bytes.readUInt32LE(block + 12);
    if (block + 16 + length > bytes.length) throw new Error('cut off');
    blobs.push(bytes.subarray(block + 16, block + 16 + length));
  }
  return blobs;
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
