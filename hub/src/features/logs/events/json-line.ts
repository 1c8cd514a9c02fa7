/** Line separators of Unicode that JSON allows in strings, and at which many programs split text into lines. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Returns a value as JSON in a single line for every reader: NDJSON ends its rows with `\n` alone. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    LINE_ENDS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
