// Limits of a log row. A longer value is replaced by a note, because a truncated secret would not be detected.

import { countDigits } from '../../../platform/http/json/lossless-numbers.ts';

/** Characters of arguments or of a response. */
export const KEPT_CHARS = 1024 * 1024;
const TEXT_CHARS = 8_192;

const note = (max: number) => `[not stored: longer than ${max} characters]`;

/** Returns the approximate length as JSON, or more than `max` for a longer value. */
function charsIn(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let chars = 2 + countDigits(value);
  // Entries of a large array would cost more memory than its row.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && chars <= max; i++) chars += charsIn(value[i], max - chars);
    return chars;
  }
  for (const name of Object.keys(value)) {
    chars += name.length + charsIn((value as Record<string, unknown>)[name], max - chars);
    if (chars > max) break;
  }
  return chars;
}

export function kept(value: unknown): { value: unknown; chars: number } {
  const chars = charsIn(value, KEPT_CHARS);
  return chars > KEPT_CHARS ? { value: note(KEPT_CHARS), chars: 0 } : { value, chars };
}

export const keptText = (text: string): string =>
  text.length > TEXT_CHARS ? note(TEXT_CHARS) : text;
