// Compiles regular expressions with partial case folding. V8 supports the groups `(?i:…)` and `(?-i:…)`, but may
// compile a branch with the modifier of the previous branch, depending on other patterns of the process (nodejs/node
// issue 60030, https://github.com/nodejs/node/pull/60706). A credential would pass in some processes only. This module
// therefore expands the modifiers before V8 sees them.

const MODIFIER = /\(\?-?i:/;
const TOKEN =
  /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|\((?:\?(?:<?[=!]|:|-?i:))?|\)|\[(?:\\[\s\S]|[^\]\\])*\]|\{[0-9]+(?:,[0-9]*)?\}|[\s\S]/gi;
/** A range with more letters than any alphabet contains both cases of each letter. */
const RANGE_MAX = 300;

/** V8 skips optimizations for patterns above 20 kB, which doubles the time. */
const LENGTH_MAX = 20_000;

/**
 * Returns a regular expression like `new RegExp`, from a source that may contain groups with the modifier `i`. Throws a
 * SyntaxError for an invalid source, and a RangeError for a source above 20 kB.
 */
export function compilePattern(source: string, flags = ''): RegExp {
  const isPlain = !MODIFIER.test(source);
  const written = isPlain ? source : expandModifiers(source, flags.includes('i'));
  if (written.length > LENGTH_MAX) throw new RangeError('a pattern of more than 20 kB');
  return new RegExp(written, isPlain ? flags : flags.replace('i', ''));
}

function expandModifiers(source: string, isFolded: boolean): string {
  const scopes = [isFolded];
  return source.replace(TOKEN, (token) => {
    const folds = scopes.at(-1) as boolean;
    if (token.startsWith('(')) {
      const isModifier = token.endsWith('i:');
      scopes.push(isModifier ? token === '(?i:' : folds);
      return isModifier ? '(?:' : token;
    }
    if (token === ')') scopes.pop();
    return folds ? expandToken(token) : token;
  });
}

/** Returns the token with the other case of its letters. */
function expandToken(token: string): string {
  if (token.length > 1 && token[0] === '{') return token;
  if (token.length > 1 && token[0] === '[') return expandClass(token);
  const cases = casesOf(letterOf(token));
  return cases.length === 1 ? token : `[${cases.join('')}]`;
}

const ITEM =
  /(\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|[\s\S])(?:-(\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^\]]|[^\]]))?/gi;

/** Returns the class with the other case of each of its letters. */
function expandClass(written: string): string {
  const opening = written.startsWith('[^') ? 2 : 1;
  const inside = written.slice(opening, -1);
  const others = new Set<number>();
  for (const [, first = '', last = first] of inside.matchAll(ITEM)) {
    const from = letterOf(first).charCodeAt(0);
    const to = letterOf(last).charCodeAt(0);
    // An escape for several characters, such as `\s`, has no letter.
    if (Number.isNaN(from) || Number.isNaN(to) || to - from > RANGE_MAX) continue;
    for (let unit = from; unit <= to; unit++) {
      for (const other of casesOf(String.fromCharCode(unit)).slice(1))
        others.add(other.charCodeAt(0));
    }
  }
  // A dash at the beginning is literal and must not form a range with the added letters.
  const dash = others.size > 0 && inside.startsWith('-') ? '\\' : '';
  return written.slice(0, opening) + ranges(others) + dash + written.slice(opening);
}

/** Returns the shortest class of these characters, because of the 20 kB limit. */
function ranges(units: ReadonlySet<number>): string {
  const sorted = [...units].sort((a, b) => a - b);
  let written = '';
  for (let i = 0, end = 0; i < sorted.length; i = end) {
    end = i + 1;
    while (end < sorted.length && sorted[end] === (sorted[end - 1] as number) + 1) end++;
    const first = String.fromCharCode(sorted[i] as number);
    const last = String.fromCharCode(sorted[end - 1] as number);
    written += first === last ? first : `${first}-${last}`;
  }
  return written;
}

/** Returns the letter of a token; returns the empty text for an escape without a letter. */
function letterOf(token: string): string {
  if (token.length === 1) return token;
  const code = /^\\[ux]([0-9a-f]+)$/i.exec(token)?.[1];
  return code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16));
}

/** Returns the letter and all letters that the flag `i` treats as equal. */
function casesOf(letter: string): string[] {
  const folded = foldedOf(letter);
  const others = [folded, letter.toLowerCase(), folded.toLowerCase()].filter(
    (other) => other.length === 1 && other !== letter && foldedOf(other) === folded,
  );
  return [letter, ...new Set(others)];
}

/**
 * Folds a letter like Canonicalize of ECMAScript without the flag `u`: the length is unchanged, and no letter becomes
 * an ASCII letter.
 */
function foldedOf(letter: string): string {
  const upper = letter.toUpperCase();
  if (upper.length !== 1) return letter;
  return letter.charCodeAt(0) >= 128 && upper.charCodeAt(0) < 128 ? letter : upper;
}
