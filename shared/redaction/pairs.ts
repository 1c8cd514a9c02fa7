// Which two characters stand side by side somewhere in a text. Rules are tried where a text holds their fixed words; a text
// of nothing but dashes, in which dozens of such words begin, would be searched to its end for each of them.

const WIDTH = 128;
const pair = (first: number, second: number): number => first * WIDTH + second;

/** The pairs of ASCII characters that a word has. */
export function pairsIn(word: string): readonly number[] {
  const found: number[] = [];
  for (let i = 1; i < word.length; i++) {
    const [first, second] = [word.charCodeAt(i - 1), word.charCodeAt(i)];
    if (first < WIDTH && second < WIDTH) found.push(pair(first, second));
  }
  return found;
}

const seen = new Uint8Array(WIDTH * WIDTH);

/** Looks at a text once. What it gives tells whether the text may hold a word with these pairs, until the next look. */
export function lookAtPairs(text: string): (pairs: readonly number[]) => boolean {
  seen.fill(0);
  let before = WIDTH;
  for (let i = 0; i < text.length; i++) {
    const now = text.charCodeAt(i);
    if (before < WIDTH && now < WIDTH) seen[pair(before, now)] = 1;
    before = now;
  }
  return mayHold;
}

function mayHold(pairs: readonly number[]): boolean {
  for (const one of pairs) if (seen[one] === 0) return false;
  return true;
}
