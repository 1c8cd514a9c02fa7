// Characters that change how others are shown, or are not shown at all, would let one name pass for another: they are
// written out.

// Direction marks, embeddings, overrides and isolates; zero-width and other invisible ones; control characters.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
/**
 * Joins of emoji and of scripts that need them stand between two visible characters and hide nothing; nor does the one
 * selector of an emoji's look, or of an ideograph's form. Any other can carry text, one letter behind each that is seen.
 */
const HARMLESS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=\p{Emoji})[\ufe0e\ufe0f](?!\p{Variation_Selector})|(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}](?!\p{Variation_Selector})/gu;

/** The text with what cannot be seen written as `[U+202E]`. */
export function visible(text: string): string {
  if (text.search(UNSEEN) === -1) return text;
  const kept = new Set([...text.matchAll(HARMLESS)].map((found) => found.index));
  return text.replace(UNSEEN, (character, at: number) =>
    kept.has(at)
      ? character
      : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** A sentence with names in it, each made visible: for labels and titles, where no element of its own shows the name. */
export const said = (words: TemplateStringsArray, ...names: readonly (string | number)[]): string =>
  String.raw({ raw: words }, ...names.map((name) => visible(String(name))));

/** A text of several lines: its line ends and tabs stay what they are. */
export const visibleLines = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join('');

/** What of a shown name can be searched for: all before the first character that was written out. */
export const searchable = (shown: string): string => shown.replace(/\[U\+[0-9A-F]{4,6}\].*$/, '');
