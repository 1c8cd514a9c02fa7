// Times of log events: microseconds since 1970 as a number, exact until the year 2255. The driver's Date would cut them
// to milliseconds; they become text at the edges.

/** Microseconds since 1970. */
export type Micros = number;

export const MICROS = { ms: 1_000, second: 1_000_000, minute: 60_000_000, day: 86_400_000_000 };

/** Later times become this one: neither a number nor PostgreSQL's text represents them exactly. */
const LATEST: Micros = Date.UTC(2255, 0, 1) * 1_000;

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Parses ISO 8601 from 1900 on, with a `T`; without an offset the time is UTC. Returns null for any other text, and for
 * a time that does not exist.
 */
export function parseMicros(text: string): Micros | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match;
  const [sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(8);
  const numbers = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers;
  const ms = Date.UTC(y, mo - 1, d, h, mi, s);
  const normalized = new Date(ms);
  const exists =
    normalized.getUTCMonth() === mo - 1 &&
    normalized.getUTCDate() === d &&
    normalized.getUTCHours() === h;
  if (!exists || mi > 59 || s > 59 || y < 1900) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return Math.min(ms * 1_000 + micros - offset * MICROS.minute, LATEST);
}

/** Returns the time as PostgreSQL reads it exactly, and as the MCP export writes it. */
export function microsText(at: Micros): string {
  const ms = Math.floor(at / 1_000);
  return `${isoText(ms).slice(0, -1)}${String(at - ms * 1_000).padStart(3, '0')}Z`;
}

/** Returns the time as the LLM export writes it; microseconds are cut. */
export function millisText(at: Micros): string {
  return isoText(Math.floor(at / 1_000));
}

/** Cache of the last conversion: a row formats the same millisecond several times, and rows arrive by time. */
let last = { ms: 0, text: new Date(0).toISOString() };

function isoText(ms: number): string {
  if (last.ms !== ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** Returns the current time of this process's clock. */
export const nowMicros = (): Micros => Date.now() * 1_000;
