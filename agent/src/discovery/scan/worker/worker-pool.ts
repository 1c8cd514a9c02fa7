// Runs the workers of a scan one after the other, and trusts none: bounded in time and output, every line validated.
import { type ChildProcess, spawn } from 'node:child_process';
import { type AbandonedWorkers, createAbandonedWorkers } from '../../../runtime/killable-worker.ts';
import { SCAN_WORKER } from '../../../runtime/program-paths.ts';
import { UNRESPONSIVE } from '../../scoped-fs/path-resolver.ts';
import type { Report, Source } from '../../source-contract.ts';
import { whySkipped } from '../source-runner.ts';
import { HOME_LIMITS, WORKER_LIMITS, type WorkerLimits } from './worker-limits.ts';
import {
  expectedReports,
  openWorkerOutput,
  type WorkerOutput,
  type WorkerReports,
} from './worker-output.ts';
import type { Job } from './worker-protocol.ts';

/** A small nursery: a child makes much and keeps little, and its peak counts. */
const NODE_OPTIONS = ['--max-semi-space-size=1'];
/** Settings of malloc: a single arena (each thread would keep its peak otherwise), and large blocks returned at once. */
const MALLOC_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

export interface WorkerOptions {
  limits?: WorkerLimits | undefined;
  codeCache?: string | null;
  program?: string;
  signal?: AbortSignal | undefined;
  abandoned?: AbandonedWorkers | undefined;
  /** So much may wait unread until its end: who knows what it should be may need none of it. */
  unread?: number | undefined;
}

export interface WorkerResult {
  /** Digest of the complete output; null where the worker did not end regularly. */
  digest: string | null;
  bytes: number;
  /** Parses the output; missing reports are added as errors, so that nothing looks as if it was read. */
  read(): WorkerReports;
}

/**
 * Runs the worker of a job to its end. The first `options.unread` bytes of output are not parsed before `read` is
 * called.
 */
export async function runWorker(
  job: Job,
  sources: readonly Source[],
  options: WorkerOptions = {},
): Promise<WorkerResult> {
  const limits = options.limits ?? (job.machine ? WORKER_LIMITS : HOME_LIMITS);
  const output = openWorkerOutput(job, sources, limits);
  const key = workerKey(job);
  const abandoned = options.abandoned ?? createAbandonedWorkers();
  if (abandoned.has(key)) {
    const read = () =>
      output.outcome({ timedOut: true, reason: 'the previous worker still hangs' });
    return { digest: null, bytes: 0, read };
  }
  const end = await exchangeWith(job, options, limits, output, (child) =>
    abandoned.abandon(child, key),
  );
  return {
    digest: end.isRegular ? output.digest() : null,
    bytes: output.bytes(),
    read() {
      const violation = output.parsePending();
      return output.outcome(violation === null ? end : { timedOut: false, reason: violation });
    },
  };
}

/** Runs the worker of a job, and returns its parsed reports. */
export async function runWorkerReports(
  job: Job,
  sources: readonly Source[],
  options: WorkerOptions = {},
): Promise<WorkerReports> {
  return (await runWorker(job, sources, options)).read();
}

const workerKey = ({ machine, homes }: Job): string =>
  [machine ? 'machine' : '', ...homes.map((home) => home.owner)].join();

interface Ending {
  timedOut: boolean;
  reason: string;
  /** The worker finished with exit code 0. */
  isRegular: boolean;
}

function exchangeWith(
  job: Job,
  options: WorkerOptions,
  limits: WorkerLimits,
  output: WorkerOutput,
  abandon: (child: ChildProcess) => Promise<void>,
): Promise<Ending> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, options.program ?? SCAN_WORKER], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
    env: {
      // The agent's environment is not passed on: a worker that reads homes needs none of its secrets.
      ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
      ...MALLOC_SETTINGS,
      // A thread for each mount that hangs.
      UV_THREADPOOL_SIZE: '16',
      ...(options.codeCache ? { NODE_COMPILE_CACHE: options.codeCache } : {}),
    },
  });
  return new Promise((resolve) => {
    let ending: Ending | null = null;
    const stop = (timedOut: boolean, reason: string, isRegular = false) => {
      if (ending !== null) return;
      const end = { timedOut, reason, isRegular };
      ending = end;
      clearTimeout(total);
      clearTimeout(silence);
      options.signal?.removeEventListener('abort', abort);
      void abandon(child).then(() => resolve(end));
    };
    const abort = () => stop(true, 'the agent ends');
    options.signal?.addEventListener('abort', abort);
    const total = setTimeout(() => stop(true, 'out of time'), limits.totalMs);
    const silence = setTimeout(() => stop(true, 'out of time'), limits.silentMs);
    child.stdout.on('data', (chunk: Buffer) => {
      if (ending !== null) return;
      silence.refresh();
      output.append(chunk);
      if (output.bytes() <= (options.unread ?? 0)) return;
      const violation = output.parsePending();
      if (violation !== null) stop(false, violation);
    });
    child.once('error', (error) => stop(false, `the worker did not start: ${error.message}`));
    child.once('close', (code, signal) =>
      code === 0
        ? stop(false, 'the worker ended early', true)
        : stop(false, `the worker ended (${signal ?? code})`),
    );
    child.stdin.on('error', () => stop(false, 'the worker does not read its input'));
    child.stdin.end(JSON.stringify(job));
  });
}

/**
 * Returns the reports of homes that need no worker: discovery is not allowed, the home is unused, or it does not
 * respond.
 */
export function reportsWithoutWorker(
  job: Job,
  sources: readonly Source[],
  unusedHomes: ReadonlySet<string>,
): Report[] | null {
  if (job.machine) return null;
  const isUnused = job.homes.every((home) => unusedHomes.has(home.owner));
  const hangs = job.homes.every((home) => home.hangs === true);
  if (job.settings.personalHomes && !isUnused && !hangs) return null;
  return expectedReports(job, sources).map(({ source, owner }) => {
    const skipped = whySkipped(source, job.settings);
    const common = { source: source.name, owner, found: [] };
    if (skipped !== null) return { ...common, state: 'skipped', reason: skipped, problems: [] };
    if (!hangs) return { ...common, state: 'absent', reason: null, problems: [] };
    return {
      ...common,
      state: 'timed_out',
      reason: UNRESPONSIVE,
      problems: [{ path: '~', reason: UNRESPONSIVE }],
    };
  });
}
