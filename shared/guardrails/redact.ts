// Replaces detected content. `redact` writes a placeholder; `partial-redact` keeps enough to recognize a value.
import type { Action } from '../wire/management/app-config.ts';
import { strictestAction } from './smart-groups.ts';
import type { Span } from './types.ts';

/** The end of a value that remains, if the value has at least twice this many letters and digits. */
const VISIBLE = 4;

interface Replacement {
  start: number;
  end: number;
  action: Action;
  subcategory: string;
}

/**
 * Returns the text without the content of spans with the action `redact`, `partial-redact` or `block`. Spans that
 * overlap become a single replacement with the strictest action.
 */
export function redactSpans(text: string, spans: readonly Span[]): string {
  const replacements = mergeOverlaps(spans.filter(({ action }) => action !== 'monitor'));
  if (replacements.length === 0) return text;
  let result = '';
  let from = 0;
  for (const replacement of replacements) {
    const { start, end } = replacement;
    result += text.slice(from, start) + replacementFor(text.slice(start, end), replacement);
    from = end;
  }
  return result + text.slice(from);
}

function mergeOverlaps(spans: readonly Span[]): Replacement[] {
  const merged: Replacement[] = [];
  for (const { start, end, action, subcategory } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) {
      merged.push({ start, end, action, subcategory });
    } else {
      last.end = Math.max(last.end, end);
      last.action = strictestAction(last.action, action);
    }
  }
  return merged;
}

function replacementFor(value: string, { action, subcategory }: Replacement): string {
  if (action !== 'partial-redact') {
    return `[REDACTED_${subcategory.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}]`;
  }
  const at = value.lastIndexOf('@');
  if (subcategory === 'email_address' && at > 0) return `${value[0]}***${value.slice(at)}`;
  return maskValue(value);
}

/** Replaces letters and digits by `*`, except the last four of a long value. Separators remain. */
function maskValue(value: string): string {
  const letters = value.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  let left = letters >= 2 * VISIBLE ? letters - VISIBLE : letters;
  return value.replace(/[\p{L}\p{N}]/gu, (character) => (left-- > 0 ? '*' : character));
}
