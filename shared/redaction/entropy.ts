// Recognizes credentials by entropy: random letters after a generic `token:` or `key:`, below `credentials`, and the
// secret of a pair whose id has a vendor prefix. Random text changes between lower case, upper case and digits more
// often than words and identifiers do. The scan is linear: each character is read once.
import { compilePattern } from './regular-expressions.ts';
import { REDACTED } from './rules.ts';

const NO_TOKENS =
  '(?:next|page|pagination|sync|continuation|cursor|resume|scroll|skip|stop|start|end|special|device|push|mask|pad|unknown|separator)';
const NO_KEYS =
  '(?:cache|object|primary|foreign|sort|partition|public|publishable|host|site|routing|row|message|idempotency|query|storage|map|dict|redis|s3|document|record)';
/** After a closing quote the name is a JSON key, where a generic `token` counts or belongs to a language model. */
const STATED = '(?:[ \\t]{0,4}[:=]|[ \\t]{1,4}(?:is|was)[ :])';
/** In a table, after an arrow, in brackets, or after a blank. */
const FOLLOWED = `(?:${STATED}>?|(?<=["'\`]token)["'\`],|[ \\t]{0,4}(?:->|→|\\||\\()|(?=[ \\t]))`;
const MARKS = '[ \\t*_`"\']{0,4}';
const TOKEN = `(?:token(?<=(?<![a-z0-9]|${NO_TOKENS}[ \\t_./-])token)|(?-i:PAT)(?<=(?<![a-z0-9_-])pat))[*_\`]{0,3}${FOLLOWED}`;
const KEY = `(?:key(?<=(?:primary|secondary)(?:[_-]?master)?[_-]?key(?=["']?[ \\t]{0,4}[:=][ \\t"']{0,4}[A-Za-z0-9+/]{43,128}={0,2}(?![A-Za-z0-9+/])))|key(?<=(?<![a-z0-9_./-]|${NO_KEYS}[ \\t])key)|auth(?<=(?<![a-z0-9_.-])auth)|credentials?(?<=(?<![a-z0-9])credentials?))[*_\`]{0,3}${STATED}`;
const STATED_VALUE = compilePattern(
  `((?:${TOKEN}|${KEY})${MARKS})([A-Za-z0-9_+/.~-]{20,})(={0,2})`,
  'gi',
);
/** The trigger of these rules, besides credential names; it begins with a punctuation character. */
export const ENTROPY_TRIGGER =
  '[:=](?<![=:].)(?<=(?:PAT|redentials?)[*_`]{0,3}[ \\t]{0,4}[:=]|[Aa]uth\\\\{0,8}["\']?\\s{0,4}[:=])';
const IS_KEY = /^[kca]/i;
/** Paths, addresses and names with separators outnumber keys with them. */
const SINGLE_WORD = /^[A-Za-z0-9_-]{20,}[.~]?$/;

/**
 * An id with a vendor prefix, and its secret beside it or on the next line: 40 base64 characters, or 32 hexadecimal
 * digits.
 */
const FIRST_HALF = '[REDACTED_API_KEY]';
const PAIR =
  /(\[REDACTED_API_KEY\]["']?(?:[ \t]{0,4}(?:[,:;|/]|\r?\n)[ \t]{0,4}|[ \t]{1,4}|\t[^\t\r\n]{1,30}\t)["']?)(?:(?=[a-z0-9/+]{0,40}[A-Z])(?=[A-Za-z/+]{0,40}[0-9])(?=[A-Z0-9/+]{0,40}[a-z])[A-Za-z0-9/+]{40}|(?=[a-f]{0,32}[0-9])[a-f0-9]{32})(?![A-Za-z0-9/+=])/g;

/** Links that authenticate their bearer. */
const LINK =
  /(\/(?:(?:reset|forgot)[_-]?password|password[_-]?reset|magic[_-]?link|invite|invitation)\/)([A-Za-z0-9_-]{20,})/gi;

/** Redacts values that only their context and their entropy identify as credentials. */
export function redactByEntropy(text: string): string {
  const out = text.replace(STATED_VALUE, (whole: string, name: string, value: string) => {
    const isCredential = IS_KEY.test(name)
      ? (SINGLE_WORD.test(value) || value.length >= 43) && isRandom(value)
      : isRandom(value) || isLongHex(value);
    return isCredential ? name + REDACTED + (/[.~]$/.exec(value)?.[0] ?? '') : whole;
  });
  const links = out.replace(LINK, (whole: string, path: string, value: string) =>
    isRandom(value) || isLongHex(value) ? path + REDACTED : whole,
  );
  return links.includes(FIRST_HALF) ? links.replace(PAIR, `$1${REDACTED}`) : links;
}

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

const isLongHex = (value: string) => /^(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{32,128}$/.test(value);

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
