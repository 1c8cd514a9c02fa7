// Fingerprints of scans: digests of what the workers reported, by which an unchanged rescan costs almost nothing.
// A worker is first run for its stamps only. Where all stamps equal those of the last scan, nothing is read again.
import { codeCacheOf } from '../../runtime/code-cache.ts';
import type { AbandonedWorkers } from '../../runtime/killable-worker.ts';
import type { Source } from '../source-contract.ts';
import type { WorkerLimits } from './worker/worker-limits.ts';
import type { OutputDigest } from './worker/worker-output.ts';
import { reportsWithoutWorker, runWorker } from './worker/worker-pool.ts';
import type { Job } from './worker/worker-protocol.ts';

/** Digests of a worker's output; `stampsOnly`: of the output it would write for stamps alone. */
export interface WorkerFingerprint extends OutputDigest {
  stampsOnly: OutputDigest | null;
}

export interface ScanFingerprint {
  /** The jobs and homes of the scan as JSON: other jobs are never compared. */
  jobs: string;
  workers: WorkerFingerprint[];
  /** Owners of homes that nobody uses. */
  unusedHomes: ReadonlySet<string>;
}

/** How the workers of a scan are run. */
export interface WorkerRun {
  /** Folder of compiled code between scans; null: none. */
  dataDir: string | null;
  limits?: WorkerLimits;
  signal?: AbortSignal;
  abandoned?: AbandonedWorkers;
}

/** Returns whether all workers report the stamps of the last scan. */
export async function isUnchangedSinceLastScan(
  jobs: readonly Job[],
  sources: readonly Source[],
  { dataDir, limits, signal, abandoned }: WorkerRun,
  last: ScanFingerprint,
): Promise<boolean> {
  const codeCache = codeCacheOf(dataDir);
  let workerIndex = 0;
  for (const job of jobs) {
    if (reportsWithoutWorker(job, sources, last.unusedHomes) !== null) continue;
    const expected = last.workers[workerIndex++]?.stampsOnly ?? null;
    if (expected === null || signal?.aborted) return false;
    const stampsJob: Job = job.stamps === null ? job : { ...job, stamps: 'instead' };
    const options = { codeCache, limits, signal, abandoned, unread: expected.bytes };
    const { digest } = await runWorker(stampsJob, sources, options);
    if (digest !== expected.digest) return false;
  }
  return workerIndex === last.workers.length;
}
