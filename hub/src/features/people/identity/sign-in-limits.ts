// How many sign-ins may fail: by source address, by account, and by browser known for the account. Counted in this
// process only, so that an attempt without an account writes nothing to the database.
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  createRateLimiter,
  type TokenBucketRateLimiter,
} from '../../../platform/http/limits/token-bucket.ts';

/** Failed attempts a minute with one account from one source, or from one browser known for it. */
export const ATTEMPTS_PER_MINUTE = 10;
/** Failed attempts a minute with one account, from all sources together. */
const ATTEMPTS_PER_ACCOUNT = 30;
/** Failed attempts with any account from one source: an office behind one address starts its day within a minute. */
const ATTEMPTS_PER_SOURCE = { perSecond: 1, burst: 60 };
const REMEMBERED = 50_000;

export interface SignInAttempt {
  /** As `sourceKeyOf` returns it. */
  source: string;
  /** The folded e-mail address, whether or not there is an account. */
  account: string;
  /** The id of a browser in which somebody signed in to this account before; null for any other. */
  browser: string | null;
}

export interface SignInLimiter {
  /**
   * Counts an attempt and returns what takes the count back once it succeeded. Throws `too_many_requests` with the
   * seconds to wait if one of its budgets is used up. A known browser draws from a budget of its own, so that nobody
   * else can lock its owner out.
   */
  count(attempt: SignInAttempt): () => void;
}

export function createSignInLimiter(nowMs: () => number = () => performance.now()): SignInLimiter {
  const bySource = createRateLimiter(ATTEMPTS_PER_SOURCE, { max: REMEMBERED, nowMs });
  const byAccount = createMinuteCounter(ATTEMPTS_PER_ACCOUNT, nowMs);
  const bySourceAndAccount = createMinuteCounter(ATTEMPTS_PER_MINUTE, nowMs);
  const byBrowser = createMinuteCounter(ATTEMPTS_PER_MINUTE, nowMs);
  return {
    count({ source, account, browser }) {
      const drawn =
        browser === null
          ? ([
              [bySource, source],
              [bySourceAndAccount, JSON.stringify([source, account])],
              [byAccount, account],
            ] as const)
          : ([[byBrowser, JSON.stringify([browser, account])]] as const);
      for (const [buckets, key] of drawn) buckets.consume(key);
      return () => {
        for (const [buckets, key] of drawn) buckets.refund(key);
      };
    },
  };
}

const MINUTE_MS = 60_000;

/** Counts up to `max` for each key in a minute that begins with its first count; the oldest keys are dropped. */
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
        if (minutes.size > REMEMBERED && oldest !== undefined) minutes.delete(oldest);
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
