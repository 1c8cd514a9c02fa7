// The one retry rule: what is worth trying again, and how long to wait before it.

/** The hub could not be reached, or its answer did not arrive whole. */
export class HubUnreachable extends Error {
  override name = 'HubUnreachable';
  /** Of the request, by which its traces are found. */
  trace_id?: string;
}

/** The agent stops and waits no longer: that says nothing about the hub, and is no trouble for anybody. */
export class RequestAbortedError extends HubUnreachable {
  override name = 'GivenUp';
}

/** Of the request that failed so, or because of which another one was not made. */
export function traceIdOf(error: unknown): string | undefined {
  if (error instanceof RequestDeferredError) return traceIdOf(error.cause);
  return error instanceof HubRefused || error instanceof HubUnreachable
    ? error.trace_id
    : undefined;
}

/** How loudly a log says that something failed by this. */
export const loudness = <Level extends string>(error: unknown, usual: Level): Level | 'debug' =>
  error instanceof RequestAbortedError ? 'debug' : usual;

/** The hub answered with something else than success. */
export class HubRefused extends Error {
  override name = 'HubRefused';
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | null;
  /** Of the request, by which its traces are found. */
  trace_id?: string;
  constructor(status: number, code: string, message: string, retryAfterMs: number | null) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Why a release of the agent is not installed. */
export class UpdateRefused extends Error {
  override name = 'UpdateRefused';
  /** True where somebody offers what the vendor never signed. */
  readonly forged: boolean;
  constructor(message: string, forged = false) {
    super(message);
    this.forged = forged;
  }
}

/** Not sent: the hub is in trouble, as `cause` says, and is asked again in `waitMs` at the earliest. */
export class RequestDeferredError extends Error {
  override name = 'HeldBack';
  readonly waitMs: number;
  constructor(cause: Error, waitMs: number) {
    super(cause.message, { cause });
    this.waitMs = waitMs;
  }
}

export const MAX_BACKOFF_MS = 15 * 60_000;
const BASE_BACKOFF_MS = 1000;
const RETRIED = new Set([408, 425, 429]);

/** Network failures, 408, 425, 429 and 5xx; everything else will not get better by itself. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof HubUnreachable || error instanceof RequestDeferredError) return true;
  return error instanceof HubRefused && (RETRIED.has(error.status) || error.status >= 500);
}

/** 401 and 403: the token is not (or no longer) good for this. */
export function isTokenRefused(error: unknown): error is HubRefused {
  return error instanceof HubRefused && (error.status === 401 || error.status === 403);
}

const ABOUT_HEADERS = new Set([
  'invalid_tenant_id',
  'invalid_subscriber_id',
  'invalid_device_id',
  'gzip_required',
]);

/** True for a refusal of how it was sent: what was sent is not to blame, and may be taken another time. */
export const isAboutHeaders = (error: HubRefused): boolean => ABOUT_HEADERS.has(error.code);

/**
 * Whether a success elsewhere shows that this failure is over, so that the rest of its backoff need not be waited for. A hub
 * that refused for want of strength must have failed there as well and come back since (`recoveredAtMs`); what it asked to
 * wait is waited. All times by one monotonic clock.
 */
export function healsWithContact(
  error: unknown,
  failedAtMs: number,
  contact: { recoveredAtMs: number; nowMs: number },
): boolean {
  if (error instanceof RequestDeferredError)
    return healsWithContact(error.cause, failedAtMs, contact);
  if (error instanceof HubUnreachable || isTokenRefused(error)) return true;
  if (!(error instanceof HubRefused) || !isWorthRetrying(error)) return false;
  const askedMs = Math.min(error.retryAfterMs ?? 0, MAX_BACKOFF_MS);
  return contact.recoveredAtMs > failedAtMs && contact.nowMs >= failedAtMs + askedMs;
}

/** Exponential with full jitter, not shorter than `Retry-After` asks, at most 15 minutes. `attempt` counts from 0. */
export function backoffMs(
  attempt: number,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, BASE_BACKOFF_MS * 2 ** Math.min(attempt, 20));
  const jittered = Math.floor(ceiling * random());
  return Math.min(MAX_BACKOFF_MS, Math.max(jittered, retryAfterMs ?? 0));
}

/** What `Retry-After` says, in milliseconds: seconds or a date; null where it says nothing that can be read. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** The wait that a failed attempt calls for; what was held back has none of its own, for it would come on top. */
export function waitAfter(error: unknown, attempt: number, random?: () => number): number {
  if (error instanceof RequestDeferredError) return error.waitMs;
  return backoffMs(attempt, error instanceof HubRefused ? error.retryAfterMs : null, random);
}
