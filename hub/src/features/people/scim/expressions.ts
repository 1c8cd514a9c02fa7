// Filters before the library takes them apart: it multiplies what stands in `or` by all that stands beside it, so a short
// text may become millions of conditions. Pure.
import { ScimFault, type ScimType } from './faults.ts';

/** Alternatives that stand alone. */
const ALTERNATIVES_MAX = 50;
/** Alternatives where anything else is asked for, too: of two each, so many make thirty-two. */
const MIXED_MAX = 5;

/**
 * The same filter, or path with one, with truth in the letters that the library knows. Throws ScimFault of this type
 * where it has too many alternatives.
 */
export function tamed(text: string, scimType: ScimType): string {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  const outside = parts.filter((_, i) => i % 2 === 0).join(' ');
  const ors = outside.match(/\bor\b/gi)?.length ?? 0;
  const isMixed = /\b(and|not)\b|[[(]/i.test(outside);
  if (ors > (isMixed ? MIXED_MAX : ALTERNATIVES_MAX)) {
    throw new ScimFault(scimType, 'The filter has too many alternatives.');
  }
  return parts
    .map((part, i) =>
      i % 2 === 1 ? part : part.replace(/\b(true|false)\b/gi, (word) => word.toLowerCase()),
    )
    .join('')
    .replace(
      /\bprimary eq "(true|false)"/gi,
      (_, word: string) => `primary eq ${word.toLowerCase()}`,
    );
}
