// The body of a long table. Only the rows around the visible part are in the document.
import {
  defaultRangeExtractor,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { hasJumped } from './list-place.ts';

/** Rows beside the visible part, so that Tab and the shortcuts always reach a next row. */
const BESIDE = 15;
const FIRST_HEIGHT = 40;

interface WindowedRowsProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: number;
  /** Renders a `<tr>` with these properties. */
  render: (row: Row, place: RowPlace) => ReactNode;
}

/** Properties of a row: the reference measures its height, and the index names it to screen readers. */
export interface RowPlace {
  ref?: (element: HTMLElement | null) => void;
  'data-index'?: number;
  'aria-rowindex'?: number;
}

export function WindowedRows<Row>({ rows, rowKey, columns, render }: WindowedRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const usual = useRef(FIRST_HEIGHT);
  // Content above the table may grow, which a layout effect after each render detects.
  useLayoutEffect(() => {
    const rect = body.current?.getBoundingClientRect();
    if (rect !== undefined) setTop(Math.round(rect.top + window.scrollY));
    usual.current = usualHeight(body.current) ?? usual.current;
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    // An estimate close to the real height, because a wrong estimate would move the page after a long jump.
    estimateSize: () => usual.current,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: BESIDE,
    scrollMargin: top,
    // The focused row stays in the document, because the keyboard would otherwise start at the top of the page.
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
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <tr aria-hidden="true" className="gw-gap">
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}

type Virtual = ReturnType<typeof useWindowVirtualizer>;
type Known = Pick<Virtual, 'scrollOffset' | 'scrollDirection' | 'itemSizeCache'>;

/** Returns whether the scroll position is corrected after a row above the visible part differs from its estimated height. */
function movesWith(row: VirtualItem, _delta: number, known: Known): boolean {
  const at = known.scrollOffset ?? 0;
  const end = document.documentElement.scrollHeight - window.innerHeight;
  // The correction would overwrite the position of a jump.
  if (hasJumped({ position: window.scrollY, known: at, end })) return false;
  if (!known.itemSizeCache.has(row.key)) return row.start < at;
  return row.end <= at && known.scrollDirection !== 'backward';
}

/** Returns the mean height of the rendered rows; null without rows. */
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
