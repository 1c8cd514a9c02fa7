// Finds the end of JSON strings for scanners that read JSON text without parsing it.

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/**
 * The number of characters examined individually. Most strings are shorter; `indexOf` searches the remainder of a long
 * string.
 */
const LETTERS = 32;

/** Returns the index of the quote that closes the string opened at `open`, or -1 if the string is not closed. */
export function closingQuote(text: string, open: number): number {
  let at = open + 1;
  for (const until = at + LETTERS; at < until; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  // A backslash before this index cannot escape a character after it.
  const from = at;
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (before >= from && text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return -1;
}
