// Builds query text: what is undefined, null or empty is left out, so that a URL says only what was chosen.
export type QueryParams = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function withQuery(path: string, params: QueryParams): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === '') continue;
    search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The value if it is one of the list, else undefined: for filters that came in through the URL. */
export function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

/** Search text from the URL, cut to what the hub takes. */
export function searchText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).slice(0, 200);
  return text.trim() === '' ? undefined : text;
}

/** A time from the URL as the hub takes it, in UTC and between 1970 and 2999. */
export function instant(value: unknown): string | undefined {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 2999 ? at.toISOString() : undefined;
}
