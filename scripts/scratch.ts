// Where tests write: memory where the machine has enough of it. Databases made and thrown away by the hundred wait for
// a disk's journal otherwise, which took up to half of the time.
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
/** Tests have filled 3 GB at most; the same amount stays for what runs. */
const FREE_MIN = 6 * 2 ** 30;

/** A folder in memory that everybody may write to, as in the system's own; null where there is no room or no right. */
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
    // Not there or not ours: the system's own folder does, only slower.
    return null;
  }
}

function availableMemory(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Of runs that were killed. */
function removeLeftOver(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^gw-tests-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // Somebody else's: they will find it.
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
