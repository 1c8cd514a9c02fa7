// When a failed delivery is tried again: the times that Standard Webhooks recommends, ten tries over 75 hours. Pure.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds before the second try, the third, and so on. */
const WAITS = [
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
export const MOST_ATTEMPTS = WAITS.length + 1;
const JITTER = 0.1;
/** A target may ask for patience, not for silence. */
const LONGEST_WAIT = 24 * HOUR;

/**
 * Seconds until the next try after `attempts` of them; null where that was the last. The target's own wish is obeyed
 * where it is longer. `random` is in [0, 1) and spreads what failed together.
 */
export function secondsToNextTry(
  attempts: number,
  wished: number | null,
  random: number,
): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 + JITTER * random), Math.min(wished ?? 0, LONGEST_WAIT));
}

/** Seconds that a `Retry-After` header asks for, as number or date; null where it says nothing that can be used. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Dates as HTTP writes them; Date.parse alone would read any number as a year.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
