// What people and devices typed, in a message to people: it stays on its line, and turns nothing round. Pure.

const LONGEST_LINE = 300;

/** One line, without control characters and direction marks that would reorder what stands around it. */
export function oneLine(text: string, longest: number = LONGEST_LINE): string {
  const clean = text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu,
    ' ',
  );
  const characters = [...clean.trim()];
  return characters.length > longest
    ? `${characters.slice(0, longest).join('')}…`
    : characters.join('');
}
