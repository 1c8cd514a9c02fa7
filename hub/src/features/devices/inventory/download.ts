// The list of applications as a file: as filtered, streamed page by page, bounded. Cells that a spreadsheet would take
// for a formula are made text.
import { Readable } from 'node:stream';
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';

export const DOWNLOAD_MAX = 100_000;
const PAGE = 1_000;

export const DOWNLOAD_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;
type Format = keyof typeof DOWNLOAD_TYPES;

const COLUMNS = [
  'name',
  'publisher',
  'kind',
  'source',
  'platform',
  'versions',
  'device_count',
  'approval_status',
  'execution_policy',
  'first_seen_at',
  'last_seen_at',
  'entity_id',
] as const;

/** A cell of CSV, quoted; what begins like a formula gets an apostrophe in front, which spreadsheets show as text. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const isFormula =
    typeof value === 'string' && /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u.test(text);
  const isTabbed = typeof value === 'string' && /^[\t\r\n]/.test(text);
  return `"${isFormula || isTabbed ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

function csvLine(row: ApplicationRow): string {
  const versions = row.versions.map((one) => one.version ?? '').join(' ');
  return COLUMNS.map((name) => csvCell(name === 'versions' ? versions : row[name])).join(',');
}

/** Reads on only as the client takes it. `next` gives the page after a row, or after nothing. */
export function applicationsFile(
  format: Format,
  next: (after: ApplicationRow | null, limit: number) => Promise<ApplicationRow[]>,
): Readable {
  async function* rows() {
    let last: ApplicationRow | null = null;
    for (let left = DOWNLOAD_MAX; left > 0; left -= PAGE) {
      const page: ApplicationRow[] = await next(last, Math.min(PAGE, left));
      yield* page;
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }
  async function* text() {
    // Excel takes the file for UTF-8 by its first character.
    yield format === 'csv' ? `\ufeff${COLUMNS.join(',')}\r\n` : '[';
    let isFirst = true;
    for await (const row of rows()) {
      if (format === 'csv') yield `${csvLine(row)}\r\n`;
      else yield `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
      isFirst = false;
    }
    if (format === 'json') yield '\n]\n';
  }
  return Readable.from(text());
}
