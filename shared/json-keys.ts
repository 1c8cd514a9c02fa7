// JSON.parse of V8 12.8 and newer (Node 24, nodejs/node#63785) takes an escaped name for another one that it met before at
// the same place: after {"a":1,"\\":2} the names "\"" and "\n" of the next such object are read as "\\". Who sends such
// a name would decide how those of others are read. A name that was taken for another holds a backslash, so most texts cost
// nothing: only where some name holds one it is read again, with escaped names written so that they need no escape.

import { mayRound, parseKeeping } from './json-numbers.ts';
import { closingQuote } from './json-strings.ts';

/** As `JSON.parse`, every name as it was sent. */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\') || !namesBackslash(value)) return value;
  const plain = plainNames(text);
  return withNames(JSON.parse(plain.text), plain.names);
}

/** The same, and numbers as `parseKeeping` reads them. */
export function parseWithNumbers(text: string): unknown {
  const value = parseExactly(text);
  return mayRound(text) ? parseKeeping(text, parseExactly) : value;
}

/** Deeper than anything that is let in anywhere, and no deeper than a stack. */
const MAX_DEPTH = 1_000;

function namesBackslash(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  if (Array.isArray(value)) return value.some((item) => namesBackslash(item, depth - 1));
  return Object.entries(value).some(
    ([name, item]) => name.includes('\\') || namesBackslash(item, depth - 1),
  );
}

const MARK = '\ue000';
const COLON = /\s*:/y;

/** Valid JSON in which escaped names, and those that look like ours, are the mark and their place in `names`. */
function plainNames(text: string): { text: string; names: string[] } {
  const places = new Map<string, number>();
  const parts: string[] = [];
  let copied = 0;
  for (let open = text.indexOf('"'); open !== -1; ) {
    const close = closingQuote(text, open);
    const inner = text.slice(open + 1, close);
    COLON.lastIndex = close + 1;
    if ((inner.includes('\\') || inner.startsWith(MARK)) && COLON.test(text)) {
      const place = places.get(inner) ?? places.size;
      places.set(inner, place);
      parts.push(text.slice(copied, open + 1), `${MARK}${place}`);
      copied = close;
    }
    open = text.indexOf('"', close + 1);
  }
  parts.push(text.slice(copied));
  // As the items of a list they are read right.
  const listed = [...places.keys()].map((inner) => `"${inner}"`).join(',');
  return { text: parts.join(''), names: JSON.parse(`[${listed}]`) as string[] };
}

function withNames(value: unknown, names: readonly string[], depth = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, names, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.startsWith(MARK) ? names[Number(name.slice(MARK.length))] : name,
      withNames(item, names, depth - 1),
    ]),
  );
}
