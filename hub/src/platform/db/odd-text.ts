// Text that the database cannot hold: one odd character in what others wrote must not cost the rest.

/** Escapes that make a NUL or a surrogate. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** The value of this JSON, with U+FFFD for NUL and lone surrogates. */
export function sanitizeText<Value>(value: Value, json: string): Value {
  return ODD_ESCAPE.test(json) ? (whole(value) as Value) : value;
}

function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(whole);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [whole(name) as string, whole(inner)]),
  );
}
