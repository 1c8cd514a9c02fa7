// Retry schedule of failed deliveries, as Standard Webhooks recommends: ten attempts over 75 hours. Pure functions.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds before the second attempt, the third attempt, and so on. */
const DELAYS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const MAX_ATTEMPTS = DELAYS.length + 1;
const JITTER = 0.1;
/** Maximum delay that a target may request. */
const MAX_DELAY = 24 * HOUR;

/**
 * Returns the seconds until the next attempt after `attempts` attempts, or null after the last attempt. A longer delay that
 * the target requested has precedence. `random` in [0, 1) spreads deliveries that failed together.
 */
export function secondsToNextAttempt(
  attempts: number,
  requestedSeconds: number | null,
  random: number,
): number | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  return Math.max(delay * (1 + JITTER * random), Math.min(requestedSeconds ?? 0, MAX_DELAY));
}

/** Returns the seconds of a `Retry-After` header (number or date), or null for an invalid header. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Only HTTP dates are parsed; Date.parse would read any number as a year.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
