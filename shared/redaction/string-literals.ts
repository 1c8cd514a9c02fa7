// Finds string literals within a text, such as `answer: {"log": "line one\nDB_PASSWORD=…"}`, also in single quotes
// (Python, JavaScript) or truncated. Escapes are decoded; each character is read once per level.

const HEX = /^[0-9A-Fa-f]+$/;
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };
/** A string may begin after these characters. */
const BEFORE = new Set([...'{[(,:= \t'].map((sign) => sign.charCodeAt(0)));
const BACKSLASH = 0x5c;
/** Rules for the beginning or the end of a text need a separator; a word has none. */
const SEPARATOR = /[:=：]/;
const SEPARATOR_LENGTH_MIN = 16;
/** An escape sequence that the end of the text truncates. */
const CUT_ESCAPE = /\\(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?)?$/;

/** Maps every string literal longer than a word with `shown`. Returns the same text if none changed. */
export function mapStringLiterals(text: string, shown: (content: string) => string): string {
  if (text.length < SEPARATOR_LENGTH_MIN || (!text.includes('"') && !text.includes('\\')))
    return text;
  let out = '';
  let copied = 0;
  let before = 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit !== 0x22 && unit !== 0x27) || !BEFORE.has(before)) {
      before = unit;
      continue;
    }
    const { end, hasEscapes } = endOf(text, i, unit);
    // In prose a single quote is an apostrophe.
    if (end === text.length && unit === 0x27) continue;
    const written = text.slice(i + 1, end);
    const after = mapLiteral(written, unit, hasEscapes, shown);
    if (after !== null) {
      out += text.slice(copied, i + 1) + after;
      copied = end;
    }
    i = end;
    before = unit;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Returns the encoded result of `shown`; returns null for a plain word, and if nothing changed. */
function mapLiteral(
  written: string,
  quote: number,
  hasEscapes: boolean,
  shown: (content: string) => string,
): string | null {
  const isPlainText =
    quote === 0x22 && written.length >= SEPARATOR_LENGTH_MIN && SEPARATOR.test(written);
  if (!hasEscapes && !isPlainText) return null;
  const content = hasEscapes ? decodeEscapes(written) : written;
  const after = shown(content);
  return after === content ? null : encodeEscapes(after, quote);
}

/** Returns the index at which a single-line string closes; a truncated string ends with the text. */
function endOf(text: string, from: number, quote: number): { end: number; hasEscapes: boolean } {
  let hasEscapes = false;
  for (let i = from + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BACKSLASH) {
      hasEscapes = true;
      i++;
    } else if (unit === quote) return { end: i, hasEscapes };
    else if (unit === 0x0a) return { end: i, hasEscapes: false };
  }
  return { end: text.length, hasEscapes };
}

/**
 * Decodes escapes by searching for backslashes: a callback for each of a hundred thousand matches takes three times as
 * long.
 */
function decodeEscapes(content: string): string {
  const whole = content.replace(CUT_ESCAPE, '');
  let out = '';
  let copied = 0;
  for (let at = whole.indexOf('\\'); at !== -1; at = whole.indexOf('\\', copied)) {
    const sign = whole[at + 1] ?? '';
    const digits = sign === 'u' ? 4 : sign === 'x' ? 2 : 0;
    const code = digits === 0 ? '' : whole.slice(at + 2, at + 2 + digits);
    const isCode = digits !== 0 && code.length === digits && HEX.test(code);
    out += whole.slice(copied, at);
    out += isCode ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[sign] ?? sign);
    copied = at + (isCode ? 2 + digits : 1 + sign.length);
  }
  return out + whole.slice(copied);
}

function encodeEscapes(content: string, quote: number): string {
  const inside = JSON.stringify(content).slice(1, -1);
  return quote === 0x22 ? inside : inside.replaceAll('\\"', '"').replaceAll("'", "\\'");
}
