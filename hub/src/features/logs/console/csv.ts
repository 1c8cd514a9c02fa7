// Usage as CSV: numbers as numbers, names with the escaping of every list's file, so that no spreadsheet evaluates a
// formula.
import { CSV_BYTE_ORDER_MARK, csvCell } from '../../../platform/http/lists/download.ts';

/** Returns a CSV document with a byte order mark and a header line. */
export function csvOf(
  columns: readonly string[],
  lines: readonly Record<string, unknown>[],
): string {
  const text = [
    columns.join(','),
    ...lines.map((line) => columns.map((name) => cell(line[name])).join(',')),
  ];
  return `${CSV_BYTE_ORDER_MARK}${text.join('\r\n')}\r\n`;
}

/** An unknown value is empty, without quotes. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? csvCell(value) : String(value);
}
