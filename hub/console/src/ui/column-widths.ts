// Widths of the columns of a dense table: each column gets the width of its content while the table has room.
import { type RefObject, useLayoutEffect } from 'react';

/** Widths are rounded up to this step in CSS pixels, so that a new row rarely moves the columns. */
const STEP_PX = 8;
const MEASURING = 'data-measuring';

export interface SizedColumn {
  /** Width of the widest cell on a single line, in CSS pixels. */
  content: number;
  /** The column gets its content up to this width before the content of other columns is shown whole, in CSS pixels. */
  least: number;
  /** Share of the width that is left. */
  weight: number;
  /** The column always has the width of its content: its buttons cannot end in an ellipsis. */
  isFixed?: boolean;
  /** Addresses get their width with the narrow columns, because a cut address does not identify a user. */
  isEmail?: boolean;
}

/** The content that a column shows before other columns get their `least`, and the `least` of most columns, in CSS pixels. */
const NARROW_PX = 144;
/** The content that a column shows before addresses are cut, in CSS pixels. */
const NARROWEST_PX = 96;
/** The content that a column of addresses shows with the narrow columns, in CSS pixels. */
const EMAIL_PX = 280;

/**
 * Returns the widths of columns that fill `available` CSS pixels. Narrow columns keep the width of their content; then columns
 * grow to `least`, then to their content. Columns that the room does not suffice for grow by weight.
 */
export function fitColumns(columns: readonly SizedColumn[], available: number): number[] {
  const steps = [
    (column: SizedColumn) => narrowWidth(column, NARROWEST_PX),
    (column: SizedColumn) => narrowWidth(column, NARROW_PX),
    ({ content, least, isFixed, isEmail }: SizedColumn) =>
      isFixed ? content : Math.min(content, isEmail ? Math.max(least, EMAIL_PX) : least),
    ({ content }: SizedColumn) => content,
  ];
  let widths = columns.map(() => 0);
  for (const step of steps) {
    const rest = available - widths.reduce((sum, width) => sum + width, 0);
    const growth = columns.map((column, index) => ({
      content: step(column) - (widths[index] ?? 0),
      weight: column.weight,
    }));
    const isLast = growth.reduce((sum, { content }) => sum + content, 0) > rest;
    const grown = isLast ? shareWidth(growth, rest) : growth.map(({ content }) => content);
    widths = widths.map((width, index) => width + (grown[index] ?? 0));
    if (isLast) return widths;
  }
  const left = available - widths.reduce((sum, width) => sum + width, 0);
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
  return columns.map(({ weight }, index) => (widths[index] ?? 0) + (left * weight) / weights);
}

function narrowWidth({ content, least, isFixed, isEmail }: SizedColumn, narrow: number): number {
  if (isFixed) return content;
  return Math.min(content, isEmail ? EMAIL_PX : Math.min(least, narrow));
}

/** Returns shares by weight of a width that does not suffice. No column gets more than its content. */
function shareWidth(
  columns: readonly Pick<SizedColumn, 'content' | 'weight'>[],
  available: number,
): number[] {
  const widths = columns.map(({ content }) => content);
  let rest = available;
  let open = columns.map((column, index) => ({ ...column, index }));
  for (;;) {
    const share = rest / open.reduce((sum, { weight }) => sum + weight, 0);
    const satisfied = open.filter(({ content, weight }) => content <= share * weight);
    if (satisfied.length === 0) break;
    rest -= satisfied.reduce((sum, { content }) => sum + content, 0);
    open = open.filter((column) => !satisfied.includes(column));
  }
  const share = rest / open.reduce((sum, { weight }) => sum + weight, 0);
  for (const { index, weight } of open) widths[index] = share * weight;
  return widths;
}

interface ColumnSize {
  weight?: number;
  least?: number;
  hiddenHeader?: boolean;
  isEmail?: boolean;
}

/** Returns the sizes that columns declare as text, which is equal for equal columns. */
export const sizesOf = (columns: readonly ColumnSize[]): string =>
  JSON.stringify(
    columns.map(({ weight, least, hiddenHeader, isEmail }) => ({
      ...{ weight, least, hiddenHeader, isEmail },
    })),
  );

/**
 * Sets the widths of a dense table's columns by their content after each change of rows, columns or available width. Where the
 * document has no layout, or the rows are stacked, the shares by weight stay.
 */
export function useColumnWidths(
  table: RefObject<HTMLTableElement | null>,
  { isDense, sizes, rows }: { isDense: boolean; sizes: string; rows: readonly unknown[] },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows and columns have new content
  useLayoutEffect(() => {
    const element = table.current;
    const frame = element?.parentElement;
    if (!isDense || element === null || !frame) return;
    let fitted = 0;
    const fit = () => {
      if (frame.clientWidth === fitted) return;
      fitted = frame.clientWidth;
      setWidths(element, JSON.parse(sizes) as ColumnSize[]);
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(frame);
    return () => observer.disconnect();
  }, [isDense, sizes, rows]);
}

function setWidths(table: HTMLTableElement, sizes: readonly ColumnSize[]): void {
  const headers = [...table.querySelectorAll<HTMLElement>('thead th')];
  const shown = headers.flatMap((header, index) =>
    getComputedStyle(header).display === 'table-cell' ? [{ header, index }] : [],
  );
  for (const { header } of shown) header.style.width = 'auto';
  table.setAttribute(MEASURING, '');
  const columns = shown.map(({ header, index }) => ({
    content: Math.ceil(header.getBoundingClientRect().width / STEP_PX) * STEP_PX,
    weight: sizes[index]?.weight ?? 1,
    least: sizes[index]?.least ?? NARROW_PX,
    isFixed: sizes[index]?.hiddenHeader ?? false,
    isEmail: sizes[index]?.isEmail ?? false,
  }));
  table.removeAttribute(MEASURING);
  const available = table.getBoundingClientRect().width;
  if (available === 0 || columns.length === 0) return;
  const widths = fitColumns(columns, available);
  for (const [place, { header }] of shown.entries()) header.style.width = `${widths[place]}px`;
}
