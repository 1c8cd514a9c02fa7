// What keeps one process whole whatever clients send: buckets by client, a bound on the bytes of bodies under way, and
// how hard the process works, from which devices are told to call less often.
import { performance } from 'node:perf_hooks';
import { HubError } from './errors.ts';

/** Of each client so many requests a second in the long run, and a burst on top. */
export interface Rate {
  perSecond: number;
  burst: number;
}

export interface Buckets {
  /** Takes one; throws `too_many_requests` with the seconds to wait where the bucket is empty. */
  take(client: string): void;
}

/** Bounded: of very many clients the one that came first is forgotten, which only fills its bucket. */
export function createBuckets(rate: Rate, options: { max: number; nowMs(): number }): Buckets {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(client) {
      const now = options.nowMs();
      let bucket = buckets.get(client);
      if (bucket === undefined) {
        bucket = { left: rate.burst, at: now };
        buckets.set(client, bucket);
        for (const oldest of buckets.keys()) {
          if (buckets.size <= options.max) break;
          buckets.delete(oldest);
        }
      }
      const gained = ((now - bucket.at) / 1000) * rate.perSecond;
      bucket.left = Math.min(rate.burst, bucket.left + gained);
      bucket.at = now;
      if (bucket.left < 1) {
        const retryAfterSeconds = Math.ceil((1 - bucket.left) / rate.perSecond);
        throw new HubError('too_many_requests', undefined, { retryAfterSeconds });
      }
      bucket.left -= 1;
    },
  };
}

export interface BodyBudget {
  /** Reserves the bytes of one body; throws `overloaded` where they do not fit. Gives what lets them go, once. */
  reserve(bytes: number): () => void;
  used(): number;
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  let used = 0;
  return {
    reserve(bytes) {
      // One body always fits, or a small budget would refuse everything.
      if (used > 0 && used + bytes > maxBytes) throw new HubError('overloaded');
      used += bytes;
      let held = true;
      return () => {
        if (held) used -= bytes;
        held = false;
      };
    },
    used: () => used,
  };
}

const LOOK_EVERY_MS = 2_000;
/** From this share of a core on devices are asked to call less often; at the whole of it, at most this seldom. */
const BUSY = 0.6;
export const SELDOM_SECONDS = 300;

/**
 * The least interval between polls that this load allows: 1 second while there is room, and never more than the
 * operator's `seldomSeconds`. Steps, so that answers repeat.
 */
export function pollAfter(utilization: number, seldomSeconds: number): number {
  if (utilization < BUSY) return 1;
  const share = Math.min(1, (utilization - BUSY) / (0.95 - BUSY));
  const wanted = Math.max(60, Math.round((share * SELDOM_SECONDS) / 60) * 60);
  return Math.min(wanted, seldomSeconds);
}

export interface LoadGauge {
  pollAfterSeconds(): number;
  /** Share of a core that the event loop was busy, smoothed over about ten seconds. */
  utilization(): number;
  stop(): void;
}

export function createLoadGauge(seldomSeconds: number): LoadGauge {
  let smoothed = 0;
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    smoothed = 0.8 * smoothed + 0.2 * performance.eventLoopUtilization(now, last).utilization;
    last = now;
  }, LOOK_EVERY_MS).unref();
  return {
    pollAfterSeconds: () => pollAfter(smoothed, seldomSeconds),
    utilization: () => smoothed,
    stop: () => clearInterval(timer),
  };
}
