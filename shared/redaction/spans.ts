// Spans of a text that are replaced by placeholders. All detectors examine the same text; their spans are merged once,
// and the text is rewritten once.

export interface Span {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
  replacement: string;
}

/**
 * Replaces all spans. Among spans that begin at the same position, the first of the list decides. Other overlapping spans
 * are replaced together, by the placeholder of the span that begins first.
 */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = spans.toSorted((a, b) => a.from - b.from);
  const parts: string[] = [];
  let copied = 0;
  let end = -1;
  let begin = -1;
  for (const { from, to, replacement } of sorted) {
    if (from === begin) continue;
    if (from >= end) parts.push(text.slice(copied, from), replacement);
    begin = from;
    end = Math.max(end, to);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
