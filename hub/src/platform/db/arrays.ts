// Arrays of text as PostgreSQL reads them, written here because the driver takes twice as long for it.
const TO_ESCAPE = /["\\]/;

/** `text[]` of these. */
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
 * `text[]` of these as JSON; null stays NULL. JSON holds no control character as it is, so quoting it once more as JSON
 * escapes what PostgreSQL wants escaped, and nothing else.
 */
export function jsonArray(values: readonly (object | null)[]): string {
  const elements = values.map((value) =>
    value === null ? 'NULL' : JSON.stringify(JSON.stringify(value)),
  );
  return `{${elements.join(',')}}`;
}
