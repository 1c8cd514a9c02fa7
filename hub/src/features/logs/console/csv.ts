// Use as CSV: numbers as numbers, names as every list's file has them, so that no spreadsheet carries one out.
import { CSV_BYTE_ORDER_MARK, csvCell } from '../../../platform/http/lists/download.ts';

export function csvOf(
  columns: readonly string[],
  lines: readonly Record<string, unknown>[],
): string {
  const text = [
    columns.join(','),
    ...lines.map((one) => columns.map((name) => cell(one[name])).join(',')),
  ];
  return `${CSV_BYTE_ORDER_MARK}${text.join('\r\n')}\r\n`;
}

/** What is not known is empty, without quotes. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? csvCell(value) : String(value);
}
