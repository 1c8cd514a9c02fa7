// What differs between two definitions of a tool, line by line. Pure.
import { visible } from '../ui/visible.ts';

export interface Line {
  text: string;
  /** Whether the line stands on this side only. */
  differs: boolean;
}

/**
 * With sorted keys, so that an order that means nothing is no difference; texts keep their line ends. What nobody would
 * see is written out: who approves a tool approves what the model reads.
 */
export function shown(definition: Record<string, unknown> | null): string[] {
  if (definition === null) return [];
  return JSON.stringify(sorted(definition), null, 2)
    .split('\n')
    .flatMap((line) => visible(line).replaceAll('\\n', '\\n\n').split('\n'));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Beyond this many lines, whole sides are compared by what stands on them, not by where. */
const EXACT_LINES = 600;

/** Both sides, each line marked where the other side has not got it in its place. */
export function compared(before: readonly string[], after: readonly string[]): [Line[], Line[]] {
  if (before.length > EXACT_LINES || after.length > EXACT_LINES) {
    const [left, right] = [new Set(before), new Set(after)];
    return [
      before.map((text) => ({ text, differs: !right.has(text) })),
      after.map((text) => ({ text, differs: !left.has(text) })),
    ];
  }
  const common = longest(before, after);
  const marked = (lines: readonly string[], kept: ReadonlySet<number>) =>
    lines.map((text, i) => ({ text, differs: !kept.has(i) }));
  return [
    marked(before, new Set(common.map(([i]) => i))),
    marked(after, new Set(common.map(([, j]) => j))),
  ];
}

/** The places of the longest common run of lines. */
function longest(a: readonly string[], b: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint16Array;
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
