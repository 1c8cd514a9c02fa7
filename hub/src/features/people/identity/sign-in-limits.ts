// Limits of failed sign-ins: by source address, by account, and by browser known for the account. They are counted in
// this process only, so that an attempt without an account writes nothing to the database.
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  createRateLimiter,
  type TokenBucketRateLimiter,
} from '../../../platform/http/limits/token-bucket.ts';

/** Failed attempts a minute with one account from one source, or from a browser known for it. */
export const ATTEMPTS_PER_MINUTE = 10;
/** Failed attempts a minute with one account, from all sources together. */
const ATTEMPTS_PER_ACCOUNT = 30;
/**
 * Failed attempts with any account from a single source: an office behind one address starts its day within a minute.
 */
const ATTEMPTS_PER_SOURCE = { perSecond: 1, burst: 60 };
const COUNTERS_MAX = 50_000;

export interface SignInAttempt {
  /** The result of `sourceKeyOf`. */
  source: string;
  /** The folded e-mail address, whether or not there is an account. */
  account: string;
  /** The id of a browser in which somebody signed in to this account before; null for any other. */
  browser: string | null;
}

export interface SignInLimiter {
  /**
   * Counts an attempt and returns the function that refunds it after a success. Throws `too_many_requests` with the
   * seconds to wait if a budget is used up. A known browser has a budget of its own, so that nobody else can lock its
   * owner out.
   */
  count(attempt: SignInAttempt): () => void;
}

/** Creates the limiter of this process. */
export function createSignInLimiter(nowMs: () => number = () => performance.now()): SignInLimiter {
  const bySource = createRateLimiter(ATTEMPTS_PER_SOURCE, { max: COUNTERS_MAX, nowMs });
  const byAccount = createMinuteCounter(ATTEMPTS_PER_ACCOUNT, nowMs);
  const bySourceAndAccount = createMinuteCounter(ATTEMPTS_PER_MINUTE, nowMs);
  const byBrowser = createMinuteCounter(ATTEMPTS_PER_MINUTE, nowMs);
  return {
    count({ source, account, browser }) {
      const budgets =
        browser === null
          ? ([
              [bySource, source],
              [bySourceAndAccount, JSON.stringify([source, account])],
              [byAccount, account],
            ] as const)
          : ([[byBrowser, JSON.stringify([browser, account])]] as const);
      for (const [buckets, key] of budgets) buckets.consume(key);
      return () => {
        for (const [buckets, key] of budgets) buckets.refund(key);
      };
    },
  };
}

const MINUTE_MS = 60_000;

/**
 * Returns a counter of up to `max` for each key in a minute that begins with its first count; the oldest keys are
 * dropped.
 */
function createMinuteCounter(max: number, nowMs: () => number): TokenBucketRateLimiter {
  const minutes = new Map<string, { count: number; endsAt: number }>();
  return {
    consume(key) {
      const now = nowMs();
      let minute = minutes.get(key);
      if (minute === undefined || minute.endsAt <= now) {
        minutes.delete(key);
        minute = { count: 0, endsAt: now + MINUTE_MS };
        minutes.set(key, minute);
        const [oldest] = minutes.keys();
        if (minutes.size > COUNTERS_MAX && oldest !== undefined) minutes.delete(oldest);
      }
      if (minute.count >= max) {
        const retryAfterSeconds = Math.ceil((minute.endsAt - now) / 1000);
        throw new HubError('too_many_requests', undefined, { retryAfterSeconds });
      }
      minute.count += 1;
    },
    refund(key) {
      const minute = minutes.get(key);
      if (minute !== undefined && minute.count > 0) minute.count -= 1;
    },
  };
}
