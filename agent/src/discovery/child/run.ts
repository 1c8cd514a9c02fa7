// Starts the children of a scan one after the other, and trusts none: bounded in time and output, every line checked.
import { type ChildProcess, spawn } from 'node:child_process';

import { MALLOC_SETTINGS } from '../../lean.ts';
import { SCAN_CHILD } from '../../programs.ts';
import { HANGS } from '../look.ts';
import { whySkipped } from '../scan.ts';
import type { Discovered, Report, Source } from '../source.ts';
import { createLeftBehind, type LeftBehind } from './left-behind.ts';
import { type Job, type Line, MAX_LINE, readLine } from './protocol.ts';

/** A small nursery: a child makes much and keeps little, and its peak counts. */
const NODE_OPTIONS = ['--max-semi-space-size=1'];

export interface ChildLimits {
  /** All of one child. */
  totalMs: number;
  /** Without a line: one source hangs. */
  silentMs: number;
  maxBytes: number;
  maxFound: number;
}

export const CHILD_LIMITS: ChildLimits = {
  totalMs: 5 * 60_000,
  silentMs: 60_000,
  maxBytes: 64 * 1024 * 1024,
  maxFound: 60_000,
};

export interface ChildOptions {
  limits?: ChildLimits | undefined;
  codeCache?: string | null;
  program?: string;
  signal?: AbortSignal | undefined;
  leftBehind?: LeftBehind | undefined;
}

export interface ChildOutcome {
  reports: Report[];
  /** Of the others, those in whose homes is nothing to look at. */
  bare: ReadonlySet<string>;
}

/** A home is smaller, and its owner may want to fill us. */
const HOME_LIMITS: ChildLimits = {
  totalMs: 2 * 60_000,
  silentMs: 60_000,
  maxBytes: 16 * 1024 * 1024,
  maxFound: 10_000,
};

/** What a job's child reported; what it did not come to say is said for it, so that nothing looks as if it was read. */
export async function runChild(
  job: Job,
  sources: readonly Source[],
  options: ChildOptions = {},
): Promise<ChildOutcome> {
  const limits = options.limits ?? (job.machine ? CHILD_LIMITS : HOME_LIMITS);
  const expected = expectedReports(job, sources);
  const reports: Report[] = [];
  const bare = new Set<string>();
  const take = (line: Exclude<Line, { is: 'found' }>, found: Discovered[]): boolean => {
    if (line.is === 'bare') {
      bare.add(line.owner);
      return job.others.some((home) => home.owner === line.owner);
    }
    const { is: _, ...said } = line;
    const report = { ...said, found };
    const at = expected.findIndex(
      (e) => e.source.name === report.source && e.owner === report.owner,
    );
    // A report nobody asked for, or a second one: not from a child that does what it was told.
    if (at < 0) return false;
    expected.splice(at, 1);
    reports.push(report);
    return true;
  };
  const way = wayOf(job);
  const leftBehind = options.leftBehind ?? createLeftBehind();
  const end = leftBehind.has(way)
    ? { timedOut: true, reason: 'the reader before still hangs' }
    : await talk(job, options, limits, take, (child) => leftBehind.giveUp(child, way));
  for (const { source, owner } of expected) {
    const state = end.timedOut ? 'timed_out' : 'unreadable';
    const problems = [{ path: owner === null ? '/' : '~', reason: end.reason }];
    reports.push({ source: source.name, owner, state, reason: end.reason, problems, found: [] });
  }
  return { reports, bare };
}

const wayOf = ({ machine, homes }: Job): string =>
  [machine ? 'machine' : '', ...homes.map((home) => home.owner)].join();

function expectedReports(
  job: Job,
  sources: readonly Source[],
): { source: Source; owner: string | null }[] {
  const places = [...(job.machine ? [null] : []), ...job.homes.map((home) => home.owner)];
  return places.flatMap((owner) =>
    sources
      .filter((source) => source.looksAt.includes(owner === null ? 'machine' : 'home'))
      .map((source) => ({ source, owner })),
  );
}

interface Ending {
  timedOut: boolean;
  reason: string;
}

function talk(
  job: Job,
  options: ChildOptions,
  limits: ChildLimits,
  take: (line: Exclude<Line, { is: 'found' }>, found: Discovered[]) => boolean,
  giveUp: (child: ChildProcess) => Promise<void>,
): Promise<Ending> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, options.program ?? SCAN_CHILD], {
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
    let buffered = '';
    let bytes = 0;
    let found: Discovered[] = [];
    let foundInAll = 0;
    const stop = (timedOut: boolean, reason: string) => {
      if (ending !== null) return;
      const said = { timedOut, reason };
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
    const takeLine = (text: string): void => {
      const line = readLine(text);
      if (line?.is === 'found') {
        found.push(line.one);
        if (++foundInAll > limits.maxFound) stop(false, 'the reader found too much');
      } else if (line === null || !take(line, found)) {
        stop(false, 'the reader said what it must not say');
      } else found = [];
    };
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      silence.refresh();
      bytes += chunk.length;
      buffered += chunk;
      for (
        let at = buffered.indexOf('\n');
        at >= 0 && ending === null;
        at = buffered.indexOf('\n')
      ) {
        const line = buffered.slice(0, at);
        buffered = buffered.slice(at + 1);
        takeLine(line);
      }
      if (bytes > limits.maxBytes || buffered.length > MAX_LINE) {
        stop(false, 'the reader said too much');
      }
    });
    child.once('error', (error) => stop(false, `the reader did not start: ${error.message}`));
    child.once('close', (code, signal) =>
      stop(false, code === 0 ? 'the reader ended early' : `the reader ended (${signal ?? code})`),
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
