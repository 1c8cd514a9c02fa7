// Rules for passwords in sentences and on lines of their own: `the password is …`, `Password: swordfish`. Every change
// raises REDACTION_VERSION in `rule.ts`.
import { DESCRIPTIONS } from './credential-words.ts';
import { compilePattern } from './regular-expressions.ts';
import { DIGIT, type Rule, VALUE } from './rule.ts';

/** Words that describe a password. */
const ADJECTIVES =
  '(?:wrong|incorrect|correct|invalid|valid|expired?|required?|optional|empty|missing|long|short|safe|secure|insecure|gone|lost|bad|good|strong|weak|simple|complex|hard|easy|broken|not|too|very|so|the|an|on|in|at|still|no|being|my|your|our|his|her|what|how|where|when|why|written|known|unknown|public|private|old|new|right|fine|okay|unique|different|same|unsafe|there|here|important|personal|confidential|secret|sensitive|visible|hidden|case|used|only|never|always|also|now|already|just|both|either|about|that|this|it|one|all|sent|set|shown|kept|to|by|for|from|of|up|out|ready|weird|stupid|null|none|unset|default|blank|plain|random|sound|mandatory|necessary|compulsory|temporary|alphanumeric|numeric|identical|obsolete|stale|fresh|text|plaintext|english|yesterday|static|dynamic|falsch|richtig|sicher|nicht|sehr|zu|abgelaufen|ung\\u00fcltig|lang|kurz|leer|erforderlich|schwach|stark|noch|mindestens|vergessen|geheim|bereits|leider|jetzt|das|der|die|ein|eine|im|hier|gleich|anders|bekannt|weg)';
/** Words on a form: buttons, links and hints beside the field. */
const FORM_WORDS =
  'change|reset|login|logon|show|hide|edit|copy|forgot|confirm|enter|create|update|manage|submit|save|cancel|choose|type|retype|repeat|please|policy|field|input|keychain|vault|sso|ldap|oauth|kerberos|pass|same|next|continue|length|minimum|strength|success|error|failure|match|matches|mismatch|present|exists|wiki|see|ask|contact|rotate|prompt|stdin|file|env|n\u00e4chste|\u00e4ndern|anzeigen|vergessen|zur\u00fccksetzen|eingeben|oubli\u00e9|requis|obligatoire|incorrecto|requerido|obligatorio|olvidada|esquecida|obrigat\u00f3ria';
const DESCRIPTION = compilePattern(
  `^(?:${ADJECTIVES}|${DESCRIPTIONS.join('|')}|${FORM_WORDS}|.*(?:ed|ing|able|ible|less|ful|ive|ly|ous|ert|bar|lich|word|wort|phrase))$`,
);

/** Prose words that nearly every sentence contains and no generated phrase does. */
const FILLERS =
  /^(?:and|or|for|you|your|are|from|must|should|which|has|have|was|were|with|its|but|the|them|they|these|this|that|will|words?|characters?|letters?|than|more|least|not|never|always|choose|use|enter|keep|please|then|here|what|when|where|how|can|cannot|may|only)$/;

const LETTER = '(?=[^\\sa-z]{0,64}[a-z])';
/** The value of `the password is value`: words of prose have no digit, and no hyphen after them. */
const WORD_VALUE = `${DIGIT}${LETTER}[a-z0-9!@#$%^&*_.+=?]{6,}(?![a-z0-9(-])`;
const PLAIN = '[a-z\u00df-\u00ff]';
const LINE_START =
  '(?:^|[\\r\\n]|\\\\n)[ \\t]{0,8}(?:[-*\u2022] )?(?:(?:[Tt]he|[Mm]y|[Yy]our|[Oo]ur|[Nn]ew|[Rr]oot|[Aa]dmin|[Ww]i-?[Ff]i) )?';

export const SENTENCE_RULES: readonly Rule[] = [
  {
    id: 'the password is',
    keywords: ['passw', 'passp', 'passc', 'kennwort', 'psk', ' key', '-key', '_key'],
    pattern: `((?:password|passwort|kennwort|passphrase|passcode|psk|(?:api|secret|access|wi-?fi|wlan|pre-?shared)[ _-]key)(?:(?: {1,4}(?:for|of|on|to)(?: {1,4}[^\\s.,;:!?]{1,40}){1,4}?)? {1,4}(?:is|was|ist|lautet|est|es|é|(?:is |was |has been )?(?:set|changed(?: from \\S{1,64})?) to):? {1,4}|(?: is generated)? {1,4}(?:for|of|on)(?: {1,4}[^\\s.,;:!?=]{1,40}){1,4}?(?:: {1,4}| {1,4}= {1,4}))["'\`]?)${VALUE}${WORD_VALUE}`,
    ignoresCase: true,
  },
  {
    id: 'set the password to',
    keywords: ['passw', 'passp', 'passc'],
    pattern: `(\\b(?:re)?set[ \\t]{1,4}(?:(?:the|your|my|our|new|his|her|their|a|user|root|admin)[ \\t]{1,4}){0,2}(?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:to:?[ \\t]{1,4})?["'\`]?|(?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:(?:is|was|has[ \\t]been)[ \\t]{1,4})?(?:changed|reset|rotated)[ \\t]{1,4}from[ \\t]{1,4}["'\`]?|(?:with|using)[ \\t]{1,4}(?:the[ \\t]{1,4})?(?:password|passwort|passphrase)[ \\t:]{1,4}["'\`]?)${VALUE}${WORD_VALUE}`,
    ignoresCase: true,
  },
  // A plain word at the end of a sentence; suffixes exclude descriptions. In quotes, several words.
  {
    id: 'the password is a word',
    keywords: ['passw', 'passp', 'passc', 'kennwort'],
    pattern: `((?:password|passwort|kennwort|passphrase|passcode)(?: for [^\\s.,;:!?]{1,40})? (?:is|was|ist|lautet):? {1,4}(?:(?=${PLAIN}{4,32}(?!${PLAIN}|[ -])|${PLAIN}{4,32} (?:and|und|but|please|thanks) )(?![a-z]{0,30}(?:ed|ing|able|ible|less|ful|ive|ly|ous|ert|bar|lich)(?![a-z]))(?!${ADJECTIVES}(?![a-z]))${VALUE}(?=((?-i:${PLAIN}{4,32}))(?:[.!;)]?[ \\t]*(?:[\\r\\n"']|\\\\[nr"]|$)|,[ \\t]|\\.[ \\t]|[ \\t](?:and|und|but|please|thanks)[ \\t]))|["'\`\u201c](?!\\[REDACTED|\\s|(?:must|should|cannot|too (?:short|long|weak|common|simple)|not (?:set|valid|correct|allowed|found))(?![a-z])|(?:${ADJECTIVES}|${DESCRIPTIONS.join('|')})["'\`\u201d])(?=([^"'\`\u201d\\r\\n\\\\]{4,100})["'\`\u201d])))\\2\\3`,
    ignoresCase: true,
  },
  {
    id: 'line with a password',
    keywords: ['assw', 'enn', 'assc', 'ontrase', 'enha', 'ot de passe'],
    pattern: `(${LINE_START}(?:[Pp]assword|[Pp]asswort|[Kk]ennwort|[Pp]asscode|[Cc]ontrase\u00f1a|[Ss]enha|[Mm]ot de passe)[ \\t]?:[ \\t]{1,4})${VALUE}${PLAIN}{4,32}(?=[ \\t]{0,8}(?:[\\r\\n]|\\\\[nr]|$))`,
    accepts: (word) => !DESCRIPTION.test(word),
  },
  {
    id: 'line with a passphrase',
    keywords: ['assphrase'],
    pattern: `(${LINE_START}[Pp]assphrase[ \\t]?:[ \\t]{1,4})${PLAIN}{3,12}(?:[ -]${PLAIN}{3,12}){3,9}(?=[ \\t]{0,8}(?:[\\r\\n]|\\\\[nr]|$))`,
    accepts: (words) => !words.split(/[ -]/).some((word) => FILLERS.test(word)),
  },
  {
    id: 'SQL statement',
    keywords: ['identified', 'password '],
    pattern: `((?:identified[ \\t]{1,4}by[ \\t]{1,4}|password[ \\t]{1,4}|=[ \\t]{0,4}password\\()')(?!\\s)${VALUE}[^'\\r\\n]+(?=')`,
    ignoresCase: true,
  },
];
