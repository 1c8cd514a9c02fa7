// Identifies the file that a process runs: its path may lead to another file by now, or here, where it runs in a
// container.
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseMounts } from '../discovery/scoped-fs/mount-table.ts';
import type { MountProbe } from '../runtime/mount-probe.ts';

export interface FileIdentity {
  dev: number;
  ino: number;
}

/** A way to that file while the process lives; null where the system knows none. */
export const wayToRunning = (pid: number): string | null =>
  process.platform === 'linux' ? `/proc/${pid}/exe` : null;

/**
 * Returns whether a process has another root than the agent, as in a container. A mount namespace of its own is not
 * enough: a service with restricted folders sees the machine's files, like the agent in its unit. Returns false where
 * this cannot be read.
 */
export async function isElsewhere(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    // Most see the very mounts that we see: they cost no look at a file system.
    if (readlinkSync(`/proc/${pid}/ns/mnt`) === readlinkSync('/proc/self/ns/mnt')) {
      if (readlinkSync(`/proc/${pid}/root`) === readlinkSync('/proc/self/root')) return false;
    }
    const [there, here] = await Promise.all([stat(`/proc/${pid}/root/`), stat('/')]);
    return there.dev !== here.dev || there.ino !== here.ino;
  } catch {
    // Gone, or another person's.
    return false;
  }
}

/** Whether who touches what a process runs comes back. */
export async function isResponsiveFor(
  reach: MountProbe,
  path: string,
  pid: number,
): Promise<boolean> {
  if (!(await isElsewhere(pid))) return reach.answers(path);
  try {
    // The agent's own mount table does not describe the process's mounts, and no worker can probe them.
    return !parseMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).isForeignAt(path);
  } catch {
    // Gone.
    return false;
  }
}

/** Null where it cannot be seen. */
export async function identifyRunning(
  reach: MountProbe,
  path: string | null,
  pid: number,
): Promise<FileIdentity | null> {
  const way = wayToRunning(pid);
  try {
    if (way === null || path === null || !(await isResponsiveFor(reach, path, pid))) return null;
    const { dev, ino } = await stat(way);
    return { dev, ino };
  } catch {
    // Gone, or another person's.
    return null;
  }
}

/** Returns whether another file is at the path than the file that ran. */
export function isReplaced(path: string, ran: FileIdentity | null): boolean {
  try {
    const { dev, ino } = identityOf(path);
    return ran !== null && (dev !== ran.dev || ino !== ran.ino);
  } catch {
    // The file is missing.
    return false;
  }
}

/** Returns a stamp of the file at a path, which differs after a write or a replacement; null where none is there. */
export function stampOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Throws where no file is at the path. */
export function identityOf(path: string): FileIdentity {
  const { dev, ino } = statSync(path);
  return { dev, ino };
}
