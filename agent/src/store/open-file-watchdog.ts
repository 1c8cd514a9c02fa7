// Watches a file that is open while somebody removes or replaces it. The content of an open database is written to a
// recovery copy and put in place again: no waiting row may be lost with a file name.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { ENDINGS } from './database-backup.ts';
import { finishDowngrade } from './store-downgrade.ts';

type Db = Database.Database;

/** Returns a function that is true while the same file is at this path. */
export function watchOpenFile(file: string): () => boolean {
  const openedIdentity = identityOf(file);
  return () => identityOf(file) === openedIdentity;
}

/** Returns the identity of the file at a path; null where none is there, or none can be read. */
export function identityOf(file: string): string | null {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
  } catch {
    return null;
  }
}

/** For a database that was just opened under its name. */
export function watchOpenDatabase(db: Db): { writeRecoveryCopy(): void; close(): void } {
  const isInPlace = watchOpenFile(db.name);
  return {
    writeRecoveryCopy() {
      if (!isInPlace()) writeRecoveryCopy(db);
    },
    close: () => closeInPlace(db, isInPlace),
  };
}

/** Writes the complete content of an open database beside its path; the next start uses it where no file is there. */
function writeRecoveryCopy(db: Db): void {
  const file = db.name;
  const saving = `${file}.saving`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 });
  for (const ending of ['', ...ENDINGS]) rmSync(saving + ending, { force: true });
  // Made by us first, so that it is never readable by others.
  closeSync(openSync(saving, 'wx', 0o600));
  chmodSync(saving, 0o600);
  db.prepare('VACUUM INTO ?').run(saving);
  const handle = openSync(saving, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(saving, `${file}.back`);
}

/** Closes a database. Where its file was removed, its content is put in place, and any other file set aside. */
function closeInPlace(db: Db, isInPlace: () => boolean): void {
  const file = db.name;
  if (isInPlace()) {
    db.close();
    return;
  }
  try {
    writeRecoveryCopy(db);
  } catch (error) {
    // The recovery copy of the first detection is seconds old.
    if (!existsSync(`${file}.back`)) throw error;
  } finally {
    if (existsSync(`${file}.back`) && existsSync(file)) putAside(file);
    // Closing takes away the log that lies under its name: it is none of the file that comes there.
    db.close();
  }
  finishDowngrade(file);
}

/** Retention of the copy starts today, however old its content is. */
function putAside(file: string): void {
  const aside = `${file}.other-${Date.now()}`;
  renameSync(file, aside);
  const now = new Date();
  utimesSync(aside, now, now);
}
