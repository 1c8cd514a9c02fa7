// Time and randomness of the sync loops: the system's, or a simulation's.

export interface Timing {
  /** The wall clock, in milliseconds; a person can turn it. */
  now(): number;
  /** Never runs backwards. */
  monotonicMs(): number;
  /** From 0 up to, without, 1. */
  random(): number;
  /** Calls it once, later; the function that it gives takes that back. */
  after(ms: number, work: () => void): () => void;
}

export const SYSTEM_TIMING: Timing = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  random: Math.random,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
