// CSV as spreadsheets open it: RFC 4180, and no cell that one of them would carry out as a formula.

const FORMULA = /^[=+\-@\t\r]/;

export function csvOf(
  columns: readonly string[],
  lines: readonly Record<string, unknown>[],
): string {
  const text = [
    columns.join(','),
    ...lines.map((one) => columns.map((name) => cell(one[name])).join(',')),
  ];
  return `${text.join('\r\n')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
