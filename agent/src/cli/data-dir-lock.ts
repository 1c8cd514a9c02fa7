// Locks the data folder for a single process: a service for as long as it runs, a command for a moment.
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { askService } from '../local-api/socket-client.ts';
import { PlainError } from '../runtime/errors.ts';
import { FolderInUse, lockDataDir } from '../store/store-database.ts';

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/**
 * Locks the data folder. Waits for a process that has it for a moment (a command, a service that is ending); throws
 * FolderInUse where a service answers, or the lock is not released.
 */
export async function lockDataDirFor(dataDir: string): Promise<{ release(): void }> {
  const begun = performance.now();
  let isNotified = false;
  for (;;) {
    try {
      return lockDataDir(dataDir);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if ((await isServed(dataDir)) || performance.now() - begun > PATIENCE_MS) throw error;
    }
    if (!isNotified) process.stderr.write(`waiting for another process that uses ${dataDir}\n`);
    isNotified = true;
    await wait(LOOK_EVERY_MS);
  }
}

async function isServed(dataDir: string): Promise<boolean> {
  try {
    return (await askService(dataDir, 'control', 'GET', '/status')) !== null;
  } catch (error) {
    // A socket that refuses access, or does not answer, belongs to a service all the same.
    if (error instanceof PlainError) return true;
    throw error;
  }
}
