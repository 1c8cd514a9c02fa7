// Limits of a worker's output and time, which the worker observes and its parent enforces.

/** Bound of the files that a source reports for a home. */
export const MAX_REPORTED_FILES = 512;
/** And so many folders in which it may come to find something. */
export const MAX_REPORTED_FOLDERS = 256;

export interface WorkerLimits {
  /** Time of a worker in total. */
  totalMs: number;
  /** Time without a line: a source hangs. */
  silentMs: number;
  maxBytes: number;
  maxFound: number;
}

export const WORKER_LIMITS: WorkerLimits = {
  totalMs: 5 * 60_000,
  silentMs: 60_000,
  maxBytes: 64 * 1024 * 1024,
  maxFound: 60_000,
};

/** A home is smaller, and its owner may want to fill us. */
export const HOME_LIMITS: WorkerLimits = {
  totalMs: 2 * 60_000,
  silentMs: 60_000,
  maxBytes: 16 * 1024 * 1024,
  maxFound: 10_000,
};

/** Output reserved for each report that is still to come: ten thousand extensions displace nothing but each other. */
const KEPT_FREE = { found: 150, bytes: 384 * 1024 };

export interface OutputBudget {
  found: number;
  bytes: number;
}

/** Returns the share of the next report, with `after` others to come; `take` deducts what it used. */
export function openOutputBudget(limits: Pick<WorkerLimits, 'maxBytes' | 'maxFound'>): {
  next(after: number): OutputBudget;
  take(took: OutputBudget): void;
} {
  const left: OutputBudget = { found: limits.maxFound, bytes: limits.maxBytes };
  const share = (all: number, kept: number, after: number) =>
    // Each report gets the same share if there is too little room to reserve for all.
    Math.floor(Math.max(all / (after + 1), all - kept * after));
  return {
    next: (after) => ({
      found: share(left.found, KEPT_FREE.found, after),
      bytes: share(left.bytes, KEPT_FREE.bytes, after),
    }),
    take(took) {
      left.found -= took.found;
      left.bytes -= took.bytes;
    },
  };
}
