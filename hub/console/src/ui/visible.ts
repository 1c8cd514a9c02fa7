// Characters that change how others are shown, or are not shown at all, would let one name pass for another: they are
// written out.

// Direction marks, embeddings, overrides and isolates; zero-width and other invisible ones; control characters.
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
/** Joins of emoji and of scripts that need them stand between two visible characters and hide nothing. */
const JOINERS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])/gu;

/** The text with what cannot be seen written as `[U+202E]`. */
export function visible(text: string): string {
  if (text.search(UNSEEN) === -1) return text;
  const joined = new Set([...text.matchAll(JOINERS)].map((found) => found.index));
  return text.replace(UNSEEN, (character, at: number) =>
    joined.has(at)
      ? character
      : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
