// The retry policy: which failures are worth another attempt, and how long to wait before it.

/** The hub could not be reached, or its answer did not arrive whole. */
export class HubUnreachable extends Error {
  override name = 'HubUnreachable';
  /** Trace id of the request. */
  trace_id?: string;
}

/** The agent stops and aborts the request: nothing is known about the hub, and nobody need act. */
export class RequestAbortedError extends HubUnreachable {
  override name = 'RequestAbortedError';
}

/** Returns the trace id of the failed request, or of the failure that deferred a request. */
export function traceIdOf(error: unknown): string | undefined {
  if (error instanceof RequestDeferredError) return traceIdOf(error.cause);
  return error instanceof HubRefused || error instanceof HubUnreachable
    ? error.trace_id
    : undefined;
}

/** Returns the log level for a failure. */
export const logLevelFor = <Level extends string>(error: unknown, usual: Level): Level | 'debug' =>
  error instanceof RequestAbortedError ? 'debug' : usual;

/** The hub answered with something else than success. */
export class HubRefused extends Error {
  override name = 'HubRefused';
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | null;
  /** Trace id of the request. */
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

/** The request was not sent: the hub failed with `cause`, and is asked again in `waitMs` at the earliest. */
export class RequestDeferredError extends Error {
  override name = 'RequestDeferredError';
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
 * Returns whether a success elsewhere shows that this failure is over, so that its remaining backoff can be skipped.
 * A hub that refused under load must have failed there as well and recovered since (`recoveredAtMs`); a wait that the
 * hub asked for is kept. All times are of the same monotonic clock.
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

/** Parses `Retry-After` (RFC 9110 §10.2.3) into milliseconds: seconds or a date; null where it is invalid. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Returns the wait after a failed attempt; a deferred request has none of its own, which would be added on top. */
export function waitAfter(error: unknown, attempt: number, random?: () => number): number {
  if (error instanceof RequestDeferredError) return error.waitMs;
  return backoffMs(attempt, error instanceof HubRefused ? error.retryAfterMs : null, random);
}
