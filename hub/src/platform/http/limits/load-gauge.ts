// Load of this process, and the poll interval that devices are advised to use under that load.
import { performance } from 'node:perf_hooks';

const SAMPLE_INTERVAL_MS = 2_000;
/** Share of a core above which devices are advised to poll less often. */
const BUSY_UTILIZATION = 0.6;
/** Share of a core at which the advised interval reaches its maximum. */
const FULL_UTILIZATION = 0.95;
export const MAX_POLL_INTERVAL_SECONDS = 300;

/**
 * Returns the advised poll interval for a utilization of 0 to 1: 1 second below the busy threshold, then multiples of a
 * minute, so that answers stay cacheable. The result never exceeds `maxSeconds`, which the operator configures.
 */
export function pollIntervalSeconds(utilization: number, maxSeconds: number): number {
  if (utilization < BUSY_UTILIZATION) return 1;
  const range = FULL_UTILIZATION - BUSY_UTILIZATION;
  const share = Math.min(1, (utilization - BUSY_UTILIZATION) / range);
  const interval = Math.max(60, Math.round((share * MAX_POLL_INTERVAL_SECONDS) / 60) * 60);
  return Math.min(interval, maxSeconds);
}

export interface LoadGauge {
  /** Returns the poll interval that the current load allows. */
  pollIntervalSeconds(): number;
  /** Returns the share of a core that the event loop was busy, smoothed over about ten seconds. */
  utilization(): number;
  stop(): void;
}

/** Returns a gauge that samples the event loop until `stop`. `maxSeconds`: see `pollIntervalSeconds`. */
export function createLoadGauge(maxSeconds: number): LoadGauge {
  let smoothed = 0;
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    smoothed = 0.8 * smoothed + 0.2 * performance.eventLoopUtilization(now, last).utilization;
    last = now;
  }, SAMPLE_INTERVAL_MS).unref();
  return {
    pollIntervalSeconds: () => pollIntervalSeconds(smoothed, maxSeconds),
    utilization: () => smoothed,
    stop: () => clearInterval(timer),
  };
}
