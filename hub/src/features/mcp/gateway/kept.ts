// How much of a call its row keeps. What is longer is left out as a whole, and said: half of a secret is not known as one.

/** Of arguments, and of an answer. */
export const KEPT_CHARS = 1024 * 1024;
const TEXT_CHARS = 8_192;

const note = (max: number) => `[not kept: longer than ${max} characters]`;

/** The letters of texts and names in it, or more than `max` where there are more. */
export function charsIn(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let chars = 0;
  for (const [name, item] of Object.entries(value)) {
    chars += (Array.isArray(value) ? 0 : name.length) + charsIn(item, max - chars);
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
