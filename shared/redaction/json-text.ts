// Maps the value of a text that is JSON, without losing repeated keys or digits of long numbers.
import { parseExactly } from '../json-keys.ts';
import { mayRound, parseKeeping } from '../json-numbers.ts';

const MAYBE_JSON = /^\s*(?:[{[]|"[^"])/;
const CLOSING: Record<string, string> = { '{': '}', '[': ']', '"': '"' };

/**
 * Returns a JSON text with its value mapped, compactly; the same text if nothing changed. Returns null for a text that is
 * no JSON object, list or string, and for a value whose mapping throws a RangeError because it is too deep.
 */
export function mapJsonText(text: string, map: (value: unknown) => unknown): string | null {
  const parsed = parse(text);
  if (parsed === undefined) return null;
  try {
    const after = map(parsed);
    if (after === parsed) return text;
    return JSON.stringify(mayRound(text) ? map(parseKeeping(text, parseExactly)) : after);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** Returns undefined for a text that is not JSON; the last character excludes most of these cheaply. */
function parse(text: string): unknown {
  if (!MAYBE_JSON.test(text)) return undefined;
  const trimmed = text.trim();
  if (trimmed.at(-1) !== CLOSING[trimmed[0] ?? '']) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
