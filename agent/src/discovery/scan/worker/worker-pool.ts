// Starts the children of a scan one after the other, and trusts none: bounded in time and output, every line checked.
import { type ChildProcess, spawn } from 'node:child_process';

import { MALLOC_SETTINGS } from '../../../runtime/process-relauncher.ts';
import { SCAN_WORKER } from '../../../runtime/program-paths.ts';
import { HANGS } from '../../scoped-fs/scoped-fs.ts';
import type { Report, Source } from '../../source-contract.ts';
import { whySkipped } from '../source-runner.ts';
import { createLeftBehind, type LeftBehind } from './abandoned-workers.ts';
import { CHILD_LIMITS, type ChildLimits, HOME_LIMITS } from './worker-limits.ts';
import { type ChildOutcome, expectedReports, openWords, type Words } from './worker-output.ts';
import type { Job } from './worker-protocol.ts';

/** A small nursery: a child makes much and keeps little, and its peak counts. */
const NODE_OPTIONS = ['--max-semi-space-size=1'];

export interface ChildOptions {
  limits?: ChildLimits | undefined;
  codeCache?: string | null;
  program?: string;
  signal?: AbortSignal | undefined;
  leftBehind?: LeftBehind | undefined;
  /** So much may wait unread until its end: who knows what it should be may need none of it. */
  unread?: number | undefined;
}

export interface Heard {
  /** Of all it said; null where it did not come to its regular end. */
  digest: string | null;
  bytes: number;
  /** What that was; what it did not come to say is said for it, so that nothing looks as if it was read. */
  read(): ChildOutcome;
}

/** A job's child, heard to its end. The first `options.unread` bytes it says are not looked at before `read` is called. */
export async function hearChild(
  job: Job,
  sources: readonly Source[],
  options: ChildOptions = {},
): Promise<Heard> {
  const limits = options.limits ?? (job.machine ? CHILD_LIMITS : HOME_LIMITS);
  const words = openWords(job, sources, limits);
  const way = wayOf(job);
  const leftBehind = options.leftBehind ?? createLeftBehind();
  if (leftBehind.has(way)) {
    const read = () => words.outcome({ timedOut: true, reason: 'the reader before still hangs' });
    return { digest: null, bytes: 0, read };
  }
  const end = await talk(job, options, limits, words, (child) => leftBehind.giveUp(child, way));
  return {
    digest: end.isRegular ? words.digest() : null,
    bytes: words.bytes(),
    read() {
      const complaint = words.readOn();
      return words.outcome(complaint === null ? end : { timedOut: false, reason: complaint });
    },
  };
}

/** What a job's child reported. */
export async function runChild(
  job: Job,
  sources: readonly Source[],
  options: ChildOptions = {},
): Promise<ChildOutcome> {
  return (await hearChild(job, sources, options)).read();
}

const wayOf = ({ machine, homes }: Job): string =>
  [machine ? 'machine' : '', ...homes.map((home) => home.owner)].join();

interface Ending {
  timedOut: boolean;
  reason: string;
  /** It ended by itself, as it should. */
  isRegular: boolean;
}

function talk(
  job: Job,
  options: ChildOptions,
  limits: ChildLimits,
  words: Words,
  giveUp: (child: ChildProcess) => Promise<void>,
): Promise<Ending> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, options.program ?? SCAN_WORKER], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
    env: {
      // None of our own environment: a child that reads homes needs none of the secrets that may stand there.
      ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
      ...MALLOC_SETTINGS,
      // Each mount that hangs keeps one.
      UV_THREADPOOL_SIZE: '16',
      ...(options.codeCache ? { NODE_COMPILE_CACHE: options.codeCache } : {}),
    },
  });
  return new Promise((resolve) => {
    let ending: Ending | null = null;
    const stop = (timedOut: boolean, reason: string, isRegular = false) => {
      if (ending !== null) return;
      const said = { timedOut, reason, isRegular };
      ending = said;
      clearTimeout(total);
      clearTimeout(silence);
      options.signal?.removeEventListener('abort', abort);
      void giveUp(child).then(() => resolve(said));
    };
    const abort = () => stop(true, 'the agent ends');
    options.signal?.addEventListener('abort', abort);
    const total = setTimeout(() => stop(true, 'out of time'), limits.totalMs);
    const silence = setTimeout(() => stop(true, 'out of time'), limits.silentMs);
    child.stdout.on('data', (chunk: Buffer) => {
      if (ending !== null) return;
      silence.refresh();
      words.hear(chunk);
      if (words.bytes() <= (options.unread ?? 0)) return;
      const complaint = words.readOn();
      if (complaint !== null) stop(false, complaint);
    });
    child.once('error', (error) => stop(false, `the reader did not start: ${error.message}`));
    child.once('close', (code, signal) =>
      code === 0
        ? stop(false, 'the reader ended early', true)
        : stop(false, `the reader ended (${signal ?? code})`),
    );
    child.stdin.on('error', () => stop(false, 'the reader does not listen'));
    child.stdin.end(JSON.stringify(job));
  });
}

/** What is said of homes without a child: nobody wants them looked at, nothing is in them, or they do not answer. */
export function reportsWithoutChild(
  job: Job,
  sources: readonly Source[],
  bare: ReadonlySet<string>,
): Report[] | null {
  if (job.machine) return null;
  const isBare = job.homes.every((home) => bare.has(home.owner));
  const hangs = job.homes.every((home) => home.hangs === true);
  if (job.settings.personalHomes && !isBare && !hangs) return null;
  return expectedReports(job, sources).map(({ source, owner }) => {
    const skipped = whySkipped(source, job.settings);
    const common = { source: source.name, owner, found: [] };
    if (skipped !== null) return { ...common, state: 'skipped', reason: skipped, problems: [] };
    if (!hangs) return { ...common, state: 'absent', reason: null, problems: [] };
    return {
      ...common,
      state: 'timed_out',
      reason: HANGS,
      problems: [{ path: '~', reason: HANGS }],
    };
  });
}
