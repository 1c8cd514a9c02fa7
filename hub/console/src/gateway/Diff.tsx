// The difference of two texts by line: added and removed lines with their context.
import { diffLines } from 'diff';
import { visibleLines } from '../ui/visible.ts';

interface DiffProps {
  before: string;
  after: string;
  label: string;
}

/** Unchanged lines on each side of a change. */
const AROUND = 3;

export function Diff({ before, after, label }: DiffProps) {
  const parts = diffLines(before, after);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus
    <section className="gw-lines" aria-label={label} tabIndex={0}>
      {parts.map((part, at) => {
        const key = `${at}`;
        if (part.added) return <ins key={key}>{visibleLines(part.value)}</ins>;
        if (part.removed) return <del key={key}>{visibleLines(part.value)}</del>;
        const around = shortened(part.value, at === 0, at === parts.length - 1);
        return <span key={key}>{visibleLines(around)}</span>;
      })}
    </section>
  );
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.split('\n');
  if (lines.length <= AROUND * 2 + 1) return text;
  const head = isFirst ? [] : lines.slice(0, AROUND);
  const tail = isLast ? [] : lines.slice(-AROUND - 1);
  return [...head, '…', ...tail].join('\n');
}
