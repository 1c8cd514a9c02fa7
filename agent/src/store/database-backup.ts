// Recovery copies: sets a database file aside, so that a sound file can take its place.
import { copyFileSync, existsSync, linkSync, renameSync } from 'node:fs';

/** Suffixes of the files that SQLite writes beside a database. */
const ENDINGS = ['-wal', '-shm'];

/** Moves the database with its log, which must not be replayed into what comes in its place: the log goes first. */
export function createRecoveryCopy(file: string, to: string): void {
  moveLog(file, to);
  renameSync(file, to);
}

/** Replaces a database by its backup and sets it aside; at each moment a complete database is at its path. */
export function restoreBackup(backup: string, file: string, to: string): void {
  const successor = `${file}.restored`;
  copyFileSync(backup, successor);
  moveLog(file, to);
  linkSync(file, to);
  renameSync(successor, file);
}

function moveLog(file: string, to: string): void {
  for (const ending of ENDINGS) {
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
  }
}
