// Times as text: relative, in the viewer's time zone, and exact in UTC. Pure: the clock is an argument.
const STEPS = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** Undefined outside of a browser: the default locale. */
const VIEWER_LOCALE = globalThis.navigator?.language;

export interface TimeText {
  relative: string;
  local: string;
  /** ISO 8601 in UTC, whole seconds. */
  utc: string;
}

export function timeText(
  instant: string,
  nowMs: number,
  zone?: string,
  locale: string | undefined = VIEWER_LOCALE,
): TimeText | null {
  const atMs = Date.parse(instant);
  if (Number.isNaN(atMs)) return null;
  return {
    relative: relativeText(atMs, nowMs, locale),
    local: new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'medium',
      ...(zone ? { timeZone: zone } : {}),
    }).format(atMs),
    utc: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
  };
}

/** Returns a day such as `2026-01-31` in the date format of the viewer's locale; other text as it is. */
export function dayText(day: string, locale: string | undefined = VIEWER_LOCALE): string {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(atMs)) return day;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(atMs);
}

function relativeText(atMs: number, nowMs: number, locale: string | undefined): string {
  const seconds = Math.trunc((atMs - nowMs) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const step of STEPS) {
    if (Math.abs(seconds) >= step.seconds) {
      return format.format(Math.trunc(seconds / step.seconds), step.unit);
    }
  }
  return Math.abs(seconds) < 10 ? 'just now' : format.format(seconds, 'second');
}

const SOON_MS = 10_000;

/** Returns whether a future moment has come or is only seconds away. */
export const isDue = (instant: string, nowMs: number): boolean =>
  Date.parse(instant) < nowMs + SOON_MS;

/** Returns the value of an `<input type="datetime-local">` for an instant, in the viewer's time zone; empty for none. */
export function toLocalInput(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the instant of such an input as RFC 3339 in UTC; null for an empty or invalid value. */
export function fromLocalInput(text: string): string | null {
  if (text === '') return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
