// Downloads of lists as CSV or JSON files, streamed page by page with the list's filters.
// Main types: `ListFile` (any list), `TenantList` of console-lists.ts.
// Invariants: a file has a maximum of rows, and its last line reports a truncation; a cell that a spreadsheet would evaluate
// as a formula becomes text. Depends on the concurrency limiter.
// Start reading at `sendTenantFile`.
import { Readable } from 'node:stream';
import type { FileFormat } from '@gatewarden/shared/wire/console/common.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TArray, type TObject, type TSchema, Type } from 'typebox';
import { personOf } from '../../auth/person.ts';
import { createConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { onResponseClosed } from '../server/response-closed.ts';
import type { TenantList } from './console-lists.ts';

/** Without a limit, a list that grows while it is read would never end. */
const DOWNLOAD_MAX = 1_000_000;
const PAGE_SIZE = 1_000;

/** Limits downloads of this process. A download buffers two pages, a few megabytes, even if the client reads nothing. */
const limiter = createConcurrencyLimiter({ total: 48, perClient: 12 });

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const satisfies Record<FileFormat, string>;

/** Excel recognizes UTF-8 by this first character. */
export const CSV_BYTE_ORDER_MARK = '\ufeff';

/** Returns a quoted CSV cell. A text that begins like a formula gets an apostrophe, so that spreadsheets show it as text. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const isFormula =
    typeof value === 'string' && /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u.test(text);
  const isTabbed = typeof value === 'string' && /^[\t\r\n]/.test(text);
  return `"${isFormula || isTabbed ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

/** Returns an item's cell for each column heading. */
export type Columns<Item> = { [heading: string]: (item: Item) => string | number | null };

export interface ListFile<Row, Item extends object> {
  format: FileFormat;
  /** File name without extension. */
  name: string;
  columns: Columns<Item>;
  /** Returns the JSON item of a row. */
  item(row: Row): Item;
  /** Returns the page after a row; null starts at the beginning. */
  next(after: Row | null, limit: number): Promise<Row[]>;
  /** Returns how many large rows of a page to write. The rows after them are fetched again. */
  countFitting?(page: readonly Row[]): number;
  /** Rows that are fetched at once; 1,000 by default. */
  pageSize?: number;
  /** Maximum of rows; 1,000,000 by default. */
  maxRows?: number;
}

/** The last entry of a truncated JSON file. */
const TruncationMark = Type.Object({ cut_after: Type.Integer(), message: Type.String() });

/**
 * Returns the options of a route that sends a list as a file. `pageSchema` is the response of the list's pages, whose
 * items the JSON file contains; `schemas` has the schema of the query, and of the path if it has parameters.
 */
export const fileRoute = <Schemas extends { querystring: TSchema }>(
  access: Role,
  tag: string,
  list: string,
  pageSchema: TObject<{ items: TArray }>,
  schemas: Schemas,
) => ({
  // A HEAD request would read the whole list and send nothing.
  exposeHeadRoute: false,
  config: { access },
  schema: {
    ...schemas,
    tags: [tag],
    summary: `Download ${list}; the last line reports a cut after 1,000,000 rows`,
    response: {
      200: {
        description:
          'CSV with a heading line, or with `format=json` an array of the items of the list.',
        content: {
          'text/csv': { schema: Type.String() },
          'application/json': {
            schema: Type.Array(Type.Union([pageSchema.properties.items.items, TruncationMark])),
          },
        },
      },
    },
  },
});

/**
 * Sends the complete list of the caller's tenant as a file. Throws `overloaded` if too many downloads of the tenant, or in
 * total, are in progress.
 */
export function sendTenantFile<Row, Item extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: Omit<TenantList<Row, Item>, 'cursors'>,
  file: Pick<ListFile<Row, Item>, 'format' | 'columns' | 'pageSize'>,
): never {
  const { tenantId } = personOf(request);
  onResponseClosed(reply, limiter.acquireFor(tenantId));
  onResponseClosed(reply, limiter.acquire());
  return sendListFile(reply, {
    ...file,
    name: list.list,
    item: list.item,
    ...(list.countFitting === undefined ? {} : { countFitting: list.countFitting }),
    next: (after, limit) =>
      list.fetch(tenantId, after === null ? undefined : list.keyOf(after), limit),
  });
}

/** Sends a file. Rows are fetched at the speed of the client. The last line reports a truncation. */
export function sendListFile<Row, Item extends object>(
  reply: FastifyReply,
  file: ListFile<Row, Item>,
): never {
  reply.type(TYPES[file.format]);
  reply.header('content-disposition', `attachment; filename="${file.name}.${file.format}"`);
  return reply.send(Readable.from(formatFile(file)) as never) as never;
}

async function* formatFile<Row, Item extends object>(file: ListFile<Row, Item>) {
  const { maxRows = DOWNLOAD_MAX } = file;
  const isCsv = file.format === 'csv';
  const cells = Object.values(file.columns);
  yield isCsv ? `${CSV_BYTE_ORDER_MARK}${Object.keys(file.columns).join(',')}\r\n` : '[';
  let count = 0;
  for await (const row of fetchRows(file)) {
    if (count === maxRows) {
      const message = `This file is limited to ${maxRows} rows. Use filters to narrow the results.`;
      yield isCsv
        ? `${csvCell(message)}\r\n`
        : `,\n${JSON.stringify({ cut_after: maxRows, message })}`;
      break;
    }
    const item = file.item(row);
    if (isCsv) yield `${cells.map((cell) => csvCell(cell(item))).join(',')}\r\n`;
    else yield `${count === 0 ? '' : ','}\n${JSON.stringify(item)}`;
    count += 1;
  }
  if (!isCsv) yield '\n]\n';
}

async function* fetchRows<Row, Item extends object>(file: ListFile<Row, Item>) {
  const { next, countFitting, pageSize = PAGE_SIZE } = file;
  let last: Row | null = null;
  for (;;) {
    const fetched: Row[] = await next(last, pageSize);
    const page = fetched.slice(0, countFitting?.(fetched));
    yield* page;
    last = page.at(-1) ?? null;
    if (fetched.length < pageSize && page.length === fetched.length) return;
  }
}
