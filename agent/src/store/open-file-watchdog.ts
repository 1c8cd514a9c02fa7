// A file that somebody takes away, or puts another in the place of, while we have it open. What the open database holds is
// written down anew and put in its place: nothing that waits may be lost with a name.
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

/** Remembers which file stands there now; the answer is true for as long as it still does. */
export function watchOpenFile(file: string): () => boolean {
  const openedIdentity = identityOf(file);
  return () => identityOf(file) === openedIdentity;
}

/** Which file lies under a name; null where none does, or none can be seen. */
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

/** Writes what an open database holds beside its place, whole: the next start takes it where nothing stands there then. */
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

/** Closes a database. Where its file is not in its place any more, what it held is put there, and another file aside. */
function closeInPlace(db: Db, isInPlace: () => boolean): void {
  const file = db.name;
  if (isInPlace()) {
    db.close();
    return;
  }
  try {
    writeRecoveryCopy(db);
  } catch (error) {
    // What was saved when it was noticed is of seconds ago.
    if (!existsSync(`${file}.back`)) throw error;
  } finally {
    if (existsSync(`${file}.back`) && existsSync(file)) putAside(file);
    // Closing takes away the log that lies under its name: it is none of the file that comes there.
    db.close();
  }
  finishDowngrade(file);
}

/** It is kept from today on, however old it is. */
function putAside(file: string): void {
  const aside = `${file}.other-${Date.now()}`;
  renameSync(file, aside);
  const now = new Date();
  utimesSync(aside, now, now);
}
