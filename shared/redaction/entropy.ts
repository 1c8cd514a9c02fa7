// What has no name of its own and still is a credential: random letters behind a bare `token:` or `key:`, below `credentials`,
// and the second half of a pair whose first half names itself. Random is what changes between small letters, capitals and
// digits as often as no word and no name of code does. Linear: each letter is read once.
import { regExpOf } from './patterns.ts';
import { REDACTED } from './rules.ts';

const NO_TOKENS =
  '(?:next|page|pagination|sync|continuation|cursor|resume|scroll|skip|stop|start|end|special|device|push|mask|pad|unknown|separator)';
const NO_KEYS =
  '(?:cache|object|primary|foreign|sort|partition|public|publishable|host|site|routing|row|message|idempotency|query|storage|map|dict|redis|s3|document|record)';
/** Behind a closing quote it is a member of JSON, where a bare `token` counts or is a word of a model's. */
const STATED = '(?:[ \\t]{0,4}[:=]|[ \\t]{1,4}(?:is|was)[ :])';
/** In a table, behind an arrow, in brackets, or only behind a blank. */
const FOLLOWED = `(?:${STATED}>?|(?<=["'\`]token)["'\`],|[ \\t]{0,4}(?:->|→|\\||\\()|(?=[ \\t]))`;
const MARKS = '[ \\t*_`"\']{0,4}';
const TOKEN = `(?:token(?<=(?<![a-z0-9]|${NO_TOKENS}[ \\t_./-])token)|(?-i:PAT)(?<=(?<![a-z0-9_-])pat))[*_\`]{0,3}${FOLLOWED}`;
const KEY = `(?:key(?<=(?:primary|secondary)(?:[_-]?master)?[_-]?key(?=["']?[ \\t]{0,4}[:=][ \\t"']{0,4}[A-Za-z0-9+/]{43,128}={0,2}(?![A-Za-z0-9+/])))|key(?<=(?<![a-z0-9_./-]|${NO_KEYS}[ \\t])key)|auth(?<=(?<![a-z0-9_.-])auth)|credentials?(?<=(?<![a-z0-9])credentials?))[*_\`]{0,3}${STATED}`;
const STATED_VALUE = regExpOf(
  `((?:${TOKEN}|${KEY})${MARKS})([A-Za-z0-9_+/.~-]{20,})(={0,2})`,
  'gi',
);
/** What a text must hold for the rule to be tried, beside the names of credentials. */
export const BARE_TRIGGER =
  '[:=](?<![=:].)(?<=(?:PAT|redentials?)[*_`]{0,3}[ \\t]{0,4}[:=]|[Aa]uth\\\\{0,8}["\']?\\s{0,4}[:=])';
const IS_KEY = /^[kca]/i;
/** Of a path, an address or a name with parts there are more than of keys. */
const ONE_WORD = /^[A-Za-z0-9_-]{20,}[.~]?$/;

/** An id that named itself, and its secret beside it or on the next line: 40 letters of base64, or 32 of hex. */
const FIRST_HALF = '[REDACTED_API_KEY]';
const PAIR =
  /(\[REDACTED_API_KEY\]["']?(?:[ \t]{0,4}(?:[,:;|/]|\r?\n)[ \t]{0,4}|[ \t]{1,4}|\t[^\t\r\n]{1,30}\t)["']?)(?:(?=[a-z0-9/+]{0,40}[A-Z])(?=[A-Za-z/+]{0,40}[0-9])(?=[A-Z0-9/+]{0,40}[a-z])[A-Za-z0-9/+]{40}|(?=[a-f]{0,32}[0-9])[a-f0-9]{32})(?![A-Za-z0-9/+=])/g;

/** A link that lets in whoever has it. */
const LINK =
  /(\/(?:(?:reset|forgot)[_-]?password|password[_-]?reset|magic[_-]?link|invite|invitation)\/)([A-Za-z0-9_-]{20,})/gi;

/** The text without what only its name's neighbourhood makes a credential. */
export function withoutBare(text: string): string {
  const out = text.replace(STATED_VALUE, (whole: string, name: string, value: string) => {
    const isCredential = IS_KEY.test(name)
      ? (ONE_WORD.test(value) || value.length >= 43) && isRandom(value)
      : isRandom(value) || isLongHex(value);
    return isCredential ? name + REDACTED + (/[.~]$/.exec(value)?.[0] ?? '') : whole;
  });
  const links = out.replace(LINK, (whole: string, path: string, value: string) =>
    isRandom(value) || isLongHex(value) ? path + REDACTED : whole,
  );
  return links.includes(FIRST_HALF) ? links.replace(PAIR, `$1${REDACTED}`) : links;
}

/** Addresses of a ledger, and public keys of SSH. */
const PUBLIC = /^(?:0x[0-9a-fA-F]{40}$|AAAA[A-Z][0-9][NV])/;
const MIXED = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[A-Za-z0-9_+/.~=-]*$/;
const CHANGES_LEAST = 0.42;
/** What could be a word of a name; of random letters a sixth is so. */
const WORDS = /[A-Z]?[a-z]{3,}/g;
const WORDS_MOST = 0.4;

/** Of random letters and digits six in ten stand beside one of another kind, and few in anything like a word. */
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
/** Keys that say nothing anywhere else. */
const HOLDERS = new Set(['token', 'key', 'value', 'data', 'auth', 'hash', 'code', 'pin', 'pat']);
const LOOKS_SECRET = /^(?=\S{6,1000}$)(?:\S*?[0-9]|\S*?[a-z][A-Z]|\S{16})/;
/** Words, and what holds a placeholder already. */
const IS_FINE = /^[a-z]{1,40}(?:[_-][a-z]{1,40}){0,8}$|\[REDACTED/i;

/** What stands below `credentials`: names that say nothing elsewhere hold a credential there. The same where there is none. */
export function withoutHeld(value: unknown, name = '', levels = LEVELS): unknown {
  if (typeof value === 'string') {
    const isHeld = HOLDERS.has(name) && LOOKS_SECRET.test(value) && !IS_FINE.test(value);
    return isHeld || isRandom(value) ? REDACTED : value;
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || levels === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    const after = value.map((one) => withoutHeld(one, '', levels - 1));
    return after.every((one, i) => one === value[i]) ? value : after;
  }
  const members = Object.entries(value);
  const after = members.map(([key, one]): [string, unknown] => [
    key,
    withoutHeld(one, key.toLowerCase(), levels - 1),
  ]);
  return after.every(([, one], i) => one === members[i]?.[1]) ? value : Object.fromEntries(after);
}
