// A list as a file: as filtered, streamed page by page, bounded; one that is cut says so at its end. Cells that a
// spreadsheet would take for a formula are made text.
import { Readable } from 'node:stream';
import type { FileFormat } from '@gatewarden/shared/wire/console/common.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TArray, type TObject, type TSchema, Type } from 'typebox';
import { personOf } from '../auth/person.ts';
import type { TenantList } from './console.ts';
import { createConcurrencyLimiter } from './places.ts';
import { onResponseClosed } from './until-closed.ts';

/** A list that grows while it is read would never end. */
const DOWNLOAD_MAX = 1_000_000;
const PAGE = 1_000;

/** Of one process; each holds two pages, a few megabytes, also while nobody reads it. */
const places = createConcurrencyLimiter({ total: 48, perHolder: 12 });

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const satisfies Record<FileFormat, string>;

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

/** Of an item its cell under each heading. */
export type Columns<Item> = { [heading: string]: (item: Item) => string | number | null };

export interface ListFile<Row, Item extends object> {
  format: FileFormat;
  /** Without its ending. */
  name: string;
  columns: Columns<Item>;
  /** What JSON holds of a row. */
  item(row: Row): Item;
  /** The page after a row, or after nothing. */
  next(after: Row | null, limit: number): Promise<Row[]>;
  /** How many rows of a page to take, where they are large; those after them come again. */
  fitting?(page: readonly Row[]): number;
  /** How many rows are read at once; 1,000 where left out. */
  page?: number;
  /** How many rows it holds at most; 1,000,000 where left out. */
  most?: number;
}

/** The last entry of a JSON file that holds not all rows. */
const CutMark = Type.Object({ cut_after: Type.Integer(), message: Type.String() });

/**
 * Declares a route that answers with a list as a file. `answer` is the answer of the list's pages, whose items the JSON
 * file holds; `asked` has the schema of the query, and of the path where it has parameters.
 */
export const fileRoute = <Asked extends { querystring: TSchema }>(
  access: Role,
  tag: string,
  list: string,
  answer: TObject<{ items: TArray }>,
  asked: Asked,
) => ({
  // Who only asks for its head would have all of it read, for nobody.
  exposeHeadRoute: false,
  config: { access },
  schema: {
    ...asked,
    tags: [tag],
    summary: `Download ${list}; the last line reports a cut after 1,000,000 rows`,
    response: {
      200: {
        description:
          'CSV with a heading line, or with `format=json` an array of the items of the list.',
        content: {
          'text/csv': { schema: Type.String() },
          'application/json': {
            schema: Type.Array(Type.Union([answer.properties.items.items, CutMark])),
          },
        },
      },
    },
  },
});

/**
 * Answers with a list of the person's tenant as a file: what its pages show, all of it. Throws `overloaded` where too many
 * of the tenant's, or of all, are being read.
 */
export function sendTenantFile<Row, Item extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: Omit<TenantList<Row, Item>, 'cursors'>,
  file: Pick<ListFile<Row, Item>, 'format' | 'columns' | 'page'>,
): never {
  const { tenantId } = personOf(request);
  onResponseClosed(reply, places.acquireFor(tenantId));
  onResponseClosed(reply, places.acquire());
  return sendListFile(reply, {
    ...file,
    name: list.list,
    item: list.item,
    ...(list.fitting === undefined ? {} : { fitting: list.fitting }),
    next: (after, limit) =>
      list.fetch(tenantId, after === null ? undefined : list.keyOf(after), limit),
  });
}

/** Answers with the file. Reads on only as the client takes it. Where there are more rows, its last line says so. */
export function sendListFile<Row, Item extends object>(
  reply: FastifyReply,
  file: ListFile<Row, Item>,
): never {
  reply.type(TYPES[file.format]);
  reply.header('content-disposition', `attachment; filename="${file.name}.${file.format}"`);
  return reply.send(Readable.from(textOf(file)) as never) as never;
}

async function* textOf<Row, Item extends object>(file: ListFile<Row, Item>) {
  const { most = DOWNLOAD_MAX } = file;
  const isCsv = file.format === 'csv';
  const cells = Object.values(file.columns);
  yield isCsv ? `${CSV_START}${Object.keys(file.columns).join(',')}\r\n` : '[';
  let count = 0;
  for await (const row of rowsOf(file)) {
    if (count === most) {
      const message = `This file is limited to ${most} rows. Use filters to narrow the results.`;
      yield isCsv
        ? `${csvCell(message)}\r\n`
        : `,\n${JSON.stringify({ cut_after: most, message })}`;
      break;
    }
    const item = file.item(row);
    if (isCsv) yield `${cells.map((cell) => csvCell(cell(item))).join(',')}\r\n`;
    else yield `${count === 0 ? '' : ','}\n${JSON.stringify(item)}`;
    count += 1;
  }
  if (!isCsv) yield '\n]\n';
}

async function* rowsOf<Row, Item extends object>(file: ListFile<Row, Item>) {
  const { next, fitting, page: size = PAGE } = file;
  let last: Row | null = null;
  for (;;) {
    const found: Row[] = await next(last, size);
    const page = found.slice(0, fitting?.(found));
    yield* page;
    last = page.at(-1) ?? null;
    if (found.length < size && page.length === found.length) return;
  }
}
