// Splits a command line of Windows into words, as its programs do.

/**
 * Returns the words by the rules of Microsoft's C runtime: 2n backslashes before a quote are n backslashes, an odd
 * number escapes the quote, and two quotes inside of quotes are a quote.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  for (let at = skipBlanks(line, 0); at < line.length; at = skipBlanks(line, at)) {
    const { word, end } = readWord(line, at);
    words.push(word);
    at = end;
  }
  return words;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (isBlank(line[at])) at++;
  return at;
}

function readWord(line: string, from: number): { word: string; end: number } {
  let word = '';
  let isQuoted = false;
  let at = from;
  while (at < line.length && (isQuoted || !isBlank(line[at]))) {
    const slashes = countBackslashes(line, at);
    at += slashes;
    if (line[at] !== '"') {
      word += '\\'.repeat(slashes);
      if (slashes === 0) word += line[at++];
      continue;
    }
    word += '\\'.repeat(slashes >> 1);
    at++;
    const isDoubled = isQuoted && line[at] === '"';
    if (slashes % 2 === 1) word += '"';
    else if (isDoubled) {
      word += '"';
      at++;
    } else isQuoted = !isQuoted;
  }
  return { word, end: at };
}

function countBackslashes(line: string, from: number): number {
  let at = from;
  while (line[at] === '\\') at++;
  return at - from;
}
