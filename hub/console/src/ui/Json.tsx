// A record as formatted JSON in a scrollable box.
import { visible, visibleLines } from './visible.ts';

interface JsonProps {
  value: unknown;
  label: string;
}

export function Json({ value, label }: JsonProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach a scrollable box
    <section className="gw-json" aria-label={visible(label)} tabIndex={0}>
      {visibleLines(JSON.stringify(value, null, 2))}
    </section>
  );
}
