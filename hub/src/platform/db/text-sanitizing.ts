// Sanitizes text that PostgreSQL cannot store, so that an invalid character does not reject the sanitize value.

/** Matches JSON escapes of a NUL or a surrogate. */
const INVALID_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Returns the value with U+FFFD for NUL and lone surrogates. `json` is the text it was parsed from. */
export function sanitizeText<Value>(value: Value, json: string): Value {
  return INVALID_ESCAPE.test(json) ? (sanitize(value) as Value) : value;
}

function sanitize(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(sanitize);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [sanitize(name) as string, sanitize(inner)]),
  );
}
