// The data folder is one process's at a time: a service has it for as long as it runs, a command without one for a moment.
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { askService } from '../local-api/socket-client.ts';
import { PlainError } from '../runtime/errors.ts';
import { FolderInUse, lockDataDir } from '../store/store-database.ts';

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/**
 * Holds the data folder. Who has it only for a moment (a command, a service that is ending) is waited for; throws FolderInUse
 * where a service answers, or nobody lets go.
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
    // One that is there and does not let us in, or cannot answer, is a service all the same.
    if (error instanceof PlainError) return true;
    throw error;
  }
}
