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

/** What stands for a number as it was written, and where it stands; of a text that is nothing else, in itself. */
export type Keep = (number: string, holder: Record<string, unknown>, name: string) => unknown;

/**
 * A text that was found to be valid JSON, read by `parse`. What a double cannot hold is what `keep` makes of it: raw
 * (`JSON.rawJSON`), so that `JSON.stringify` writes it as it was; what is beyond its range is text, for many readers
 * refuse such a number, and the whole line with it. Nested as deep as a stack allows.
 */
export function parseKeeping(
  text: string,
  parse: (text: string) => unknown,
  keep: Keep = rawOrText,
): unknown {
  // Nobody can send what begins like this.
  const mark = `\ue001${crypto.randomUUID()}`;
  const withMarks = marked(text, mark);
  if (withMarks === text) return parse(text);
  const root = { '': parse(withMarks) };
  unmark(root, '', mark, keep);
  return root[''];
}

/** Raw where a double could stand for it, text where none could. */
export function rawOrText(number: string): unknown {
  return Number.isFinite(Number(number)) ? JSON.rawJSON(number) : number;
}

/** No regular expressions from here on: numbers and strings of megabytes would exhaust their stack. */
const [QUOTE, MINUS, ZERO, NINE] = [0x22, 0x2d, 0x30, 0x39];
/** Shorter ones are read as they are: `1e400` is the shortest that is not. */
const SHORTEST = 5;
/** Fifteen digits are never rounded. */
const LONG = 16;
/** Each takes microseconds, and megabytes of them may be sent on purpose: what comes behind so many is read as ever. */
const KEPT_MAX = 20_000;
/** So many long ones are looked at, whether they are kept or not. */
const LOOKED_MAX = 100_000;

function marked(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  let looked = 0;
  for (let at = 0; at < text.length && parts.length < 2 * KEPT_MAX && looked < LOOKED_MAX; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const close = closingQuote(text, at);
      if (close === -1) break;
      at = close + 1;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = endOfNumber(text, at);
      if (end - at >= SHORTEST) {
        const number = text.slice(at, end);
        if (number.length >= LONG || /[eE]/.test(number)) {
          looked++;
          if (isRounded(number)) {
            parts.push(text.slice(copied, at), `"${mark}${number}"`);
            copied = end;
          }
        }
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

/** Whether two texts that read as one double are one number; what JSON would not take for one is read as it is. */
export function isSameNumber(one: string, other: string): boolean {
  const both = [one.trim(), other];
  if (!both.every((text) => /^-?\d+(\.\d+)?([eE][+-]?\d{1,15})?$/.test(text))) return true;
  const [a = '', b = ''] = both;
  return plain(a) === plain(b);
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

function unmark(holder: Record<string, unknown>, name: string, mark: string, keep: Keep): void {
  const value = holder[name];
  if (typeof value === 'string') {
    if (value.startsWith(mark)) holder[name] = keep(value.slice(mark.length), holder, name);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  // By index: names for all items of a large array would cost more than reading it did.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] !== 'number') unmark(members, String(i), mark, keep);
    }
    return;
  }
  for (const inner of Object.keys(members)) unmark(members, inner, mark, keep);
}
