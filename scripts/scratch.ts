// Selects the temporary folder of tests: memory if the machine has enough of it. The journal of a disk otherwise delays
// the creation of hundreds of databases, up to half of the test time.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Tests fill up to 3 GB; the same amount remains for programs. */
const FREE_MIN = 6 * 2 ** 30;

/** Returns a world-writable folder in memory, or null without space or permission. */
export function scratchInMemory(root = MEMORY, freeMin = FREE_MIN): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const { bavail, bsize } = statfsSync(root);
    if (Math.min(bavail * bsize, availableMemory()) < freeMin) return null;
    removeLeftOver(root);
    const folder = mkdtempSync(join(root, `gw-tests-${process.pid}-`));
    chmodSync(folder, 0o1777);
    if (mayExecute(folder)) return folder;
    rmSync(folder, { recursive: true, force: true });
    return null;
  } catch {
    // The folder is missing or not ours; the system's folder works, only slower.
    return null;
  }
}

function availableMemory(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Removes folders of killed runs. */
function removeLeftOver(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^gw-tests-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user, who will remove it.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function mayExecute(folder: string): boolean {
  const program = join(folder, 'try');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
