// An index of adjacent character pairs in a text. Keyword rules use it to exclude keywords cheaply: in a text of dashes
// only, dozens of keyword searches would otherwise read the whole text.

const WIDTH = 128;
const pair = (first: number, second: number): number => first * WIDTH + second;

/** Returns the pairs of adjacent ASCII characters in a word. */
export function characterPairs(word: string): readonly number[] {
  const found: number[] = [];
  for (let i = 1; i < word.length; i++) {
    const [first, second] = [word.charCodeAt(i - 1), word.charCodeAt(i)];
    if (first < WIDTH && second < WIDTH) found.push(pair(first, second));
  }
  return found;
}

const seen = new Uint8Array(WIDTH * WIDTH);

/**
 * Indexes a text. The returned function reports whether the text may contain a word with the given pairs; the next call
 * invalidates it.
 */
export function indexCharacterPairs(text: string): (pairs: readonly number[]) => boolean {
  seen.fill(0);
  let before = WIDTH;
  for (let i = 0; i < text.length; i++) {
    const now = text.charCodeAt(i);
    if (before < WIDTH && now < WIDTH) seen[pair(before, now)] = 1;
    before = now;
  }
  return mayContain;
}

function mayContain(pairs: readonly number[]): boolean {
  for (const pair of pairs) if (seen[pair] === 0) return false;
  return true;
}
