// Replaces a file by another, also where other programs have it open.
import { renameSync } from 'node:fs';
import { codeOf } from './errors.ts';

/** On Windows a file that another program has open without sharing cannot be replaced, mostly for milliseconds. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);
const PATIENCE_MS = 1000;
const RETRY_MS = 20;

/** Renames `from` to `to`, over a file that is there. On Windows it waits up to a second for programs that read it. */
export function renameOver(from: string, to: string): void {
  retryWhileInUse(() => renameSync(from, to));
}

/** Retries a change of a file while another program has the file open, and blocks the thread. Windows only. */
export function retryWhileInUse(
  change: () => void,
  { platform = process.platform as string, patienceMs = PATIENCE_MS } = {},
): void {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      change();
      return;
    } catch (error) {
      const isInUse = platform === 'win32' && IN_USE.has(codeOf(error) ?? '');
      if (!isInUse || performance.now() >= until) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}
