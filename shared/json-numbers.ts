// Numbers that a double cannot hold: JSON.parse rounds 12345678901234567890 and makes 1e400 infinite, which is written as
// null. Here they keep what was written. Most texts hold none, and cost one search.

import { closingQuote } from './json-strings.ts';

declare global {
  /** Of Node 22 and newer; TypeScript's own library does not name them yet. */
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/** What could be one: behind a sign of structure, sixteen digits and more or an exponent of three. */
const SUSPECT = /[:[,]\s*-?[0-9](?:[0-9.]{15}|[0-9.]{0,14}[eE][+-]?[0-9]{3})/;

/** False where `JSON.parse` reads every number of the text as it was written. */
export function mayRound(text: string): boolean {
  return SUSPECT.test(text);
}

/**
 * A text that was found to be valid JSON, read by `parse`. What a double cannot hold is raw (`JSON.rawJSON`), so that
 * `JSON.stringify` writes it as it was; what is beyond its range is text, for many readers refuse such a number, and the
 * whole line with it. Nested as deep as a stack allows.
 */
export function parseKeeping(text: string, parse: (text: string) => unknown): unknown {
  // Nobody can send what begins like this.
  const mark = `\ue001${crypto.randomUUID()}`;
  const withMarks = marked(text, mark);
  return withMarks === text ? parse(text) : unmarked(parse(withMarks), mark);
}

/** No regular expressions from here on: numbers and strings of megabytes would exhaust their stack. */
const [QUOTE, MINUS, ZERO, NINE] = [0x22, 0x2d, 0x30, 0x39];
/** Shorter ones are read as they are: `1e400` is the shortest that is not. */
const SHORTEST = 5;
/** Each takes microseconds, and megabytes of them may be sent on purpose: what comes behind so many is read as ever. */
const KEPT_MAX = 20_000;

function marked(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length && parts.length < 2 * KEPT_MAX; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = closingQuote(text, at) + 1;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = endOfNumber(text, at);
      if (end - at >= SHORTEST && isRounded(text.slice(at, end))) {
        parts.push(text.slice(copied, at), `"${mark}${text.slice(at, end)}"`);
        copied = end;
      }
      at = end;
    } else {
      at++;
    }
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** Behind a number stands nothing that could be part of one. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < ZERO || unit > NINE) {
      if (!'.eE+-'.includes(text[at] as string)) break;
    }
  }
  return at;
}

function isRounded(number: string): boolean {
  const read = String(Number(number));
  if (read === number) return false;
  const isWhole = !/[.eE]/.test(number) && !read.includes('e');
  return isWhole || plain(read) !== plain(number);
}

/** The same for all spellings of one number, whatever its sign. */
function plain(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace('-', '').split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from++;
  while (to > from && digits[to - 1] === '0') to--;
  if (from === to) return '0';
  return `${digits.slice(from, to)}e${Number(exponent) + whole.length - from}`;
}

function unmarked(value: unknown, mark: string): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(mark)) return value;
    const number = value.slice(mark.length);
    return Number.isFinite(Number(number)) ? JSON.rawJSON(number) : number;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const after = unmarked(value[i], mark);
      if (after !== value[i]) value[i] = after;
    }
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const inner = members[name];
    const after = unmarked(inner, mark);
    if (after !== inner) members[name] = after;
  }
  return value;
}
