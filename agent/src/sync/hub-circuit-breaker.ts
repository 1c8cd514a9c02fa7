// What one request learned of a hub in trouble holds for all: several loops that each try on their own would be several
// agents to a hub that has none too much strength.
import type { Timing } from '../runtime/timing.ts';
import { isTokenRefused, isWorthRetrying, RequestDeferredError, waitAfter } from './backoff.ts';

export interface HubCircuitBreaker {
  /**
   * Throws `HeldBack`, by what went wrong last, while its wait lasts, unless nothing was wrong with this endpoint yet:
   * what a hub does not take of one kind keeps back nothing else. Gives what is to be said of the request that may go now.
   */
  enter(endpoint: string): { recordSuccess(): void; recordFailure(error: Error): void };
  /** The next request goes, whatever was. */
  forget(): void;
}

/** A hub that starts again is found soon; who is away longer is not asked again at once by the smallest of chances. */
const SOON = 2;

/** Who is held back while another tries asks again so much later. */
const TRYING_MS = 5_000;

/**
 * Waits as the one retry rule says, counted over all requests, and from the third time on at least half as long as that
 * rule allows: ten minutes of 503 see a dozen requests. One goes at a time; the first that succeeds ends it.
 */
export function createHubCircuitBreaker(
  timing: Pick<Timing, 'monotonicMs' | 'random'>,
): HubCircuitBreaker {
  let last: { error: Error; at: number; until: number } | null = null;
  let failures = 0;
  let isTrying = false;
  /** What failed since anything succeeded. */
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
          // Whoever refuses a request for good has strength enough.
          if (!isWorthRetrying(error)) return isTokenRefused(error) ? undefined : forget();
          failing.add(endpoint);
          // Those that were under way together say it once.
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
