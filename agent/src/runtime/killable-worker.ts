// Worker processes with a watchdog, for whatever may touch an unresponsive file system: homes, paths of programs, edits of
// configurations, scans. A worker that waits for such a file system cannot always be ended; it is abandoned then, and no
// second worker is started for the same key while it runs.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

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

export interface WorkerCall {
  env: NodeJS.ProcessEnv;
  input?: string;
  timeoutMs: number;
  /** Bound of the output in UTF-16 units. */
  maxOutput: number;
  /** Returns whether the output is a complete answer: blocked threads can keep a worker alive after its answer. */
  isComplete?: (output: string) => boolean;
  /** Ends the worker; the call waits for it. */
  abandon?: (child: ChildProcess) => Promise<void> | void;
}

/**
 * Runs a program and resolves with its output and exit code. Resolves with null where it does not start, is killed,
 * writes too much, or does not end in time: it is abandoned then.
 */
export function runKillable(
  program: string,
  args: readonly string[],
  call: WorkerCall,
): Promise<{ output: string; code: number } | null> {
  const { abandon = killWorker, isComplete = () => false } = call;
  return new Promise((resolve) => {
    let output = '';
    const child = spawnOrNull(program, args, call.env);
    if (child === null) return resolve(null);
    const end = (result: { output: string; code: number } | null) => {
      clearTimeout(watchdog);
      void Promise.resolve(abandon(child)).then(() => resolve(result));
    };
    const watchdog = setTimeout(() => end(null), call.timeoutMs);
    child.once('error', () => end(null));
    child.once('close', (code) => end(code === null ? null : { output, code }));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.length > call.maxOutput) end(null);
      else if (isComplete(output)) end({ output, code: 0 });
    });
    // The worker may end before it has read all input: its answer, or the lack of it, shows that.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input);
  });
}

/** Some failures of a start are thrown, others are emitted; after some of these the child has no streams. */
function spawnOrNull(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess | null {
  try {
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
    return spawn(program, args, { cwd: '/', env, stdio, windowsHide: true });
  } catch {
    return null;
  }
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
