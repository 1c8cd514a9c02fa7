// The one table: real table markup on wide screens, stacked and labelled rows on narrow ones. A long one has only the rows
// around what is in sight in the document.
import type { ReactNode } from 'react';
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
  /** Its share of the table's width; 1 where nothing is said. */
  weight?: number;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowTestId?: string;
  /** Rows that have just come in. */
  isNew?: (row: Row) => boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, rowTestId, isNew } = props;
  const whole = columns.reduce((sum, column) => sum + (column.weight ?? 1), 0);
  const isLong = rows.length > LONG;
  const tableRow = (row: Row, place: RowPlace = {}) => (
    <tr key={rowKey(row)} data-testid={rowTestId} data-new={isNew?.(row) ?? undefined} {...place}>
      {columns.map((column, index) => (
        <td
          key={column.key}
          data-label={column.hiddenHeader ? undefined : column.header}
          data-first={index === 0 ? '' : undefined}
          data-align={column.align}
        >
          {column.render(row)}
        </td>
      ))}
    </tr>
  );
  return (
    <div className="gw-table-frame">
      <table className="gw-table" aria-rowcount={isLong ? rows.length + 1 : undefined}>
        <caption className="gw-vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                style={{ width: `${((column.weight ?? 1) / whole) * 100}%` }}
              >
                {column.hiddenHeader ? (
                  <span className="gw-vh">{column.header}</span>
                ) : (
                  column.header
                )}
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
