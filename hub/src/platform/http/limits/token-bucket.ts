// Rate limits per client as token buckets (`TokenBucketRateLimiter`): a steady rate plus a burst.
// Main types: `RateLimit`, `TokenBucketRateLimiter`.
// Invariants: a client never gets more than burst + rate × time; memory is bounded by `max` buckets.
// Depends on the error list only.
// Start reading at `createRateLimiter`.
import { HubError } from '../errors/errors.ts';

/** Tokens per second in the long run, and the size of the bucket. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface TokenBucketRateLimiter {
  /** Takes a token. Throws `too_many_requests` with the seconds to wait if the bucket is empty. */
  consume(client: string): void;
  /** Returns a token, for a request that turned out not to count. */
  refund(client: string): void;
}

export interface RateLimiterOptions {
  /** Buckets in memory. */
  max: number;
  nowMs(): number;
  /**
   * Many devices share a client name, such as a fleet with a single token. Each refused device gets its own retry time,
   * spaced by the rate. With the same retry time for all, they would return together and be refused again.
   */
  isShared?: boolean;
}

/** Retry times of a shared bucket are assigned at most this far ahead. Beyond it they are assigned again from the start. */
const RETRY_HORIZON_MS = 60_000;

interface Bucket {
  tokens: number;
  refilledAt: number;
  /** The latest retry time that was assigned to a refused request. */
  lastRetryAt: number;
}

/** Returns a rate limiter. When `max` is exceeded it evicts the oldest bucket, which only refills that client's tokens. */
export function createRateLimiter(
  rate: RateLimit,
  options: RateLimiterOptions,
): TokenBucketRateLimiter {
  const buckets = new Map<string, Bucket>();
  const addBucket = (client: string, now: number): Bucket => {
    const bucket = { tokens: rate.burst, refilledAt: now, lastRetryAt: now };
    buckets.set(client, bucket);
    for (const oldest of buckets.keys()) {
      if (buckets.size <= options.max) break;
      buckets.delete(oldest);
    }
    return bucket;
  };
  const assignRetryAt = (bucket: Bucket, now: number): number => {
    const earliest = now + ((1 - bucket.tokens) / rate.perSecond) * 1000;
    const next = bucket.lastRetryAt + 1000 / rate.perSecond;
    const isSpaced = options.isShared && next > earliest && next <= now + RETRY_HORIZON_MS;
    bucket.lastRetryAt = isSpaced ? next : earliest;
    return bucket.lastRetryAt;
  };
  return {
    consume(client) {
      const now = options.nowMs();
      const bucket = buckets.get(client) ?? addBucket(client, now);
      const refill = ((now - bucket.refilledAt) / 1000) * rate.perSecond;
      bucket.tokens = Math.min(rate.burst, bucket.tokens + refill);
      bucket.refilledAt = now;
      if (bucket.tokens < 1) {
        const retryAfterSeconds = Math.ceil((assignRetryAt(bucket, now) - now) / 1000);
        throw new HubError('too_many_requests', undefined, { retryAfterSeconds });
      }
      bucket.tokens -= 1;
    },
    refund(client) {
      const bucket = buckets.get(client);
      if (bucket !== undefined) bucket.tokens = Math.min(rate.burst, bucket.tokens + 1);
    },
  };
}
