// Removes members for privacy at every depth, also from JSON inside strings and from JSON within other text.
import { normalizeHiddenText } from './decoding.ts';
import { foldKey } from './fold-key.ts';
import { mapJsonText } from './json-text.ts';
import { NAMING_KEYS } from './key-names.ts';

/** Folded names (see `foldKey`). */
const PRIVATE_NAMES: ReadonlySet<string> = new Set(['jwt_claims']);
/** Every spelling of the names contains it, except where its letters are escaped. */
const MAY_NAME = /claims|\\u|[\uff00-\uffff]|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/i;
const LONGEST_NAME = 100;

const DEPTH_MAX = 200;
/** The maximum nesting of JSON in JSON strings; deeper levels are treated as text. */
const JSON_LEVELS = 6;

/** Returns the value without private members, and the same value where it has none. Throws RangeError below 200 levels. */
export function removePrivateMembers(value: unknown): unknown {
  return removeAt(value, DEPTH_MAX, JSON_LEVELS);
}

function isPrivate(name: unknown): boolean {
  if (typeof name !== 'string' || name.length > LONGEST_NAME || !MAY_NAME.test(name)) return false;
  return PRIVATE_NAMES.has(foldKey(normalizeHiddenText(name)).replaceAll(/_+/g, '_'));
}

function removeAt(value: unknown, depth: number, levels: number): unknown {
  if (typeof value === 'string') return removeFromString(value, levels);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (depth === 0) throw new RangeError('nested too deep to be redacted');
  return Array.isArray(value)
    ? removeFromList(value, depth, levels)
    : removeFromObject(value as Record<string, unknown>, depth, levels);
}

function removeFromList(list: readonly unknown[], depth: number, levels: number): unknown {
  const kept = list.filter((item) => !isPrivatePair(item));
  const items = kept.map((item) => removeAt(item, depth - 1, levels));
  const isSame = items.length === list.length && items.every((item, i) => item === list[i]);
  return isSame ? list : items;
}

/** Matches a member in list form: `["jwt_claims", …]` and `{"name": "jwt_claims", "value": …}`. */
function isPrivatePair(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 2 && isPrivate(item[0]);
  if (typeof item !== 'object' || item === null) return false;
  return NAMING_KEYS.some((key) => Object.hasOwn(item, key) && isPrivate(item[key as never]));
}

function removeFromObject(
  members: Record<string, unknown>,
  depth: number,
  levels: number,
): Record<string, unknown> {
  let isSame = true;
  const entries: [string, unknown][] = [];
  for (const [name, before] of Object.entries(members)) {
    const isRemoved = isPrivate(name);
    const after = isRemoved ? undefined : removeAt(before, depth - 1, levels);
    isSame &&= !isRemoved && after === before;
    if (!isRemoved) entries.push([name, after]);
  }
  return isSame ? members : Object.fromEntries(entries);
}

function removeFromString(text: string, levels: number): string {
  if (levels === 0 || !MAY_NAME.test(text)) return text;
  return (
    mapJsonText(text, (value) => removeAt(value, DEPTH_MAX, levels - 1)) ?? removeFromText(text)
  );
}

/**
 * A quoted name and its colon. The quote may be escaped, because JSON may be a string of other JSON; six levels of JSON
 * escape it by 63 backslashes. The look-behind keeps long runs of backslashes linear.
 */
const QUOTED_NAME = /(?<!\\)(\\{0,63})(["'])([\p{L}\p{N} _.-]{1,60})\1\2\s{0,20}:\s{0,20}/gu;

/** Removes private members from JSON within a text: the name, its value, and the comma that separates it. */
function removeFromText(text: string): string {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(QUOTED_NAME)) {
    const [whole, escapes = '', quote = '"', name] = match;
    if (match.index < from || !isPrivate(name)) continue;
    const end = endOfValue(text, match.index + whole.length, `${escapes}${quote}`);
    const before = text.slice(from, match.index);
    const comma = /^\s{0,20},\s{0,20}/.exec(text.slice(end, end + 50))?.[0];
    kept += comma === undefined ? before.replace(/,\s{0,20}$/, '') : before;
    from = end + (comma?.length ?? 0);
  }
  return from === 0 ? text : kept + text.slice(from);
}

const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);
/** Characters after a value that is not nested. */
const ENDING = new Set([...CLOSING, ',', '\n']);

/** Returns where the JSON value that begins at `start` ends; the end of the text where it was cut. */
function endOfValue(text: string, start: number, quote: string): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text[i] as string;
    if (text.startsWith(quote, i)) {
      i = endOfString(text, i + quote.length, quote) - 1;
      if (depth === 0) return i + 1;
      continue;
    }
    if (depth === 0 && ENDING.has(character)) return i;
    if (OPENING.has(character)) depth++;
    if (CLOSING.has(character) && --depth === 0) return i + 1;
  }
  return text.length;
}

/**
 * Returns the index after the closing quote. A quote within the string has more backslashes before it than the closing
 * quote.
 */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\') return at + quote.length;
  }
  return text.length;
}
