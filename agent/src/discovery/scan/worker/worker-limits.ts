// Bounds that a scan's child keeps and that its parent holds it to.

/** Of one source in one place: so many of the files that it read are told. */
export const MAX_REPORTED_FILES = 512;
/** And so many folders in which it may come to find something. */
export const MAX_REPORTED_FOLDERS = 256;

export interface WorkerLimits {
  /** All of one child. */
  totalMs: number;
  /** Without a line: one source hangs. */
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

/** What is kept free for each report that is still to come: ten thousand extensions hide nothing but each other. */
const KEPT_FREE = { found: 150, bytes: 384 * 1024 };

export interface OutputBudget {
  found: number;
  bytes: number;
}

/** What the next report may take of the limits, with `after` others to come; then what it took is taken off. */
export function openOutputBudget(limits: Pick<WorkerLimits, 'maxBytes' | 'maxFound'>): {
  next(after: number): OutputBudget;
  take(took: OutputBudget): void;
} {
  const left: OutputBudget = { found: limits.maxFound, bytes: limits.maxBytes };
  const share = (all: number, kept: number, after: number) =>
    // With more to come than can be kept free for, each gets the same.
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
