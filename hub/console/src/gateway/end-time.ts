// Converts the expiration of a key between the input's local time and the wire. Pure.

/** Returns the expiration as ISO 8601; null without an expiration, undefined for a time that is not in the future. */
export function parseEndTime(local: string, now = Date.now()): string | null | undefined {
  if (local === '') return null;
  const at = Date.parse(local);
  return Number.isNaN(at) || at <= now ? undefined : new Date(at).toISOString();
}

/** Returns the time for an input of type datetime-local: in the viewer's time zone, without the zone. */
export function formatLocalTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
