// Rules for random values after a generic name, `token: …` and `key: …`, and beside an id with a vendor prefix. Every
// change raises REDACTION_VERSION in `rule.ts`.
import { isLongHex, isRandom } from './entropy.ts';
import type { Rule } from './rule.ts';

const NO_TOKENS =
  '(?<![a-z0-9])(?:next|page|pagination|sync|continuation|cursor|resume|scroll|skip|stop|start|end|special|device|push|mask|pad|unknown|separator)';
const NO_KEYS =
  '(?<![a-z0-9])(?:cache|object|primary|foreign|sort|partition|public|publishable|host|site|routing|row|message|idempotency|query|storage|map|dict|redis|s3|document|record)';
/** After a closing quote the name is a JSON key, where a generic `token` counts or belongs to a language model. */
const STATED = '(?:[ \\t]{0,4}[:=]|[ \\t]{1,4}(?:is|was)[ :])';
/** In a table, after an arrow, in brackets, or after a blank. */
const FOLLOWED = `(?:${STATED}>?|(?<=["'\`]token)["'\`],|[ \\t]{0,4}(?:->|→|\\||\\()|(?=[ \\t]))`;
const MARKS = '[ \\t*_`"\']{0,4}';
/** A dot at the end belongs to the sentence. */
const VALUE = '[A-Za-z0-9_+/.~-]{19,}[A-Za-z0-9_+/-]={0,2}';

/** Paths, addresses and names with separators outnumber keys with them. */
const isKey = (value: string) =>
  (/^[A-Za-z0-9_-]{20,}$/.test(value) || value.length >= 43) && isRandom(value);

export const ENTROPY_RULES: readonly Rule[] = [
  {
    id: 'random token',
    keywords: ['token', 'secret', 'pat'],
    pattern: `((?:token(?<=(?<![a-z0-9]|${NO_TOKENS}[ \\t_./-])token)|secret(?<=(?<![a-z0-9])secret)|(?-i:PAT)(?<=(?<![a-z0-9_-])pat))[*_\`]{0,3}${FOLLOWED}${MARKS})${VALUE}`,
    ignoresCase: true,
    accepts: (value) => isRandom(value) || isLongHex(value),
  },
  {
    id: 'random key',
    keywords: ['key', 'auth', 'credential'],
    pattern: `((?:key(?<=(?:primary|secondary)(?:[_-]?master)?[_-]?key(?=["']?[ \\t]{0,4}[:=][ \\t"']{0,4}[A-Za-z0-9+/]{43,128}={0,2}(?![A-Za-z0-9+/])))|key(?<=(?<![a-z0-9_./-]|${NO_KEYS}[ \\t])key)|auth(?<=(?<![a-z0-9_.-])auth)|credentials?(?<=(?<![a-z0-9])credentials?))[*_\`]{0,3}${STATED}${MARKS})${VALUE}`,
    ignoresCase: true,
    accepts: isKey,
  },
  {
    // An id with a vendor prefix, and its secret beside it or on the next line: 40 base64 characters, or 32 hexadecimal
    // digits.
    id: 'secret beside its id',
    keywords: ['akia', 'asia', 'ac', 'sk'],
    pattern: `((?<![A-Za-z0-9])(?:A[KS]IA[A-Z0-9]{16}|(?:AC|SK)[a-f0-9]{32})["']?(?:[ \\t]{0,4}(?:[,:;|/]|\\r?\\n)[ \\t]{0,4}|[ \\t]{1,4}|\\t[^\\t\\r\\n]{1,30}\\t)["']?)(?:(?=[a-z0-9/+]{0,40}[A-Z])(?=[A-Za-z/+]{0,40}[0-9])(?=[A-Z0-9/+]{0,40}[a-z])[A-Za-z0-9/+]{40}|(?=[a-f]{0,32}[0-9])[a-f0-9]{32})(?![A-Za-z0-9/+=])`,
  },
];
