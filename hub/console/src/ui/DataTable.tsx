// The table: real table markup on wide screens, stacked and labelled rows on narrow screens. A long table has only the rows
// around the visible part in the document. A dense table has rows of 40 px, each cell on a single line.
import type { TimeSort } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type PointerEvent, type ReactNode, useRef } from 'react';
import { sizesOf, useColumnWidths } from './column-widths.ts';
import { type RowPlace, WindowedRows } from './WindowedRows.tsx';

/** From here on a table is windowed. */
const LONG = 100;

export interface Column<Row> {
  key: string;
  header: string;
  render: (row: Row) => ReactNode;
  /** The header is only for screen readers, as over a column of buttons. */
  hiddenHeader?: boolean;
  align?: 'end';
  /** Its share of the table's width, in a dense table of the width beyond the content; 1 where it is left out. */
  weight?: number;
  /** In a dense table, the width in CSS pixels that the column gets before other columns show long content whole. */
  least?: number;
  /** Its cells are e-mail addresses: a dense table shows them whole before other columns grow. */
  isEmail?: boolean;
  /** Shown in wide tables alone: in narrow tables the columns beside it need the room. */
  wideOnly?: boolean;
  /** The order that the server offers for it: its name in the address, and which way it goes. */
  sort?: {
    value: string;
    direction: 'ascending' | 'descending';
    /** The name of the opposite order, where the server offers it: a second click chooses it. */
    reverse?: string;
  };
}

/** The sort of a column of times in a list that the hub orders by time both ways. */
export const BY_TIME = { value: '-time', direction: 'descending', reverse: 'time' } as const;

export interface SortState {
  /** The order in force. */
  value: string;
  onSort: (value: string) => void;
}

/** Returns the state of a list by time; the address leaves the order newest first out. */
export const timeSort = (
  value: TimeSort | undefined,
  onSort: (value: TimeSort | undefined) => void,
): SortState => ({
  value: value ?? '-time',
  onSort: (chosen) => onSort(chosen === 'time' ? 'time' : undefined),
});

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowTestId?: string;
  /** Rows that have just come in. */
  isNew?: (row: Row) => boolean;
  /** The row whose details are open. */
  isCurrent?: (row: Row) => boolean;
  sort?: SortState;
  dense?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    rowTestId,
    isNew,
    isCurrent,
    sort,
    dense = false,
  } = props;
  const whole = columns.reduce((sum, column) => sum + (column.weight ?? 1), 0);
  const isLong = rows.length > LONG;
  const table = useRef<HTMLTableElement>(null);
  useColumnWidths(table, { isDense: dense, sizes: sizesOf(columns), rows });
  const tableRow = (row: Row, place: RowPlace = {}) => (
    <tr
      key={rowKey(row)}
      data-testid={rowTestId}
      data-new={isNew?.(row) ?? undefined}
      aria-current={isCurrent?.(row) || undefined}
      {...place}
    >
      {columns.map((column, index) => (
        <td
          key={column.key}
          data-label={column.hiddenHeader ? undefined : column.header}
          data-first={index === 0 ? '' : undefined}
          data-align={column.align}
          data-actions={column.hiddenHeader ? '' : undefined}
          data-wide-only={column.wideOnly ? '' : undefined}
        >
          {column.render(row)}
        </td>
      ))}
    </tr>
  );
  return (
    <div className="gw-table-frame">
      <table
        ref={table}
        className="gw-table"
        data-dense={dense ? '' : undefined}
        aria-rowcount={isLong ? rows.length + 1 : undefined}
        onPointerOver={dense ? showCutText : undefined}
      >
        <caption className="gw-vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                data-wide-only={column.wideOnly ? '' : undefined}
                aria-sort={sortOf(column, sort)}
                style={{ width: `${((column.weight ?? 1) / whole) * 100}%` }}
              >
                <HeaderText column={column} sort={sort} />
              </th>
            ))}
          </tr>
        </thead>
        {isLong ? (
          <WindowedRows rows={rows} rowKey={rowKey} columns={columns.length} render={tableRow} />
        ) : (
          <tbody>{rows.map((row) => tableRow(row))}</tbody>
        )}
      </table>
    </div>
  );
}

function sortOf<Row>(column: Column<Row>, sort: SortState | undefined) {
  if (column.sort === undefined || sort === undefined) return undefined;
  const { value, direction, reverse } = column.sort;
  if (value === sort.value) return direction;
  if (reverse === undefined || reverse !== sort.value) return 'none';
  return direction === 'ascending' ? 'descending' : 'ascending';
}

function HeaderText<Row>({ column, sort }: { column: Column<Row>; sort: SortState | undefined }) {
  const { sort: offered } = column;
  if (column.hiddenHeader) return <span className="gw-vh">{column.header}</span>;
  if (offered === undefined || sort === undefined) return column.header;
  const order = sortOf(column, sort);
  const isActive = order !== 'none';
  const Direction = order === 'ascending' ? IconArrowUp : IconArrowDown;
  const Icon = isActive ? Direction : IconArrowsSort;
  const isReversible = offered.value === sort.value && offered.reverse !== undefined;
  return (
    <button
      type="button"
      className="gw-sort"
      data-active={isActive || undefined}
      onClick={() => {
        sort.onSort(isReversible ? (offered.reverse ?? offered.value) : offered.value);
      }}
    >
      {column.header}
      <Icon size={13} stroke={1.8} aria-hidden />
    </button>
  );
}

/** Text that does not fit its cell is shown whole while the pointer is over it. */
function showCutText({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell === null || cell.dataset.actions !== undefined) return;
  // biome-ignore lint/performance/useDomNodeTextContent: blocks of a cell are words of their own
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
  else cell.removeAttribute('title');
}
