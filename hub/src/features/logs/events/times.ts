// Times of logs: microseconds since 1970 as a number (exact until the year 2255; rows are none of later), because the driver's Date would cut
// them; text at the edges.

/** Microseconds since 1970. */
export type Micros = number;

export const MICROS = { ms: 1_000, second: 1_000_000, minute: 60_000_000, day: 86_400_000_000 };

/** What is later counts as this: neither a number nor PostgreSQL's text would hold it exactly. */
const LATEST: Micros = Date.UTC(2255, 0, 1) * 1_000;

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/** ISO 8601 from 1900 on, with a `T`; without an offset it is UTC. Null for any other text, and for a time that does not exist. */
export function parseMicros(text: string): Micros | null {
  const found = FORM.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = found;
  const [sign, offsetHours = '0', offsetMinutes = '0'] = found.slice(8);
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const ms = Date.UTC(y, mo - 1, d, h, mi, s);
  const back = new Date(ms);
  const exists =
    back.getUTCMonth() === mo - 1 && back.getUTCDate() === d && back.getUTCHours() === h;
  if (!exists || mi > 59 || s > 59 || y < 1900) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return Math.min(ms * 1_000 + micros - offset * MICROS.minute, LATEST);
}

/** As PostgreSQL reads it back exactly, and as the MCP export writes it. */
export function microsText(at: Micros): string {
  const ms = Math.floor(at / 1_000);
  return `${isoText(ms).slice(0, -1)}${String(at - ms * 1_000).padStart(3, '0')}Z`;
}

/** As the LLM export writes it; what is below a millisecond is cut. */
export function millisText(at: Micros): string {
  return isoText(Math.floor(at / 1_000));
}

/** A row says the same millisecond several times, and rows come by their time. */
let last = { ms: 0, text: new Date(0).toISOString() };

function isoText(ms: number): string {
  if (last.ms !== ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

export const nowMicros = (): Micros => Date.now() * 1_000;
