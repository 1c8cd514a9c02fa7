// Scans JSON text for facts that parsing loses: duplicate keys and the nesting depth. `JSON.parse` takes the last value of a
// duplicate key and some parsers take the first, so that a reviewer and an executor of the same text could read different
// values.
import { closingQuote } from './json-strings.ts';

export interface JsonStructure {
  /** The path of the first duplicate key; null if every key of an object is different. */
  duplicate: readonly (string | number)[] | null;
  /** True if the text nests deeper than the maximum; the scan ends there. */
  isTooDeep: boolean;
}

/** An object with its names so far, or an array (null). `at`: the member that is being read. */
interface Container {
  names: Set<string> | null;
  at: string | number;
}

const COLON = /[ \t\r\n]*:/y;

/** Scans JSON text in linear time. The result for invalid JSON has no meaning. */
export function scanJsonStructure(
  text: string,
  depthMax = Number.POSITIVE_INFINITY,
): JsonStructure {
  const containers: Container[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '"') {
      followStructure(containers, text[i]);
      if (containers.length > depthMax) return { duplicate: null, isTooDeep: true };
      continue;
    }
    const close = endOfString(text, i);
    if (repeatsKey(containers.at(-1), text, i, close)) {
      return { duplicate: containers.map(({ at }) => at), isTooDeep: false };
    }
    i = close;
  }
  return { duplicate: null, isTooDeep: false };
}

/** Opens, advances or closes a container by a character outside of strings. */
function followStructure(containers: Container[], unit: string | undefined): void {
  if (unit === '{') containers.push({ names: new Set(), at: '' });
  else if (unit === '[') containers.push({ names: null, at: 0 });
  else if (unit === '}' || unit === ']') containers.pop();
  else if (unit === ',') advance(containers.at(-1));
}

function advance(inner: Container | undefined): void {
  if (typeof inner?.at === 'number') inner.at++;
}

/** Returns the index of the quote that ends a string, or the end of an invalid text. */
function endOfString(text: string, open: number): number {
  const close = closingQuote(text, open);
  return close === -1 ? text.length : close;
}

/** Returns whether a string is a key that its object already has. Adds another key to the object. */
function repeatsKey(
  inner: Container | undefined,
  text: string,
  open: number,
  close: number,
): boolean {
  COLON.lastIndex = close + 1;
  if (inner?.names == null || !COLON.test(text)) return false;
  const name = unquote(text.slice(open, close + 1));
  inner.at = name;
  if (inner.names.has(name)) return true;
  inner.names.add(name);
  return false;
}

/** Returns the text of a string. Invalid JSON may contain an invalid escape, which stays as it is. */
function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
