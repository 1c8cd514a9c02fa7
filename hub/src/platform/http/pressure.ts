// What keeps one process whole whatever clients send: buckets by client, a bound on the bytes of bodies under way, and
// how hard the process works, from which devices are told to call less often.
import { performance } from 'node:perf_hooks';
import { HubError } from './errors.ts';
import { createLinkedList } from './in-order.ts';

/** Of each client so many requests a second in the long run, and a burst on top. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface TokenBucketRateLimiter {
  /** Takes one; throws `too_many_requests` with the seconds to wait where the bucket is empty. */
  consume(client: string): void;
  /** Gives one back, for what turned out not to count. */
  refund(client: string): void;
}

export interface RateLimiterOptions {
  max: number;
  nowMs(): number;
  /**
   * Many ask under one name, such as a fleet with one token. Each that is refused is told a moment of its own, as far
   * apart as the rate has it: told the same second, they would come back together and be refused again, all but a few.
   */
  isShared?: boolean;
}

/** Beyond it the moments are given a second time: nobody is sent away for long because many asked. */
const PROMISED_MS = 60_000;

/** Bounded: of very many clients the one that came first is forgotten, which only fills its bucket. */
export function createRateLimiter(
  rate: RateLimit,
  options: RateLimiterOptions,
): TokenBucketRateLimiter {
  const buckets = new Map<string, { left: number; at: number; promised: number }>();
  return {
    consume(client) {
      const now = options.nowMs();
      let bucket = buckets.get(client);
      if (bucket === undefined) {
        bucket = { left: rate.burst, at: now, promised: now };
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
        const first = now + ((1 - bucket.left) / rate.perSecond) * 1000;
        const next = bucket.promised + 1000 / rate.perSecond;
        bucket.promised =
          options.isShared && next > first && next <= now + PROMISED_MS ? next : first;
        const retryAfterSeconds = Math.ceil((bucket.promised - now) / 1000);
        throw new HubError('too_many_requests', undefined, { retryAfterSeconds });
      }
      bucket.left -= 1;
    },
    refund(client) {
      const bucket = buckets.get(client);
      if (bucket !== undefined) bucket.left = Math.min(rate.burst, bucket.left + 1);
    },
  };
}

export interface InFlightBytesLimiter {
  /**
   * Reserves the bytes of one body; throws `overloaded` where they do not fit, or where `holder` would hold more than three
   * quarters of all. Gives what lets them go, once. Of a body that is still to come `arriving` is told: where room is
   * wanted, those that take long are cut, of whoever holds most first and there the oldest, but none of who holds less than
   * the one that asks.
   */
  reserve(bytes: number, holder: string, arriving?: IncomingBody): () => void;
  used(): number;
}

export interface IncomingBody {
  /** All of it is here. */
  isWhole(): boolean;
  cut(): void;
}

interface Reserved {
  since: number;
  bytes: number;
  holder: string;
  one: IncomingBody;
  release(): void;
  /** It has arrived, or is not waited for. */
  forget(): void;
}

/** An honest body is here in less, and who is cut sends it again. */
const ARRIVES_WITHIN_MS = 500;
/** What one may hold: bodies that are whole are worked on, and cannot be cut to let in others. */
const SHARE = 0.75;
/** So many that take long are looked at, or a full budget would cost most where most is sent. */
const LOOKED_AT = 256;

/** Otherwise a few hundred clients that announce large bodies and send nothing would keep everybody else out. */
export function createInFlightBytesLimiter(
  maxBytes: number,
  nowMs: () => number = () => performance.now(),
): InFlightBytesLimiter {
  let used = 0;
  const held = new Map<string, number>();
  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const add = (holder: string, bytes: number) => {
    used += bytes;
    const now = heldBy(holder) + bytes;
    if (now === 0) held.delete(holder);
    else held.set(holder, now);
  };
  const arriving = createLinkedList<Reserved>();
  // One body always fits, or a small budget would refuse everything.
  const fitsAll = (bytes: number, all: number) => all === 0 || all + bytes <= maxBytes;
  const fitsOne = (bytes: number, own: number) => own === 0 || own + bytes <= maxBytes * SHARE;
  const fits = (bytes: number, all: number, own: number) =>
    fitsAll(bytes, all) && fitsOne(bytes, own);
  /** Those that take long and may go for the sake of this one, in the order in which they would. */
  const late = (by: string) => {
    const found: { reserved: Reserved; of: number }[] = [];
    const sums = new Map<string, number>();
    for (const reserved of arriving) {
      const { one, since, holder, bytes, forget } = reserved;
      if (one.isWhole()) {
        forget();
        continue;
      }
      if (nowMs() - since < ARRIVES_WITHIN_MS || found.length === LOOKED_AT) break;
      const of = sums.get(holder) ?? heldBy(holder);
      // Who floods may take the place of their own only.
      if (of >= heldBy(by) || holder === by) found.push({ reserved, of });
      sums.set(holder, of - bytes);
    }
    return found.sort((one, other) => other.of - one.of);
  };
  const makeRoom = (wanted: number, by: string) => {
    let all = used;
    let own = heldBy(by);
    const cut: Reserved[] = [];
    for (const { reserved } of late(by)) {
      if (fits(wanted, all, own)) break;
      const isOwn = reserved.holder === by;
      if (fitsAll(wanted, all) && !isOwn) continue;
      cut.push(reserved);
      all -= reserved.bytes;
      if (isOwn) own -= reserved.bytes;
    }
    // Nobody is cut in vain.
    if (!fits(wanted, all, own)) return;
    for (const { release, one } of cut) {
      one.cut();
      release();
    }
  };
  return {
    reserve(bytes, holder, one) {
      if (!fits(bytes, used, heldBy(holder))) makeRoom(bytes, holder);
      if (!fits(bytes, used, heldBy(holder))) throw new HubError('overloaded');
      add(holder, bytes);
      let isHeld = true;
      let forget: (() => void) | null = null;
      const release = () => {
        if (isHeld) add(holder, -bytes);
        isHeld = false;
        forget?.();
      };
      if (one !== undefined) {
        const reserved = { since: nowMs(), bytes, holder, one, release, forget: () => forget?.() };
        forget = arriving.add(reserved);
      }
      return release;
    },
    used: () => used,
  };
}

const LOOK_EVERY_MS = 2_000;
/** From this share of a core on devices are asked to call less often; at the whole of it, at most this seldom. */
const BUSY = 0.6;
export const MAX_POLL_INTERVAL_SECONDS = 300;

/**
 * The least interval between polls that this load allows: 1 second while there is room, and never more than the
 * operator's `seldomSeconds`. Steps, so that answers repeat.
 */
export function pollIntervalSeconds(utilization: number, seldomSeconds: number): number {
  if (utilization < BUSY) return 1;
  const share = Math.min(1, (utilization - BUSY) / (0.95 - BUSY));
  const wanted = Math.max(60, Math.round((share * MAX_POLL_INTERVAL_SECONDS) / 60) * 60);
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
    pollAfterSeconds: () => pollIntervalSeconds(smoothed, seldomSeconds),
    utilization: () => smoothed,
    stop: () => clearInterval(timer),
  };
}
