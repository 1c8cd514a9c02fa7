// Enforces limits of requests and tokens for an app and for each model of a provider.
// A window slides: at most `limit` events lie in any period of its length. A refused request counts nowhere. Over several
// nodes, each node takes its share of a limit. Tokens are counted after the response, so that the request that crosses a
// token limit is the last to pass.
import type { LimitSettings, ModelLimits, RateLimit, SharedLimits } from './settings.ts';
import type { Refused, Verdict } from './types.ts';
import { PASS, refuse } from './verdicts.ts';

export const DURATION_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const SLOTS = 60;
/** Idle counters are deleted above this number. */
const COUNTERS_MAX = 20_000;

/** Events of the last `durationMs` in 60 slots, and the slot in progress. */
class SlidingWindow {
  readonly slotMs: number;
  readonly #slots = new Float64Array(SLOTS + 1);
  #latest = 0;
  #total = 0;

  constructor(durationMs: number) {
    this.slotMs = durationMs / SLOTS;
  }

  /** Returns the number of events in the window, rounded up to whole slots. */
  count(now: number): number {
    const current = Math.floor(now / this.slotMs);
    const passed = Math.min(current - this.#latest, this.#slots.length);
    for (let step = 1; step <= passed; step++) {
      const later = this.#latest + step;
      const slot = later % this.#slots.length;
      this.#total -= this.#slots[slot] ?? 0;
      this.#slots[slot] = 0;
    }
    this.#latest = Math.max(this.#latest, current);
    return this.#total;
  }

  add(now: number, amount: number): void {
    this.count(now);
    const slot = this.#latest % this.#slots.length;
    this.#slots[slot] = (this.#slots[slot] ?? 0) + amount;
    this.#total += amount;
  }

  /** Returns the seconds until at most `most` events remain in the window, at least 1. */
  secondsUntil(now: number, most: number): number {
    let remaining = this.count(now);
    for (let age = SLOTS; age >= 0; age--) {
      remaining -=
        this.#slots[(this.#latest - age + this.#slots.length * 2) % this.#slots.length] ?? 0;
      if (remaining > most) continue;
      const expiredSlot = this.#latest - age + SLOTS + 1;
      const expiresAt = expiredSlot * this.slotMs;
      return Math.max(1, Math.ceil((expiresAt - now) / 1000));
    }
    return 1;
  }
}

/** A limit that a request counts against. */
interface LimitCheck {
  /** The name of the counter; the same name has the same events, whatever the limit becomes. */
  key: string;
  code: string;
  /** The configured limit in words, for the client. */
  label: string;
  /** The share of this node. */
  limit: number;
  durationMs: number;
  /** The events that this request adds; 0 for tokens, which are counted later. */
  amount: number;
}

/** All counters of a node. The clock returns milliseconds since the epoch. */
export class LimitCounters {
  readonly #windows = new Map<string, SlidingWindow>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request against all checks, or against none if a check refuses it. */
  admit(checks: readonly LimitCheck[]): Verdict {
    const now = this.#now();
    for (const check of checks) {
      const window = this.#windowOf(check.key, check.durationMs);
      const most = check.limit - Math.max(check.amount, 1);
      if (window.count(now) > most) return refuseLimit(check, window.secondsUntil(now, most));
    }
    for (const { key, durationMs, amount } of checks) {
      if (amount > 0) this.#windowOf(key, durationMs).add(now, amount);
    }
    return PASS;
  }

  /** Adds events that happened, such as tokens of a response. */
  add(key: string, durationMs: number, amount: number): void {
    if (amount > 0) this.#windowOf(key, durationMs).add(this.#now(), amount);
  }

  /** Returns the events in the window. */
  count(key: string, durationMs: number): number {
    return this.#windows.get(`${key} ${durationMs}`)?.count(this.#now()) ?? 0;
  }

  #windowOf(key: string, durationMs: number): SlidingWindow {
    const name = `${key} ${durationMs}`;
    let window = this.#windows.get(name);
    if (window === undefined) {
      if (this.#windows.size >= COUNTERS_MAX) this.#pruneIdle();
      window = new SlidingWindow(durationMs);
      this.#windows.set(name, window);
    }
    return window;
  }

  #pruneIdle(): void {
    const now = this.#now();
    for (const [name, window] of this.#windows) {
      if (window.count(now) === 0) this.#windows.delete(name);
    }
  }
}

function refuseLimit({ code, label }: LimitCheck, retryAfterSeconds: number): Refused {
  const reason = `The limit of ${label} is reached. Repeat the request in ${retryAfterSeconds} s.`;
  return { ...refuse(429, code, reason), retryAfterSeconds };
}

/** The app of a request, and the number of live nodes that share its limits. */
export interface LimitSubject {
  appId: string;
  liveNodes: number;
  inputTokens: number;
}

/** The model that a request goes to. */
export interface LimitTarget {
  providerLabel: string;
  model: string;
}

/**
 * Returns this node's share of a limit, at least 1, because a node that may serve nothing would refuse clients at random.
 */
export function shareOf(limit: number, liveNodes: number): number {
  return Math.max(1, Math.floor(limit / Math.max(1, liveNodes)));
}

/**
 * Counts a request against the limits of its app. Rejects with 429 and `retryAfterSeconds` above a limit, and with 413
 * above `token_limits.max_per_request`.
 */
export function admitRequest(
  limits: LimitSettings,
  subject: LimitSubject,
  counters: LimitCounters,
): Verdict {
  const perMinute = limits.rate_limit_per_minute;
  const minute: RateLimit | null =
    perMinute === undefined ? null : { value: perMinute, duration: 'minute' };
  return admit(limits, subject, `app ${subject.appId}`, counters, [
    { name: 'rate_limit_per_minute', rate: minute },
  ]);
}

/** Counts a request against the limits of its model, like `admitRequest`. A model without limits passes. */
export function admitModelRequest(
  limits: LimitSettings,
  subject: LimitSubject,
  target: LimitTarget,
  counters: LimitCounters,
): Verdict {
  const modelLimits = findModelLimits(limits, target);
  if (modelLimits === undefined) return PASS;
  return admit(modelLimits, subject, modelKey(subject.appId, target), counters, []);
}

function admit(
  limits: SharedLimits,
  subject: LimitSubject,
  owner: string,
  counters: LimitCounters,
  more: readonly { name: string; rate: RateLimit | null }[],
): Verdict {
  const tokens = limits.token_limits ?? {};
  const most = tokens.max_per_request ?? 0;
  if (most > 0 && subject.inputTokens > most) {
    return refuse(
      413,
      'too_many_input_tokens',
      `The request has about ${subject.inputTokens} input tokens; ${most} are allowed. Shorten the request.`,
    );
  }
  const admissions = limits.concurrency_per_minute ?? 0;
  const requests = [
    { name: 'concurrency_per_minute', rate: { value: admissions, duration: 'minute' as const } },
    ...more,
    { name: 'rate_limit', rate: limits.rate_limit ?? null },
  ].map((limit) => ({ ...limit, noun: 'requests', amount: 1 }));
  const used = [
    { name: 'input_tokens', rate: tokens.input ?? null },
    { name: 'output_tokens', rate: tokens.output ?? null },
  ].map((limit) => ({ ...limit, noun: limit.name.replace('_', ' '), amount: 0 }));
  const checks = [...requests, ...used].flatMap(({ name, rate, noun, amount }): LimitCheck[] => {
    if (rate === null || rate.value === 0) return [];
    return [
      {
        key: `${owner} ${name}`,
        code: `${name}_exceeded`,
        label: `${rate.value} ${noun} per ${rate.duration}`,
        limit: shareOf(rate.value, subject.liveNodes),
        durationMs: DURATION_MS[rate.duration],
        amount,
      },
    ];
  });
  return counters.admit(checks);
}

/** Counts the tokens of a response against the token limits of the app and of the model. */
export function countTokens(
  limits: LimitSettings,
  appId: string,
  target: LimitTarget,
  tokens: { input: number; output: number },
  counters: LimitCounters,
): void {
  const owners: [string, SharedLimits | undefined][] = [
    [`app ${appId}`, limits],
    [modelKey(appId, target), findModelLimits(limits, target)],
  ];
  for (const [owner, { token_limits } = {} as SharedLimits] of owners) {
    for (const name of ['input', 'output'] as const) {
      const rate = token_limits?.[name];
      if (rate) counters.add(`${owner} ${name}_tokens`, DURATION_MS[rate.duration], tokens[name]);
    }
  }
}

/** Returns the timeout of a request in milliseconds: that of the model, else that of the app; null without a timeout. */
export function readTimeoutMs(limits: LimitSettings, target: LimitTarget): number | null {
  const seconds = findModelLimits(limits, target)?.timeout ?? limits.timeout ?? 0;
  return seconds === 0 ? null : seconds * 1000;
}

function findModelLimits(
  { model_rate_limits = [] }: LimitSettings,
  { providerLabel, model }: LimitTarget,
): ModelLimits | undefined {
  return model_rate_limits.find(
    (limits) => limits.provider_label === providerLabel && limits.model === model,
  );
}

const modelKey = (appId: string, { providerLabel, model }: LimitTarget) =>
  `model ${appId} ${JSON.stringify([providerLabel, model])}`;
