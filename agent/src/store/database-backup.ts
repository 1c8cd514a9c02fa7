// Recovery copies: sets a database file aside, so that a sound file can take its place.
import { existsSync, renameSync } from 'node:fs';

/** Suffixes of the files that SQLite writes beside a database. */
export const ENDINGS = ['-wal', '-shm'];

/** The database with its log, which must not be replayed into what comes in its place: the log goes first. */
export function createRecoveryCopy(file: string, to: string): void {
  for (const ending of ENDINGS) {
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
  }
  renameSync(file, to);
}
