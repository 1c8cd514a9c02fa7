// Where a string of JSON ends: for whoever looks at JSON before, or without, making objects of it.

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Most strings are short, and looked at letter by letter; in a long one the engine looks for the quote by itself. */
const LETTERS = 32;

/** The place of the quote that ends the string which begins at `open`; -1: there is none. */
export function closingQuote(text: string, open: number): number {
  let at = open + 1;
  for (const until = at + LETTERS; at < until; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  // From here on no letter is one that a backslash before it escapes.
  const from = at;
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (before >= from && text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return -1;
}
