// Worker processes that were killed and still run: a process that waits for an unresponsive file system cannot always
// be ended. No second worker is started for the same key while the first runs.
import type { ChildProcess } from 'node:child_process';

export interface AbandonedWorkers {
  /** Ends it as well as that can be done, and waits for its end for a moment: only then it counts as left. */
  abandon(child: ChildProcess, key: string): Promise<void>;
  /** True while a worker of this key still runs. */
  has(key: string): boolean;
  /** How many live on, of all ways. */
  count(): number;
}

/** A worker that can be ended ends within this time. */
const PATIENCE_MS = 1000;

export function createAbandonedWorkers(): AbandonedWorkers {
  const left = new Map<string, ChildProcess>();
  const hasEnded = (child: ChildProcess) =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const isLeft = (key: string): boolean => {
    const child = left.get(key);
    if (child !== undefined && hasEnded(child)) left.delete(key);
    return left.has(key);
  };
  return {
    abandon(child, key) {
      killWorker(child);
      if (hasEnded(child)) return Promise.resolve();
      left.set(key, child);
      return endOf(child);
    },
    has: isLeft,
    count: () => [...left.keys()].filter(isLeft).length,
  };
}

/** Ends it as well as that can be done; nothing waits for it any more. */
export function killWorker(child: ChildProcess): void {
  child.kill('SIGKILL');
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, PATIENCE_MS);
    child.once('exit', done);
  });
}
