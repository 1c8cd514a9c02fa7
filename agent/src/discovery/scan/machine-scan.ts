// Purpose: scans this machine in worker processes, which return their memory and may crash without harm to the service.
// Main types: `MachineScan` (request), `MachineResult`, `ScanFingerprint`, `Job`.
// Invariants: a home is read by a process that has become its owner; worker output is checked line by line.
// Depends on: scan-planner (jobs), worker/worker-pool (processes), scan-fingerprint, entity-assembler (result).
// Start reading at `scanMachine`.
import { currentPlatform } from '../../config/device-identity.ts';
import { codeCacheOf } from '../../runtime/code-cache.ts';
import type { AbandonedWorkers } from '../../runtime/killable-worker.ts';
import { findHomes } from '../homes/home-finder.ts';
import type { Home } from '../homes/home-list.ts';
import type { Report, Source } from '../source-contract.ts';
import { SOURCES } from '../sources/index.ts';
import type { WatchedScan } from './change-watcher.ts';
import { assemble, type ScanResult } from './entity-assembler.ts';
import {
  isRepeatable,
  type OutputDigest,
  type ScanFingerprint,
  stampedSources,
} from './scan-fingerprint.ts';
import { type PartialScan, planJobs, planPartialScan } from './scan-planner.ts';
import { chooseSources, type DiscoverySettings } from './source-runner.ts';
import type { WorkerLimits } from './worker/worker-limits.ts';
import { reportsWithoutWorker, runWorker, runWorkerReports } from './worker/worker-pool.ts';
import type { Job } from './worker/worker-protocol.ts';

export interface MachineScan {
  /** Folder of compiled code between scans; null: none. */
  dataDir: string | null;
  limits?: WorkerLimits;
  signal?: AbortSignal;
  abandoned?: AbandonedWorkers;
  /** Names of sources; null: all. */
  sources: readonly string[] | null;
  env: NodeJS.ProcessEnv;
  settings: DiscoverySettings;
  /** Called when a worker starts: its number from 1, and how many there are. */
  onWorker?: (worker: number, workers: number) => void;
  /** Homes to scan; by default those that `findHomes` returns. */
  homes?: readonly Home[];
  /** For tests: the root of another file system. */
  root?: string;
  /** Limits the scan to changed places. */
  again?: PartialScan;
  /**
   * The previous complete scan: its result is returned again where all workers report the same; null: none so far.
   * Set for a scan that is repeated: sources with a stamp report it first, and are read where anything changed.
   */
  before?: MachineResult | null;
  /** Reads everything, whatever the stamps are. */
  isFullRead?: boolean;
}

export interface MachineResult extends ScanResult {
  /** Reports of watched sources about homes, which a partial scan need not read again. */
  kept: Report[];
  /** Input of the watch for changes. */
  watched: WatchedScan;
  /** Null where a worker did not end regularly. */
  fingerprint: ScanFingerprint | null;
  /** True where nothing differs from the scan before. */
  isSame: boolean;
}

/** Scans the machine and its homes once. */
export async function scanMachine(scan: MachineScan): Promise<MachineResult> {
  const platform = currentPlatform();
  const startedAt = new Date();
  const startMs = performance.now();
  const root = scan.root ?? (platform === 'win32' ? 'C:\\' : '/');
  const homes = scan.homes ?? (await findHomes())?.homes ?? [];
  const chosen = chooseSources(SOURCES, platform, scan.sources);
  const partial = scan.again === undefined ? null : planPartialScan(chosen, homes, scan.again);
  const sources = partial?.sources ?? chosen;
  const jobs = planJobs({ ...scan, platform, root, homes }, partial);
  const jobsText = JSON.stringify([jobs, homes]);
  const before = scan.before?.fingerprint?.jobs === jobsText ? scan.before : null;
  const { settings } = scan;
  const watched = { sources: chosen, homes, settings, beganAtMs: startedAt.getTime() };
  const durationMs = () => Math.round(performance.now() - startMs);
  const repeat = (previous: MachineResult): MachineResult => ({
    ...previous,
    startedAt,
    durationMs: durationMs(),
    isSame: true,
    watched: { ...watched, reports: previous.kept },
  });
  const output = await runWorkers(
    scan.before === undefined ? jobs : jobs.map((job) => ({ ...job, stamps: job.machine })),
    sources,
    scan,
    before?.fingerprint ?? null,
  );
  if (before !== null && output.isSame && scan.isFullRead !== true) return repeat(before);
  const read = await readStamped(
    output.readers.flatMap((readReports) => readReports()),
    { jobs, sources, scan },
  );
  const reports = [...(partial?.kept ?? []), ...read.reports];
  const kept = keepForPartialScans(reports, sources);
  const { workers, unusedHomes } = output;
  const isRepeated = workers !== null && read.isRepeatable;
  return {
    ...assemble(reports, { platform, root, homes, startedAt, durationMs: durationMs() }),
    kept,
    watched: { ...watched, reports: kept },
    fingerprint: isRepeated ? { jobs: jobsText, workers, unusedHomes } : null,
    isSame: false,
  };
}

/** Reads the sources that reported a stamp. The stamps are older: a change during the read leads to other stamps. */
async function readStamped(
  reports: Report[],
  { jobs, sources, scan }: { jobs: readonly Job[]; sources: readonly Source[]; scan: MachineScan },
): Promise<{ reports: Report[]; isRepeatable: boolean }> {
  const stamped = stampedSources(reports);
  const job = jobs.find(({ machine }) => machine);
  if (stamped.size === 0 || job === undefined || scan.signal?.aborted === true) {
    return { reports, isRepeatable: stamped.size === 0 };
  }
  const { dataDir, limits, signal, abandoned } = scan;
  const read = await runWorkerReports(
    { ...job, sources: [...stamped], homes: [], others: [] },
    sources.filter(({ name }) => stamped.has(name)),
    { codeCache: codeCacheOf(dataDir), limits, signal, abandoned },
  );
  const bySource = new Map(read.reports.map((report) => [report.source, report]));
  return {
    reports: reports.map((report) =>
      report.stamp === undefined ? report : (bySource.get(report.source) ?? report),
    ),
    isRepeatable: read.reports.every(isRepeatable),
  };
}

function keepForPartialScans(reports: readonly Report[], sources: readonly Source[]): Report[] {
  const isWatched = (report: Report) =>
    sources.some((source) => source.name === report.source && source.watches !== undefined);
  return reports.filter((report) => report.owner !== null && isWatched(report));
}

interface WorkersOutput {
  /** Parse the reports of a worker on demand: unchanged output is never parsed. */
  readers: (() => Report[])[];
  /** Null where a worker did not end regularly. */
  workers: OutputDigest[] | null;
  unusedHomes: ReadonlySet<string>;
  isSame: boolean;
}

/** Runs the workers in turn. Output is only compared while it equals the last scan's, and parsed from the first difference. */
async function runWorkers(
  jobs: readonly Job[],
  sources: readonly Source[],
  { dataDir, limits, signal, abandoned, onWorker }: MachineScan,
  last: ScanFingerprint | null,
): Promise<WorkersOutput> {
  const codeCache = codeCacheOf(dataDir);
  const readers: WorkersOutput['readers'] = [];
  const digests: (OutputDigest | null)[] = [];
  let unusedHomes: ReadonlySet<string> = new Set();
  let isSame = last !== null;
  for (const [index, job] of jobs.entries()) {
    onWorker?.(index + 1, jobs.length);
    const reports = reportsWithoutWorker(job, sources, unusedHomes);
    if (reports !== null) {
      readers.push(() => reports);
      continue;
    }
    if (signal?.aborted) {
      digests.push(null);
      break;
    }
    const expected = isSame ? last?.workers[digests.length] : undefined;
    const options = { codeCache, limits, signal, abandoned, unread: expected?.bytes ?? 0 };
    const { digest, bytes, read } = await runWorker(job, sources, options);
    const known = digest !== null && digest === expected?.digest ? last : null;
    isSame = known !== null;
    digests.push(digest === null ? null : { digest, bytes });
    readers.push(() => read().reports);
    if (job.machine) unusedHomes = (known ?? read()).unusedHomes;
  }
  const workers = digests.flatMap((digest) => digest ?? []);
  const isComplete = workers.length === digests.length;
  return {
    readers,
    workers: isComplete ? workers : null,
    unusedHomes,
    isSame: isSame && isComplete,
  };
}
