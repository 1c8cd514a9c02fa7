// Patterns in which some parts tell capital letters from small ones and others do not. V8 has groups for that, `(?i:…)` and
// `(?-i:…)`, and may compile a branch with the modifier of the one before it: which of them it does depends on what else the
// process has compiled (nodejs/node issue 60030, https://github.com/nodejs/node/pull/60706). A credential would pass in one
// process and not in the next. So they are written out before V8 sees them.

const MODIFIER = /\(\?-?i:/;
const TOKEN =
  /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|\((?:\?(?:<?[=!]|:|-?i:))?|\)|\[(?:\\[\s\S]|[^\]\\])*\]|\{[0-9]+(?:,[0-9]*)?\}|[\s\S]/gi;
/** A range with more letters than any alphabet has holds both cases of them anyway. */
const RANGE_MAX = 300;

/** V8 compiles what is longer than 20 kB without its optimizations: it takes twice the time. */
const LENGTH_MAX = 20_000;

/**
 * The same as `new RegExp`, of a source that may hold groups with the modifier `i`. Throws SyntaxError where that would, and
 * RangeError where it is too long to be fast.
 */
export function regExpOf(source: string, flags = ''): RegExp {
  const isPlain = !MODIFIER.test(source);
  const written = isPlain ? source : writtenOut(source, flags.includes('i'));
  if (written.length > LENGTH_MAX) throw new RangeError('a pattern of more than 20 kB');
  return new RegExp(written, isPlain ? flags : flags.replace('i', ''));
}

function writtenOut(source: string, isFolded: boolean): string {
  const scopes = [isFolded];
  return source.replace(TOKEN, (token) => {
    const folds = scopes.at(-1) as boolean;
    if (token.startsWith('(')) {
      const isModifier = token.endsWith('i:');
      scopes.push(isModifier ? token === '(?i:' : folds);
      return isModifier ? '(?:' : token;
    }
    if (token === ')') scopes.pop();
    if (!folds || (token.length > 1 && token[0] === '{')) return token;
    if (token.length > 1 && token[0] === '[') return classOf(token);
    const cases = casesOf(letterOf(token));
    return cases.length === 1 ? token : `[${cases.join('')}]`;
  });
}

const ITEM =
  /(\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[\s\S]|[\s\S])(?:-(\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^\]]|[^\]]))?/gi;

/** A class with the other case of each letter that it names. */
function classOf(written: string): string {
  const opening = written.startsWith('[^') ? 2 : 1;
  const inside = written.slice(opening, -1);
  const others = new Set<number>();
  for (const [, first = '', last = first] of inside.matchAll(ITEM)) {
    const from = letterOf(first).charCodeAt(0);
    const to = letterOf(last).charCodeAt(0);
    // An escape of several signs, as `\s`, has no letter.
    if (Number.isNaN(from) || Number.isNaN(to) || to - from > RANGE_MAX) continue;
    for (let unit = from; unit <= to; unit++) {
      for (const one of casesOf(String.fromCharCode(unit)).slice(1)) others.add(one.charCodeAt(0));
    }
  }
  // A dash at the beginning is one, and no range from what comes to stand before it.
  const dash = others.size > 0 && inside.startsWith('-') ? '\\' : '';
  return written.slice(0, opening) + ranges(others) + dash + written.slice(opening);
}

/** As short as a class says it: V8 takes less care of what is longer than 20 kB. */
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

/** Empty for an escape that stands for no letter. */
function letterOf(token: string): string {
  if (token.length === 1) return token;
  const code = /^\\[ux]([0-9a-f]+)$/i.exec(token)?.[1];
  return code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16));
}

/** The letter, and what `i` takes for the same one. */
function casesOf(letter: string): string[] {
  const folded = foldedOf(letter);
  const others = [folded, letter.toLowerCase(), folded.toLowerCase()].filter(
    (one) => one.length === 1 && one !== letter && foldedOf(one) === folded,
  );
  return [letter, ...new Set(others)];
}

/** As ECMAScript's Canonicalize has it without `u`: one unit stays one, and nothing becomes an ASCII letter. */
function foldedOf(letter: string): string {
  const upper = letter.toUpperCase();
  if (upper.length !== 1) return letter;
  return letter.charCodeAt(0) >= 128 && upper.charCodeAt(0) < 128 ? letter : upper;
}
