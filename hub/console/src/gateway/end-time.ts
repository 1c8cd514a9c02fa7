// The end of a key between the input's local time and the wire. Pure.

/** null: no end; undefined: no time in the future. */
export function endOf(local: string, now = Date.now()): string | null | undefined {
  if (local === '') return null;
  const at = Date.parse(local);
  return Number.isNaN(at) || at <= now ? undefined : new Date(at).toISOString();
}

/** As an input of type datetime-local takes it: the viewer's time without a zone. */
export function localEnd(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
