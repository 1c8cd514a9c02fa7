// A list as a file: as filtered, streamed page by page, bounded; one that is cut says so at its end. Cells that a
// spreadsheet would take for a formula are made text.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A list that grows while it is read would never end. */
const DOWNLOAD_MAX = 1_000_000;
const PAGE = 1_000;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

/** Excel takes a file for UTF-8 by its first character. */
export const CSV_START = '\ufeff';

/** A cell of CSV, quoted; what begins like a formula gets an apostrophe in front, which spreadsheets show as text. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const isFormula =
    typeof value === 'string' && /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u.test(text);
  const isTabbed = typeof value === 'string' && /^[\t\r\n]/.test(text);
  return `"${isFormula || isTabbed ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

export interface ListFile<Record> {
  format: keyof typeof TYPES;
  /** Without its ending. */
  name: string;
  /** Of a record its cell under each heading. */
  columns: { [heading: string]: (record: Record) => string | number | null };
  /** What JSON holds of a record. */
  item(record: Record): object;
  /** The page after a record, or after nothing. */
  next(after: Record | null, limit: number): Promise<Record[]>;
  /** How many records it holds at most; 1,000,000 where left out. */
  most?: number;
}

/** Answers with the file. Reads on only as the client takes it. Where there are more records, its last line says so. */
export function sendListFile<Record>(reply: FastifyReply, file: ListFile<Record>): never {
  reply.type(TYPES[file.format]);
  reply.header('content-disposition', `attachment; filename="${file.name}.${file.format}"`);
  return reply.send(Readable.from(textOf(file)) as never) as never;
}

async function* textOf<Record>(file: ListFile<Record>) {
  const { most = DOWNLOAD_MAX } = file;
  const isCsv = file.format === 'csv';
  const cells = Object.values(file.columns);
  yield isCsv ? `${CSV_START}${Object.keys(file.columns).join(',')}\r\n` : '[';
  let count = 0;
  for await (const record of recordsOf(file)) {
    if (count === most) {
      const message = `This file ends after ${most} rows, and there are more: narrow the filter.`;
      yield isCsv
        ? `${csvCell(message)}\r\n`
        : `,\n${JSON.stringify({ cut_after: most, message })}`;
      break;
    }
    if (isCsv) yield `${cells.map((cell) => csvCell(cell(record))).join(',')}\r\n`;
    else yield `${count === 0 ? '' : ','}\n${JSON.stringify(file.item(record))}`;
    count += 1;
  }
  if (!isCsv) yield '\n]\n';
}

async function* recordsOf<Record>({ next }: ListFile<Record>) {
  let last: Record | null = null;
  for (;;) {
    const page: Record[] = await next(last, PAGE);
    yield* page;
    last = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}
