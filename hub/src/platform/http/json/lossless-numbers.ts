// Lossless numbers: numbers beyond the precision of a double pass through unchanged. Readers of a value see doubles; the
// serializer writes the original digits. The digits are stored beside the numbers under a symbol, which object spread
// copies and enumeration ignores.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { mayRound, parseKeeping, rawOrText } from '@gatewarden/shared/json-numbers.ts';

const DIGITS = Symbol('digits');

type Container = Record<string, unknown> & { [DIGITS]?: Record<string, string> };

/** Parses JSON like `parseExactly`, and stores the digits of numbers that a double would round. Throws SyntaxError. */
export function parseLossless(text: string): unknown {
  // The plain parse is needed in any case: it rejects text that is no JSON.
  const value = parseExactly(text);
  if (!mayRound(text)) return value;
  return parseKeeping(text, parseExactly, (number, into, name) => {
    const container = into as Container;
    container[DIGITS] ??= Object.create(null) as Record<string, string>;
    container[DIGITS][name] = number;
    return Number(number);
  });
}

/** Serializes like `JSON.stringify`, with the original digits of every number that was not replaced. */
export function stringifyLossless(value: unknown): string {
  return JSON.stringify(hasLosslessNumbers(value) ? withDigits(value, JSON.rawJSON) : value);
}

/** Returns a copy with raw numbers, as logs and redaction expect them, or the value itself without lossless numbers. */
export function withRawNumbers(value: unknown): unknown {
  return hasLosslessNumbers(value) ? withDigits(value, rawOrText) : value;
}

/** Returns a copy with texts for lossless numbers: a browser that displays them would round numbers. */
export function withTextNumbers(value: unknown): unknown {
  return hasLosslessNumbers(value) ? withDigits(value, (digits) => digits) : value;
}

/** Returns the original digits of a member's number. */
export function exactDigits(container: object, name: string, number: number): string {
  const digits = (container as Container)[DIGITS]?.[name];
  return digits !== undefined && Object.is(Number(digits), number) ? digits : String(number);
}

/** Attaches the digits of `original` to `copy`, whose members have the same names, or the names that `renamed` returns. */
export function copyDigits<T extends object>(
  original: object,
  copy: T,
  renamed: (name: string) => string = (name) => name,
): T {
  const digits = (original as Container)[DIGITS];
  if (digits === undefined) return copy;
  const entries = Object.entries(digits).map(([name, text]) => [renamed(name), text]);
  return Object.assign(copy, { [DIGITS]: Object.fromEntries(entries) });
}

/** Counts the stored digits of an object or array, without its nested values. */
export function countDigits(container: object): number {
  const digits = (container as Container)[DIGITS];
  return digits === undefined
    ? 0
    : Object.values(digits).reduce((sum, text) => sum + text.length, 0);
}

/**
 * Returns two copies in which each lossless number is the next double above and below it, or an empty array without such
 * numbers. A constraint that is true for the value and for both copies is true for the exact number.
 */
export function neighboringDoubles(value: unknown): unknown[] {
  if (!hasLosslessNumbers(value)) return [];
  return [1, -1].map((direction) =>
    withDigits(value, (digits) => nextDouble(Number(digits), direction)),
  );
}

const bits = new DataView(new ArrayBuffer(8));

function nextDouble(number: number, direction: number): number {
  if (number === 0) return direction * Number.MIN_VALUE;
  if (!Number.isFinite(number)) {
    return Math.sign(number) === direction ? number : direction * -Number.MAX_VALUE;
  }
  bits.setFloat64(0, number);
  const away = Math.sign(number) === direction ? 1n : -1n;
  bits.setBigUint64(0, bits.getBigUint64(0) + away);
  return bits.getFloat64(0);
}

/** Returns whether a value contains a lossless number at any depth. */
export function hasLosslessNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (DIGITS in value) return true;
  // Iteration by index and by values: entries of a large value would cost as much as serializing it.
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'object' && item !== null && hasLosslessNumbers(item)) return true;
  }
  return false;
}

function withDigits(value: unknown, format: (digits: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Container;
  const digitsByName = container[DIGITS];
  const formatMember = (name: string, item: unknown) => {
    if (typeof item !== 'number') return withDigits(item, format);
    const digits = digitsByName?.[name];
    return digits !== undefined && Object.is(Number(digits), item) ? format(digits) : item;
  };
  if (Array.isArray(value)) return value.map((item, i) => formatMember(String(i), item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, formatMember(name, item)]),
  );
}
