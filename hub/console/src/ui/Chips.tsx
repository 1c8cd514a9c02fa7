// Chips of a table cell on a single line: only whole chips are shown, and a last chip counts the others and names them.
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { Badge, type Tone } from './Badges.tsx';

export interface Chip {
  key: string;
  /** The text of the chip, also in the list of chips that do not fit. */
  label: string;
  tone: Tone;
  dot?: boolean;
  /** Shown in the place of the label. */
  content?: ReactNode;
  title?: string;
}

export function Chips({ chips }: { chips: readonly Chip[] }) {
  const list = useRef<HTMLSpanElement>(null);
  const labels = chips.map(({ label }) => label).join('\n');
  const fitting = useFittingChips(list, labels);
  const isShown = (index: number) => fitting === null || fitting.includes(index);
  const rest = chips.filter((_chip, index) => !isShown(index)).map(({ label }) => label);
  return (
    <span ref={list} className="gw-badges gw-chips">
      {chips.map(({ key, tone, dot, label, content, title }, index) => (
        <span key={key} data-chip data-over={isShown(index) ? undefined : ''} title={title}>
          <Badge tone={tone} {...(dot === undefined ? {} : { dot })}>
            {content ?? label}
          </Badge>
        </span>
      ))}
      <span data-more hidden={rest.length === 0} title={rest.join(', ')}>
        <Badge tone="plain">
          <span aria-hidden>{texts.ui.moreChips(Math.max(rest.length, 1))}</span>
          <span className="gw-vh">{rest.join(', ')}</span>
        </Badge>
      </span>
    </span>
  );
}

/** Returns the indices of the chips that fit on the line; null where the chips wrap, and before the first measurement. */
function useFittingChips(list: RefObject<HTMLElement | null>, labels: string): number[] | null {
  const [fitting, setFitting] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new labels have new widths
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    // Text, since an equal text renders nothing anew.
    const fit = () => setFitting(JSON.stringify(measureChips(element)));
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, labels]);
  return fitting === null ? null : JSON.parse(fitting);
}

/** Width of the counting chip before it is shown, in CSS pixels. */
const LEAST_MORE_PX = 34;

function measureChips(list: HTMLElement): number[] | null {
  const { flexWrap, columnGap } = getComputedStyle(list);
  if (flexWrap !== 'nowrap') return null;
  const widths = [...list.querySelectorAll<HTMLElement>('[data-chip]')].map(widthOf);
  const more = list.querySelector<HTMLElement>('[data-more]');
  return fittingChips(widths, {
    available: list.getBoundingClientRect().width,
    gap: Number.parseFloat(columnGap) || 0,
    more: more === null ? 0 : Math.max(widthOf(more), LEAST_MORE_PX),
  });
}

const widthOf = (element: HTMLElement) => element.getBoundingClientRect().width;

/** Widths are rounded differently at each scale of the display. */
const TOLERANCE_PX = 0.5;

/**
 * Returns the indices of the chips that fit whole into `available` CSS pixels, in their order. The chip that counts the others
 * needs `more`.
 */
export function fittingChips(
  widths: readonly number[],
  { available, gap, more }: { available: number; gap: number; more: number },
): number[] {
  const whole = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (whole <= available + TOLERANCE_PX) return widths.map((_width, index) => index);
  let rest = available - more + TOLERANCE_PX;
  return widths.flatMap((width, index) => {
    if (width + gap > rest) return [];
    rest -= width + gap;
    return [index];
  });
}
