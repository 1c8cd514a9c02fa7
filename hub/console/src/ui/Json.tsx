// A record as it is, for who wants to see all of it; it scrolls by itself and by keyboard.
import { visible, visibleLines } from './visible.ts';

interface JsonProps {
  value: unknown;
  label: string;
}

export function Json({ value, label }: JsonProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="gw-json" aria-label={visible(label)} tabIndex={0}>
      {visibleLines(JSON.stringify(value, null, 2))}
    </section>
  );
}
