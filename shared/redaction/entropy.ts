// Recognizes credentials by entropy. Random text changes between lower case, upper case and digits more often than words
// and identifiers do. The scan is linear: each character is read once.
import { REDACTED } from './rule.ts';

/** Blockchain addresses and SSH public keys are random and public. */
const PUBLIC = /^(?:0x[0-9a-fA-F]{40}$|AAAA[A-Z][0-9][NV])/;
const MIXED = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[A-Za-z0-9_+/.~=-]*$/;
const CHANGES_LEAST = 0.42;
/** Runs of letters that resemble words; in random text they are a sixth of the characters. */
const WORDS = /[A-Z]?[a-z]{3,}/g;
const WORDS_MOST = 0.4;

/**
 * Returns whether a value is random text. In random letters and digits six of ten neighbors differ in kind, in words
 * few do.
 */
export function isRandom(value: string): boolean {
  if (value.length < 20 || !MIXED.test(value) || PUBLIC.test(value)) return false;
  let changes = 0;
  let before = 0;
  for (let i = 0; i < value.length; i++) {
    const kind = kindOf(value.charCodeAt(i));
    if (kind !== 0 && before !== 0 && kind !== before) changes++;
    before = kind;
  }
  if (changes < CHANGES_LEAST * (value.length - 1)) return false;
  const ofWords = value.match(WORDS)?.reduce((sum, word) => sum + word.length, 0) ?? 0;
  return ofWords <= WORDS_MOST * value.length;
}

function kindOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return 1;
  if (unit >= 0x41 && unit <= 0x5a) return 2;
  return unit >= 0x30 && unit <= 0x39 ? 3 : 0;
}

/** Returns whether a value consists of 32 to 128 hexadecimal digits. */
export const isLongHex = (value: string): boolean =>
  /^(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{32,128}$/.test(value);

const LEVELS = 20;
/** Keys that name a credential only inside a `credentials` container. */
const CONTAINER_KEYS = new Set([
  'token',
  'key',
  'value',
  'data',
  'auth',
  'hash',
  'code',
  'pin',
  'pat',
]);
const LOOKS_SECRET = /^(?=\S{6,1000}$)(?:\S*?[0-9]|\S*?[a-z][A-Z]|\S{16})/;
/** Words, and values that already contain a placeholder. */
const IS_FINE = /^[a-z]{1,40}(?:[_-][a-z]{1,40}){0,8}$|\[REDACTED/i;

/**
 * Redacts the members of a `credentials` container, in which generic names contain credentials. Returns the same value
 * if nothing changed.
 */
export function redactContainer(value: unknown, name = '', levels = LEVELS): unknown {
  if (typeof value === 'string') {
    const isCredential =
      CONTAINER_KEYS.has(name) && LOOKS_SECRET.test(value) && !IS_FINE.test(value);
    return isCredential || isRandom(value) ? REDACTED : value;
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || levels === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    const after = value.map((item) => redactContainer(item, '', levels - 1));
    return after.every((item, i) => item === value[i]) ? value : after;
  }
  const members = Object.entries(value);
  const after = members.map(([key, member]): [string, unknown] => [
    key,
    redactContainer(member, key.toLowerCase(), levels - 1),
  ]);
  return after.every(([, member], i) => member === members[i]?.[1])
    ? value
    : Object.fromEntries(after);
}
