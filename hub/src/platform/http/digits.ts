// Numbers that a double cannot hold, on their way through: whoever reads a value meets doubles, and what is written
// again has the digits that came. They lie beside the numbers under a symbol, which copies of an object take along and
// nobody else sees.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { mayRound, parseKeeping, rawOrText } from '@gatewarden/shared/json-numbers.ts';

const DIGITS = Symbol('digits');

type Holder = Record<string, unknown> & { [DIGITS]?: Record<string, string> };

/** As `parseExactly`. */
export function parseLossless(text: string): unknown {
  // Also where it is read once more: that it is JSON at all is only known then.
  const value = parseExactly(text);
  if (!mayRound(text)) return value;
  return parseKeeping(text, parseExactly, (number, into, name) => {
    const holder = into as Holder;
    holder[DIGITS] ??= Object.create(null) as Record<string, string>;
    holder[DIGITS][name] = number;
    return Number(number);
  });
}

/** As `JSON.stringify`, every number that was not replaced since with the digits that came. */
export function stringifyLossless(value: unknown): string {
  return JSON.stringify(holdsDigits(value) ? withDigits(value, JSON.rawJSON) : value);
}

/** A copy where there are such numbers: with raw ones, as logs and redaction know them. */
export function withRawNumbers(value: unknown): unknown {
  return holdsDigits(value) ? withDigits(value, rawOrText) : value;
}

/** The same with texts, for people: what shows it to them reads numbers as doubles. */
export function withTextNumbers(value: unknown): unknown {
  return holdsDigits(value) ? withDigits(value, (digits) => digits) : value;
}

/** The digits of a number where it stands, as they came. */
export function digitsAt(holder: object, name: string, number: number): string {
  const digits = (holder as Holder)[DIGITS]?.[name];
  return digits !== undefined && Object.is(Number(digits), number) ? digits : String(number);
}

/** `copy`, whose numbers stand where they stood in `original`, with their digits. `renamed`: what stands under other names. */
export function digitsFrom<T extends object>(
  original: object,
  copy: T,
  renamed: (name: string) => string = (name) => name,
): T {
  const digits = (original as Holder)[DIGITS];
  if (digits === undefined) return copy;
  const all = Object.entries(digits).map(([name, one]) => [renamed(name), one]);
  return Object.assign(copy, { [DIGITS]: Object.fromEntries(all) });
}

/** How many digits lie beside the numbers of this one object or list. */
export function digitsIn(holder: object): number {
  const digits = (holder as Holder)[DIGITS];
  return digits === undefined ? 0 : Object.values(digits).reduce((sum, one) => sum + one.length, 0);
}

/**
 * Two copies in which each such number is the next double above it, and below. What holds for the value and both holds
 * for the number between them, as far as anything that reads doubles can tell. None where there are no such numbers.
 */
export function neighbours(value: unknown): unknown[] {
  if (!holdsDigits(value)) return [];
  return [1, -1].map((way) => withDigits(value, (digits) => next(Number(digits), way)));
}

const bits = new DataView(new ArrayBuffer(8));

function next(number: number, way: number): number {
  if (number === 0) return way * Number.MIN_VALUE;
  if (!Number.isFinite(number)) {
    return Math.sign(number) === way ? number : way * -Number.MAX_VALUE;
  }
  bits.setFloat64(0, number);
  const away = Math.sign(number) === way ? 1n : -1n;
  bits.setBigUint64(0, bits.getBigUint64(0) + away);
  return bits.getFloat64(0);
}

/** Whether any number of it has more digits than a double. */
export function holdsDigits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (DIGITS in value) return true;
  // By index and by values: pairs of a large answer would cost as much as writing it.
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'object' && item !== null && holdsDigits(item)) return true;
  }
  return false;
}

function withDigits(value: unknown, form: (digits: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const holder = value as Holder;
  const known = holder[DIGITS];
  const formed = (name: string, item: unknown) => {
    if (typeof item !== 'number') return withDigits(item, form);
    const digits = known?.[name];
    return digits !== undefined && Object.is(Number(digits), item) ? form(digits) : item;
  };
  if (Array.isArray(value)) return value.map((item, i) => formed(String(i), item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, formed(name, item)]),
  );
}
