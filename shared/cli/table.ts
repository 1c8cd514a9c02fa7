// Aligned tables for terminals: a header, a row for each item, and no frame.
import { styleText } from 'node:util';
import Table from 'cli-table3';

/** Reads the text of a cell; null and undefined are shown as `-`. */
export type CellReader<Row> = (row: Row) => string | number | boolean | null | undefined;

/** Columns by their header, in display order. */
export type Columns<Row> = Readonly<Record<string, CellReader<Row>>>;

const NO_FRAME = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((edge) =>
    [edge, `${edge}-mid`, `${edge}-left`, `${edge}-right`].map((part) => [part, '']),
  ),
);

/** Longer texts are shortened, so that a row stays a line of the terminal. */
const CELL_MAX = 64;

/**
 * Returns rows as an aligned table with a header. Cells are cleaned of control characters and shortened to 64 characters.
 * The header is bold if standard output is a terminal and `NO_COLOR` is not set.
 */
export function renderTable<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const table = new Table({
    head: Object.keys(columns).map((header) => styleText('bold', header.toUpperCase())),
    chars: { ...NO_FRAME, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push(Object.values(columns).map((read) => cellText(read(row))));
  }
  const lines = table.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}

function cellText(value: ReturnType<CellReader<unknown>>): string {
  const text = String(value ?? '-').replace(/\p{Cc}/gu, '\ufffd');
  const isId = !/\s/.test(text);
  return isId || text.length <= CELL_MAX ? text : `${text.slice(0, CELL_MAX - 1)}…`;
}
