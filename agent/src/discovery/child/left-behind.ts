// Children that were given up and live on: what waits for a dead file system cannot always be ended. Where one is left, no
// second one is sent the same way.
import type { ChildProcess } from 'node:child_process';

export interface LeftBehind {
  /** Ends it as well as that can be done, and waits for nothing. */
  giveUp(child: ChildProcess, way: string): void;
  /** True while one that went this way has not ended. */
  has(way: string): boolean;
}

export function createLeftBehind(): LeftBehind {
  const left = new Map<string, ChildProcess>();
  const hasEnded = (child: ChildProcess) =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    giveUp(child, way) {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      if (!hasEnded(child)) left.set(way, child);
    },
    has(way) {
      const child = left.get(way);
      if (child !== undefined && hasEnded(child)) left.delete(way);
      return left.has(way);
    },
  };
}
