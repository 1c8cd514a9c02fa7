// Limits of filters before scimmy parses them: it expands `or` into a product of conditions, so a short text may become
// millions of conditions. Pure.
import { ScimError, type ScimType } from './errors.ts';

/** The most alternatives in a filter of alternatives only. */
const ALTERNATIVES_MAX = 50;
/** The most alternatives in a filter with other operators: five pairs already expand to thirty-two conditions. */
const MIXED_MAX = 5;

/**
 * Returns the filter, or the path with a filter, with booleans in the letter case that scimmy expects. Throws ScimError
 * of this type if it has too many alternatives.
 */
export function limitAlternatives(text: string, scimType: ScimType): string {
  const segments = text.split(/("(?:[^"\\]|\\.)*")/);
  const outside = segments.filter((_, i) => i % 2 === 0).join(' ');
  const ors = outside.match(/\bor\b/gi)?.length ?? 0;
  const isMixed = /\b(and|not)\b|[[(]/i.test(outside);
  if (ors > (isMixed ? MIXED_MAX : ALTERNATIVES_MAX)) {
    throw new ScimError(scimType, 'The filter has too many alternatives.');
  }
  return segments
    .map((segment, i) =>
      i % 2 === 1 ? segment : segment.replace(/\b(true|false)\b/gi, (word) => word.toLowerCase()),
    )
    .join('')
    .replace(
      /\bprimary eq "(true|false)"/gi,
      (_, word: string) => `primary eq ${word.toLowerCase()}`,
    );
}
