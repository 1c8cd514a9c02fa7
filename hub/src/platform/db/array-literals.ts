// Array literals of PostgreSQL. The driver's own formatting takes twice as long.
const TO_ESCAPE = /["\\]/;

/** Returns the literal of a `text[]`. */
export function textArray(values: readonly (string | null)[]): string {
  let array = '{';
  for (const value of values) {
    if (array.length > 1) array += ',';
    if (value === null) array += 'NULL';
    else array += `"${TO_ESCAPE.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  return `${array}}`;
}

/**
 * Returns the literal of a `text[]` of JSON texts; null becomes NULL. JSON contains no raw control characters, so a second
 * JSON quoting escapes exactly the characters that PostgreSQL requires.
 */
export function jsonArray(values: readonly (object | null)[]): string {
  const elements = values.map((value) =>
    value === null ? 'NULL' : JSON.stringify(JSON.stringify(value)),
  );
  return `{${elements.join(',')}}`;
}
