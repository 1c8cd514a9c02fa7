// Finds the RPM packages that own an executable: Fedora's database has an index of file names, SUSE's is read header
// by header, and no header stays in memory.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import {
  NDB_BLOB_HEAD,
  NO_PACKAGE,
  ndbBlobLength,
  ndbBlocks,
  ndbSlotBytes,
  RPM_FOLDERS,
} from '../../discovery/sources/lib/rpm-database.ts';
import { parseRpmHeader } from '../../discovery/sources/lib/rpm-header.ts';
import { toPackageOwner } from './owner.ts';
import { addOwner, listedNames, type PackageIndex, type PackageOwner } from './package-index.ts';

/** Bound of packages that are read for a file name, whatever its folder. */
const MAX_PER_NAME = 200;
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const MAX_SLOT_BYTES = 16 * 1024 * 1024;

/** How files of a wanted name are listed, with the real path. */
type Wanted = ReadonlyMap<string, string>;

/** Reads nothing before it is asked. */
export function openRpmIndex(root: string): PackageIndex {
  const find = () => {
    for (const folder of RPM_FOLDERS) {
      for (const [name, search] of FORMS) {
        const path = join(root, folder, name);
        const stat = statSync(path, { throwIfNoEntry: false });
        if (stat !== undefined) return { path, stat, search };
      }
    }
    return null;
  };
  return {
    stamp() {
      const found = find();
      if (found === null) return null;
      const log = statSync(`${found.path}-wal`, { throwIfNoEntry: false });
      // Reading makes an empty log, which is no change.
      const logged = log !== undefined && log.size > 0 ? `${log.mtimeMs}:${log.size}` : '';
      const { ino, mtimeMs, size } = found.stat;
      return `${found.path}:${ino}:${mtimeMs}:${size}:${logged}`;
    },
    search(paths) {
      const owners = new Map<string, PackageOwner[]>();
      const wanted = new Map(listedNames(root, paths));
      const found = wanted.size === 0 ? null : find();
      if (found === null) return owners;
      if (!found.stat.isFile()) throw new Error('not a regular file');
      found.search(found.path, wanted, (blob) => {
        const header = parseRpmHeader(blob);
        if (header.name === NO_PACKAGE) return;
        const { name, version, vendor } = header;
        const owner = toPackageOwner('rpm', { key: name, name, version, publisher: vendor });
        for (const file of header.files) {
          const path = wanted.get(file);
          if (path !== undefined) addOwner(owners, path, owner);
        }
      });
      return owners;
    },
  };
}

type Search = (file: string, wanted: Wanted, has: (header: Buffer) => void) => void;

/** Databases of a folder, in the order of preference; a Berkeley DB is not read, and counts as missing. */
const FORMS: readonly (readonly [string, Search])[] = [
  ['rpmdb.sqlite', searchSqlite],
  ['Packages.db', searchNdb],
];

function searchSqlite(file: string, wanted: Wanted, has: (header: Buffer) => void): void {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 });
  try {
    const ofName = db
      .prepare<[string, number], number>(
        'SELECT DISTINCT hnum FROM Basenames WHERE key = ? ORDER BY hnum LIMIT ?',
      )
      .pluck();
    const header = db.prepare<[number], Buffer>('SELECT blob FROM Packages WHERE hnum = ?').pluck();
    const numbers = new Set(namesOf(wanted).flatMap((name) => ofName.all(name, MAX_PER_NAME)));
    for (const number of numbers) {
      const blob = header.get(number);
      if (blob !== undefined) has(blob);
    }
  } finally {
    db.close();
  }
}

function searchNdb(file: string, wanted: Wanted, has: (header: Buffer) => void): void {
  // The prefix of the first header is binary: only its end is searched for.
  const names = namesOf(wanted).map((name) => Buffer.from(`${name}\0`));
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(handle);
    const head = Buffer.alloc(NDB_BLOB_HEAD);
    readWhole(handle, head, 0);
    const slots = Buffer.alloc(Math.min(ndbSlotBytes(head), size, MAX_SLOT_BYTES));
    readWhole(handle, slots, 0);
    let buffer = Buffer.alloc(0);
    for (const block of ndbBlocks(slots)) {
      readWhole(handle, head, block);
      const length = ndbBlobLength(head);
      if (length > MAX_HEADER_BYTES || block + NDB_BLOB_HEAD + length > size) {
        throw new Error('cut off');
      }
      if (buffer.length < length) buffer = Buffer.alloc(Math.min(length * 2, MAX_HEADER_BYTES));
      const blob = buffer.subarray(0, length);
      readWhole(handle, blob, block + NDB_BLOB_HEAD);
      // Most have no file of such a name: only the others are taken apart.
      if (names.some((name) => blob.includes(name))) has(blob);
    }
  } finally {
    closeSync(handle);
  }
}

const namesOf = (wanted: Wanted): string[] => [
  ...new Set([...wanted.keys()].map((path) => basename(path))),
];

function readWhole(handle: number, into: Buffer, from: number): void {
  let length = 0;
  while (length < into.length) {
    const read = readSync(handle, into, length, into.length - length, from + length);
    if (read === 0) throw new Error('cut off');
    length += read;
  }
}
