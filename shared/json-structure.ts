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
    const unit = text[i];
    if (unit === '{') containers.push({ names: new Set(), at: '' });
    else if (unit === '[') containers.push({ names: null, at: 0 });
    else if (unit === '}' || unit === ']') containers.pop();
    else if (unit === ',') advance(containers.at(-1));
    else if (unit === '"') {
      const close = closingQuote(text, i);
      if (close === -1) break;
      COLON.lastIndex = close + 1;
      if (COLON.test(text) && isDuplicate(containers.at(-1), text.slice(i, close + 1))) {
        return { duplicate: containers.map(({ at }) => at), isTooDeep: false };
      }
      i = close;
    }
    if (containers.length > depthMax) return { duplicate: null, isTooDeep: true };
  }
  return { duplicate: null, isTooDeep: false };
}

function advance(inner: Container | undefined): void {
  if (typeof inner?.at === 'number') inner.at++;
}

/** Adds a key to its object, and returns whether the object already had the key. */
function isDuplicate(inner: Container | undefined, quoted: string): boolean {
  if (inner?.names == null) return false;
  const name = unquote(quoted);
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
