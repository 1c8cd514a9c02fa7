// Builds query strings. Undefined, null and empty values are left out.
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

/** Returns the value if it is in the list, else undefined; for filters from the address. */
export function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

/** Returns search text from the address, cut to the hub's maximum. */
export function searchText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).slice(0, 200);
  return text.trim() === '' ? undefined : text;
}

/** Returns a time from the address in UTC, between 1970 and 2999. */
export function instant(value: unknown): string | undefined {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 2999 ? at.toISOString() : undefined;
}
