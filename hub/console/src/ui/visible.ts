// Invisible characters, and characters that change the display of others, would let a name look like another name. They are
// escaped.

// Direction marks, embeddings, overrides and isolates; zero-width and other invisible ones; control characters.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
/**
 * Joiners of emoji and scripts between two visible characters hide nothing; nor does a single variation selector of an emoji
 * or ideograph. Any other invisible character can encode text.
 */
const HARMLESS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=\p{Emoji})[\ufe0e\ufe0f](?!\p{Variation_Selector})|(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}](?!\p{Variation_Selector})/gu;

/** Returns the text with invisible characters escaped, such as `[U+202E]`. */
export function visible(text: string): string {
  if (text.search(UNSEEN) === -1) return text;
  const kept = new Set([...text.matchAll(HARMLESS)].map((found) => found.index));
  return text.replace(UNSEEN, (character, at: number) =>
    kept.has(at)
      ? character
      : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Template tag that escapes invisible characters in the inserted names; for labels and titles, which have no elements. */
export const visibleText = (
  words: TemplateStringsArray,
  ...names: readonly (string | number)[]
): string => String.raw({ raw: words }, ...names.map((name) => visible(String(name))));

/** Returns a text of several lines with invisible characters escaped, except line ends and tabs. */
export const visibleLines = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join('');

/** Returns the searchable part of a shown name: the text before the first escaped character. */
export const searchable = (shown: string): string => shown.replace(/\[U\+[0-9A-F]{4,6}\].*$/, '');
