// Works around a defect of `JSON.parse` in V8 12.8 and newer (Node 24, nodejs/node#63785): it confuses an escaped key
// with an earlier key in the same position. After {"a":1,"\\":2}, the keys "\"" and "\n" of the next such object are
// parsed as "\\", so that the sender of such a key influences how the keys of other senders are parsed. A confused key
// always contains a backslash. Only texts with such a key are parsed a second time, with markers in place of escaped
// keys.

import { mayRound, parseKeeping } from './json-numbers.ts';
import { closingQuote } from './json-strings.ts';

/** Parses like `JSON.parse`, with every key as it was sent. Throws a SyntaxError for invalid JSON. */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\') || !namesBackslash(value)) return value;
  const plain = plainNames(text);
  return withNames(JSON.parse(plain.text), plain.names);
}

/** Parses like `parseExactly`, with numbers as `parseKeeping` reads them. */
export function parseWithNumbers(text: string): unknown {
  const value = parseExactly(text);
  return mayRound(text) ? parseKeeping(text, parseExactly) : value;
}

/** The maximum nesting depth: deeper than every accepted input, and safe for the stack. */
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

/**
 * Returns equivalent JSON in which escaped keys, and keys that resemble a marker, are a marker with their index in
 * `names`.
 */
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
  // V8 parses array items correctly.
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
