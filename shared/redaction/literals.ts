// Strings in the middle of a text: `answer: {"log": "line one\nDB_PASSWORD=…"}`, Python's and JavaScript's in single quotes too,
// and one that was cut. What is escaped is read as it is meant, each letter once for each level.

const HEX = /^[0-9A-Fa-f]+$/;
const MEANT: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };
/** Behind these a string may begin. */
const BEFORE = new Set([...'{[(,:= \t'].map((sign) => sign.charCodeAt(0)));
const BACKSLASH = 0x5c;
/** What a rule may need the beginning or the end of a text for; a word needs neither. */
const STATES = /[:=：]/;
const STATES_LEAST = 16;
/** An escape that the end of the text cut. */
const CUT_ESCAPE = /\\(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?)?$/;

/** The text with `shown` of each string that says more than a word; the same text where none of them changed. */
export function withLiterals(text: string, shown: (content: string) => string): string {
  if (text.length < STATES_LEAST || (!text.includes('"') && !text.includes('\\'))) return text;
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
    const said = text.slice(i + 1, end);
    if (hasEscapes || (unit === 0x22 && said.length >= STATES_LEAST && STATES.test(said))) {
      const content = hasEscapes ? meant(said) : said;
      const after = shown(content);
      if (after !== content) {
        out += text.slice(copied, i + 1) + escaped(after, unit);
        copied = end;
      }
    }
    i = end;
    before = unit;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Where a string of one line closes that opens at `from`; a text that ends first was cut. */
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

/** Found by their backslashes: a function for each of a hundred thousand matches takes three times as long. */
function meant(content: string): string {
  const whole = content.replace(CUT_ESCAPE, '');
  let out = '';
  let copied = 0;
  for (let at = whole.indexOf('\\'); at !== -1; at = whole.indexOf('\\', copied)) {
    const sign = whole[at + 1] ?? '';
    const digits = sign === 'u' ? 4 : sign === 'x' ? 2 : 0;
    const code = digits === 0 ? '' : whole.slice(at + 2, at + 2 + digits);
    const isCode = digits !== 0 && code.length === digits && HEX.test(code);
    out += whole.slice(copied, at);
    out += isCode ? String.fromCharCode(Number.parseInt(code, 16)) : (MEANT[sign] ?? sign);
    copied = at + (isCode ? 2 + digits : 1 + sign.length);
  }
  return out + whole.slice(copied);
}

function escaped(content: string, quote: number): string {
  const inside = JSON.stringify(content).slice(1, -1);
  return quote === 0x22 ? inside : inside.replaceAll('\\"', '"').replaceAll("'", "\\'");
}
