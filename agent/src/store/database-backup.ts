// A database file that is set aside, so that a sound one can take its place.
import { existsSync, renameSync } from 'node:fs';

/** What SQLite keeps beside a file. */
export const ENDINGS = ['-wal', '-shm'];

/** The database with its log, which must not be replayed into what comes in its place: the log goes first. */
export function createRecoveryCopy(file: string, to: string): void {
  for (const ending of ENDINGS) {
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
  }
  renameSync(file, to);
}
