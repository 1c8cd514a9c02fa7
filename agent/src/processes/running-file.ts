// The very file that a process runs: under its path another one may stand by now, or here, where it runs in a container.
import { statSync } from 'node:fs';

export interface FileIdentity {
  dev: number;
  ino: number;
}

/** A way to that file while the process lives; null where the system knows none. */
export const wayToRunning = (pid: number): string | null =>
  process.platform === 'linux' ? `/proc/${pid}/exe` : null;

/** Null where it cannot be seen. */
export function identifyRunning(pid: number): FileIdentity | null {
  const way = wayToRunning(pid);
  try {
    return way === null ? null : identityOf(way);
  } catch {
    // Gone, or another person's.
    return null;
  }
}

/** True where another file stands there than the one that ran. */
export function isReplaced(path: string, ran: FileIdentity | null): boolean {
  try {
    const { dev, ino } = identityOf(path);
    return ran !== null && (dev !== ran.dev || ino !== ran.ino);
  } catch {
    // None stands there.
    return false;
  }
}

function identityOf(path: string): FileIdentity {
  const { dev, ino } = statSync(path);
  return { dev, ino };
}
