// Circuit breaker of the hub, shared by all loops: a failure of one endpoint delays the next request of every failing
// endpoint, so that an overloaded hub sees a single agent and not one for each loop.
import type { Timing } from '../runtime/timing.ts';
import { isTokenRefused, isWorthRetrying, RequestDeferredError, waitAfter } from './backoff.ts';

export interface HubCircuitBreaker {
  /**
   * Throws `RequestDeferredError` with the last failure while its wait lasts, unless this endpoint has not failed
   * yet: a hub that refuses one kind of request delays no other kind. Returns the recorder of the request that may be
   * sent now.
   */
  enter(endpoint: string): { recordSuccess(): void; recordFailure(error: Error): void };
  /** The next request goes, whatever was. */
  forget(): void;
}

/** A hub that starts again is found soon; who is away longer is not asked again at once by the smallest of chances. */
const SOON = 2;

/** Wait of a request while another one probes the hub. */
const TRYING_MS = 5_000;

/**
 * Waits follow the retry policy, counted over all requests; from the third failure on a wait is at least half of what
 * the policy allows: ten minutes of 503 see a dozen requests. A single request probes at a time, and the first
 * success closes the breaker.
 */
export function createHubCircuitBreaker(
  timing: Pick<Timing, 'monotonicMs' | 'random'>,
): HubCircuitBreaker {
  let last: { error: Error; at: number; until: number } | null = null;
  let failures = 0;
  let isTrying = false;
  /** Endpoints that failed since the last success. */
  const failing = new Set<string>();
  const forget = () => {
    last = null;
    failures = 0;
    failing.clear();
  };
  const waitMs = (error: Error) => {
    const chance = failures < SOON ? timing.random() : (1 + timing.random()) / 2;
    return waitAfter(error, failures++, () => chance);
  };
  return {
    enter(endpoint) {
      const began = timing.monotonicMs();
      const tries = last !== null && failing.has(endpoint);
      if (last !== null && tries) {
        const leftMs = last.until - began;
        if (leftMs > 0) throw new RequestDeferredError(last.error, leftMs);
        if (isTrying) throw new RequestDeferredError(last.error, TRYING_MS);
      }
      isTrying ||= tries;
      const ended = () => {
        if (tries) isTrying = false;
      };
      return {
        recordSuccess() {
          ended();
          forget();
        },
        recordFailure(error) {
          ended();
          // A hub that refuses a request for good is not overloaded.
          if (!isWorthRetrying(error)) return isTokenRefused(error) ? undefined : forget();
          failing.add(endpoint);
          // Requests that were under way together count as a single failure.
          if (last !== null && began < last.at) return;
          const now = timing.monotonicMs();
          last = { error, at: now, until: now + waitMs(error) };
        },
      };
    },
    forget() {
      isTrying = false;
      forget();
    },
  };
}
