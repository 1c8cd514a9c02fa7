// The difference between two definitions of a tool by line. Pure.
import { visible } from '../ui/visible.ts';

export interface Line {
  text: string;
  /** The line is on this side only. */
  differs: boolean;
}

/**
 * Prints a definition with sorted keys, so that the order of keys is no difference. Texts keep their line ends. Invisible
 * characters are printed as code points, because an approval covers the text that the model reads.
 */
export function printDefinition(definition: Record<string, unknown> | null): string[] {
  if (definition === null) return [];
  return JSON.stringify(sortKeys(definition), null, 2)
    .split('\n')
    .flatMap((line) => visible(line).replaceAll('\\n', '\\n\n').split('\n'));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

/** Longer definitions are compared as sets of lines, without positions. */
const MAX_EXACT_LINES = 600;

/** Returns both sides, with marks at lines that the other side lacks at that position. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): [Line[], Line[]] {
  if (before.length > MAX_EXACT_LINES || after.length > MAX_EXACT_LINES) {
    const [left, right] = [new Set(before), new Set(after)];
    return [
      before.map((text) => ({ text, differs: !right.has(text) })),
      after.map((text) => ({ text, differs: !left.has(text) })),
    ];
  }
  const common = findLongestCommonSubsequence(before, after);
  const markLines = (lines: readonly string[], kept: ReadonlySet<number>) =>
    lines.map((text, i) => ({ text, differs: !kept.has(i) }));
  return [
    markLines(before, new Set(common.map(([i]) => i))),
    markLines(after, new Set(common.map(([, j]) => j))),
  ];
}

/** Returns the index pairs of the longest common subsequence of lines. */
function findLongestCommonSubsequence(
  a: readonly string[],
  b: readonly string[],
): [number, number][] {
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
