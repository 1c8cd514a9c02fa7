// Preserves numbers that exceed a double: `JSON.parse` rounds 12345678901234567890, and reads 1e400 as infinity, which
// is serialized as null. A single search excludes most texts.

import { closingQuote } from './json-strings.ts';

declare global {
  /** Available from Node 22; TypeScript's own library does not declare these methods yet. */
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/**
 * Matches candidates: after a structural character, at least sixteen digits, or an exponent of at least three digits.
 */
const SUSPECT = /[:[,]\s*-?[0-9](?:[0-9.]{15}|[0-9.]{0,14}[eE][+-]?[0-9]{3})/;

/** Returns false if `JSON.parse` reads every number of the text exactly as written. */
export function mayRound(text: string): boolean {
  return SUSPECT.test(text);
}

/**
 * Returns the replacement of a number. `number` is its text, `parent[name]` its location; a text that is only a number
 * has the name ''.
 */
export type Keep = (number: string, parent: Record<string, unknown>, name: string) => unknown;

/**
 * Parses a valid JSON text with `parse` and replaces every number that a double cannot represent by the result of
 * `keep`. The default is a raw value (`JSON.rawJSON`), which `JSON.stringify` writes unchanged; a number beyond the
 * range of a double becomes a text, because many readers refuse the whole line with it. The nesting depth is limited by
 * the stack.
 */
export function parseKeeping(
  text: string,
  parse: (text: string) => unknown,
  keep: Keep = rawOrText,
): unknown {
  // The random mark is unpredictable for senders.
  const mark = `\ue001${crypto.randomUUID()}`;
  const withMarks = insertMarks(text, mark);
  if (withMarks === text) return parse(text);
  const root = { '': parse(withMarks) };
  replaceMarks(root, '', mark, keep);
  return root[''];
}

/** Returns a raw value for a number within the range of a double, and a text for any other number. */
export function rawOrText(number: string): unknown {
  return Number.isFinite(Number(number)) ? JSON.rawJSON(number) : number;
}

/** The scanner avoids regular expressions, because numbers and strings of megabytes would exhaust their stack. */
const [QUOTE, MINUS, ZERO, NINE] = [0x22, 0x2d, 0x30, 0x39];
/** The length of `1e400`, the shortest number that a double cannot represent. */
const SHORTEST = 5;
/** A double represents every number of fifteen digits. */
const LONG = 16;
/**
 * The maximum number of preserved numbers. Each takes microseconds, and a hostile text may contain megabytes of them;
 * further numbers are parsed normally.
 */
const KEPT_MAX = 20_000;
/** The maximum number of examined candidates, preserved or not. */
const EXAMINED_MAX = 100_000;

function insertMarks(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  let examined = 0;
  for (let at = 0; at < text.length && parts.length < 2 * KEPT_MAX && examined < EXAMINED_MAX; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const close = closingQuote(text, at);
      if (close === -1) break;
      at = close + 1;
      continue;
    }
    if (!beginsNumber(unit)) {
      at++;
      continue;
    }
    const end = endOfNumber(text, at);
    const number = text.slice(at, end);
    if (isCandidate(number)) {
      examined++;
      if (isRounded(number)) {
        parts.push(text.slice(copied, at), `"${mark}${number}"`);
        copied = end;
      }
    }
    at = end;
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

const beginsNumber = (unit: number): boolean => unit === MINUS || (unit >= ZERO && unit <= NINE);

const isCandidate = (number: string): boolean =>
  number.length >= SHORTEST && (number.length >= LONG || /[eE]/.test(number));

/** Returns the index after the number; valid JSON has no character of a number directly after it. */
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
  return isWhole || normalize(read) !== normalize(number);
}

/**
 * Returns whether two texts that parse to the same double are the same number. Texts that are not JSON numbers count as
 * the same.
 */
export function isSameNumber(first: string, second: string): boolean {
  const both = [first.trim(), second];
  if (!both.every((text) => /^-?\d+(\.\d+)?([eE][+-]?\d{1,15})?$/.test(text))) return true;
  const [a = '', b = ''] = both;
  return normalize(a) === normalize(b);
}

/** Returns a normal form that is equal for all spellings of a number, regardless of its sign. */
function normalize(number: string): string {
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

function replaceMarks(
  parent: Record<string, unknown>,
  name: string,
  mark: string,
  keep: Keep,
): void {
  const value = parent[name];
  if (typeof value === 'string') {
    if (value.startsWith(mark)) parent[name] = keep(value.slice(mark.length), parent, name);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  // An indexed loop avoids the key list of a large array, which would cost more than parsing it.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] !== 'number') replaceMarks(members, String(i), mark, keep);
    }
    return;
  }
  for (const inner of Object.keys(members)) replaceMarks(members, inner, mark, keep);
}
