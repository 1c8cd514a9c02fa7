// Sanitizes text of users and devices for a line of a message.

const LINE_MAX = 300;

/** Returns a single line without control characters and direction marks, which could reorder the surrounding text. */
export function toSingleLine(text: string, max: number = LINE_MAX): string {
  const clean = text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu,
    ' ',
  );
  const characters = [...clean.trim()];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('');
}
