// The body of a long table: only the rows around what is in sight are in the document, however many were loaded.
import {
  defaultRangeExtractor,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { hasJumped } from './list-place.ts';

/** Beside what is in sight, so that Tab and the review keys always find a next row. */
const BESIDE = 15;
const FIRST_HEIGHT = 40;

interface WindowedRowsProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: number;
  /** One `<tr>` that passes these on. */
  render: (row: Row, place: RowPlace) => ReactNode;
}

/** What a row of a windowed table carries: by it its height is measured, and a screen reader knows which it is. */
export interface RowPlace {
  ref?: (element: HTMLElement | null) => void;
  'data-index'?: number;
  'aria-rowindex'?: number;
}

export function WindowedRows<Row>({ rows, rowKey, columns, render }: WindowedRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const usual = useRef(FIRST_HEIGHT);
  // What stands above the table may grow; a layout effect after each render sees it.
  useLayoutEffect(() => {
    const rect = body.current?.getBoundingClientRect();
    if (rect !== undefined) setTop(Math.round(rect.top + window.scrollY));
    usual.current = usualHeight(body.current) ?? usual.current;
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    // Near the truth, or the page would move under the pointer of whoever jumps far.
    estimateSize: () => usual.current,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: BESIDE,
    scrollMargin: top,
    // The row that has the focus stays, or the keyboard would fall back to the top of the page.
    rangeExtractor: (range) => {
      const focused = focusedIndex(body.current);
      const shown = defaultRangeExtractor(range);
      if (focused === null || focused >= range.count || shown.includes(focused)) return shown;
      return [...shown, focused].sort((a, b) => a - b);
    },
  });
  virtual.shouldAdjustScrollPositionOnItemSizeChange = movesWith;
  const items = virtual.getVirtualItems();
  let below = virtual.getTotalSize();
  let end = top;
  const parts: ReactNode[] = [];
  for (const item of items) {
    if (item.start > end)
      parts.push(<Gap key={`gap-${end}`} px={item.start - end} columns={columns} />);
    const row = rows[item.index] as Row;
    parts.push(
      render(row, {
        ref: virtual.measureElement,
        'data-index': item.index,
        // The header is the first row.
        'aria-rowindex': item.index + 2,
      }),
    );
    end = item.end;
  }
  below -= end - top;
  return (
    <tbody ref={body}>
      {parts}
      {below > 0 ? <Gap px={below} columns={columns} /> : null}
    </tbody>
  );
}

function Gap({ px, columns }: { px: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus, and there is nothing to say
    <tr aria-hidden="true" className="gw-gap">
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}

type Virtual = ReturnType<typeof useWindowVirtualizer>;
type Known = Pick<Virtual, 'scrollOffset' | 'scrollDirection' | 'itemSizeCache'>;

/** Whether the page moves with a row above what is in sight that turned out taller or lower than thought. */
function movesWith(row: VirtualItem, _delta: number, known: Known): boolean {
  const at = known.scrollOffset ?? 0;
  const end = document.documentElement.scrollHeight - window.innerHeight;
  // The place they left would be written over the one they jumped to.
  if (hasJumped({ stands: window.scrollY, known: at, end })) return false;
  if (!known.itemSizeCache.has(row.key)) return row.start < at;
  return row.end <= at && known.scrollDirection !== 'backward';
}

/** Of the rows that are there; null where there are none. */
function usualHeight(body: HTMLElement | null): number | null {
  const rows = body?.querySelectorAll('tr[data-index]') ?? [];
  const heights = [...rows].map((row) => row.getBoundingClientRect().height);
  if (heights.length === 0) return null;
  return Math.round(heights.reduce((sum, height) => sum + height, 0) / heights.length);
}

function focusedIndex(body: HTMLElement | null): number | null {
  const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
  if (row === null || row === undefined || body?.contains(row) !== true) return null;
  return Number(row.dataset.index);
}
