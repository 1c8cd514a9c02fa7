// Purpose: the agent's SQLite file: opened durably, migrated to this version, set aside and reset where it is damaged.
// Main types: `Db`, `OpenedStore`; the tables have a file each, such as alert-store.ts.
// Invariants: a single process has the data folder locked; what waits for the hub survives a crash and a full disk.
// Depends on: better-sqlite3, migrations.ts, schema-version.ts, database-backup.ts.
// Start reading at `openStore`.
import { chmodSync, closeSync, existsSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { createRecoveryCopy, restoreBackup } from './database-backup.ts';
import { MIGRATIONS } from './migrations.ts';
import { migrate, refuseNewer, SchemaTooNewError } from './schema-version.ts';

export type Db = Database.Database;

export interface OpenedStore {
  db: Db;
  /** Path of the damaged file; null where nothing was damaged. */
  setAside: string | null;
  /** Path to which the store of a failed update was moved; null where no update failed. */
  updatedStore: string | null;
  /** This folder was a service's before, and its store is not there any more. */
  isGone: boolean;
}

const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
const NO_ROOM = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_READONLY'];

/** True where the content of the file is invalid: only a new file helps. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.some((code) => codeOf(error)?.startsWith(code));
}

/** True where the disk took nothing: it may, later. */
export function isDiskFull(error: unknown): boolean {
  return NO_ROOM.some((code) => codeOf(error)?.startsWith(code));
}

/**
 * Opens or creates `agent.db`. A damaged file is renamed `.corrupt-<time>`, and the hub's data fills the new file.
 * `suspect`: damage showed in use, so the file is checked more thoroughly. `before`: the copy from before an update,
 * which replaces a store that the updated agent changed. Without it, a newer agent's store is refused (SchemaTooNewError).
 */
export function openStore(
  dataDir: string,
  now: () => number = Date.now,
  { suspect = false, before = null }: { suspect?: boolean; before?: string | null } = {},
): OpenedStore {
  const file = join(dataDir, 'agent.db');
  // Each run writes this file, too, and nothing removes it.
  const wasServed = existsSync(join(dataDir, 'quarantine.db'));
  const isGone = wasServed && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  try {
    return { db: openChecked(file, suspect), setAside: null, updatedStore: null, isGone };
  } catch (error) {
    if (error instanceof SchemaTooNewError && before !== null && existsSync(before)) {
      const updatedStore = `${file}.newer-${now()}`;
      restoreBackup(before, file, updatedStore);
      const db = openChecked(file);
      // The copy counts scans from before the update: the hub has received higher numbers since.
      db.exec("DELETE FROM state WHERE key = 'scan_seq'");
      return { db, setAside: null, updatedStore, isGone: false };
    }
    if (!isDamage(error)) {
      if (error instanceof PlainError) throw error;
      throw new PlainError(
        `cannot open ${file}: ${messageOf(error)}: it, and ${file}-wal and ${file}-shm where they are there, must be plain files of this account`,
      );
    }
    const aside = `${file}.corrupt-${now()}`;
    createRecoveryCopy(file, aside);
    return { db: openChecked(file), setAside: aside, updatedStore: null, isGone: false };
  }
}

/** Treats a folder or a pipe in place of a database as damage: opening a pipe would block for ever. */
export function refuseOther(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw Object.assign(new Error(`${file} is no regular file`), { code: 'SQLITE_NOTADB' });
}

function openChecked(file: string, suspect = false): Db {
  refuseOther(file);
  // Created by us first, so that it is never readable by others, and with it its log.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db = new Database(file, { timeout: 5000 });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('cache_size = -1024');
    const check = db.pragma(suspect ? 'integrity_check(1)' : 'quick_check(1)', { simple: true });
    if (check !== 'ok') {
      throw Object.assign(new Error(String(check)), { code: 'SQLITE_CORRUPT' });
    }
    migrate(db, MIGRATIONS);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the file read-only, beside a running service or without it; null where there is none yet. */
export function openStoreForReading(dataDir: string): Db | null {
  const file = join(dataDir, 'agent.db');
  if (!existsSync(file)) return null;
  let db: Db | null = null;
  try {
    refuseOther(file);
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 });
    refuseNewer(db, MIGRATIONS);
    return db;
  } catch {
    // The data folder belongs to another user, is damaged or newer: the caller continues without stored state.
    db?.close();
    return null;
  }
}

const SET_ASIDE = ': the agent sets it aside when it starts';

/** Returns a fault of the file, or null; also beside a running service. */
export function inspectStore(dataDir: string): string | null {
  const file = join(dataDir, 'agent.db');
  if (!existsSync(file)) return null;
  try {
    refuseOther(file);
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 });
    try {
      const check = String(db.pragma('quick_check(1)', { simple: true }));
      if (check !== 'ok') return `${file} is damaged (${check.split('\n')[0]})${SET_ASIDE}`;
      refuseNewer(db, MIGRATIONS);
      return null;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof SchemaTooNewError) return error.message;
    return isDamage(error)
      ? `${file} is damaged${SET_ASIDE}`
      : `${file} cannot be read: ${messageOf(error)}`;
  }
}

/** Another process has locked the data folder: a service, or for a moment a command. */
export class FolderInUse extends PlainError {
  override name = 'FolderInUse';
}

/** Locks the data folder for a service. The system releases the lock when the process ends. */
export function lockDataDir(dataDir: string): { release(): void } {
  const file = join(dataDir, 'agent.lock');
  try {
    const db = lockFile(file);
    return { release: () => db.close() };
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_BUSY')) {
      throw new FolderInUse(`another agent already runs on ${dataDir}`);
    }
    throw new PlainError(`cannot lock ${dataDir}: ${messageOf(error)}`);
  }
}

/** True where a service has the folder, whoever answers for it. Makes nothing. */
export function isDataDirLocked(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'agent.lock'))) return false;
  try {
    lockDataDir(dataDir).release();
    return false;
  } catch (error) {
    return error instanceof FolderInUse;
  }
}

function lockFile(file: string): Db {
  refuseOther(file);
  closeSync(openSync(file, 'a', 0o600));
  try {
    return lockAsItIs(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The lock file has no content. It is emptied in place: a new file would carry another lock.
    truncateSync(file);
    return lockAsItIs(file);
  }
}

function lockAsItIs(file: string): Db {
  const db = new Database(file, { timeout: 0 });
  try {
    // A read-only store writes nothing, and a full disk has no room for the journal of another mode.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
