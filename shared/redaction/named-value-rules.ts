// Rules for values after a credential name in running text: `api_key=…`, `"password": "…"`, `password: …`. A loose
// syntax requires more of the value than a strict syntax. Every change raises REDACTION_VERSION in `rule.ts`.
import {
  CREDENTIAL_WORDS,
  DESCRIPTIONS,
  LATIN_PASSWORD_WORDS,
  NAME_KEYWORDS,
  NO_SECRETS,
} from './credential-words.ts';
import { DIGIT, type Rule, VALUE } from './rule.ts';

const NAME = `(?:${CREDENTIAL_WORDS.join('|')})`;
/** The pattern between a name and its value, and the pattern of the value. Neither contains capturing groups. */
type Syntax = readonly [between: string, value: string];

/**
 * Combines all syntaxes after a credential name, because searching for the names dominates the cost. `VALUE` is checked
 * once for all of them, and the value is matched by a back-reference: V8 skips optimizations for patterns above 20 kB,
 * which doubles the time. A syntax whose value may contain its own start (`a=b=c`) checks `VALUE` earlier; otherwise
 * each of a hundred thousand starts would read to the end of the text.
 */
function afterName(id: string, syntaxes: readonly Syntax[]): Rule {
  const either = syntaxes.map(([between, value]) => `(?:${between})(?=(${value}))`).join('|');
  const values = syntaxes.map((_, i) => `\\${i + 2}`).join('');
  return {
    id,
    keywords: NAME_KEYWORDS,
    pattern: `(${NAME}(?:${either}))${VALUE}${values}`,
    ignoresCase: true,
  };
}

/** In code, the type of the name may follow it. */
const GIVEN = `(?:=>|:=|[:=]|:[ \\t]{0,4}[A-Za-z][A-Za-z0-9_<>\\[\\]|?.&' ]{0,40}=)`;
function untilQuote(quote: string): string {
  const plain = `[^${quote}\\\\\\r\\n]`;
  return `${plain}+(?:\\\\[^\\r\\n]${plain}*){0,500}`;
}
/** A value in quotes, up to the closing quote, including blanks and quotes of the other kind. */
const IN_QUOTES: Syntax = [
  `(?:["']\\]?)?[ \\t]{0,24}${GIVEN}[ \\t]{0,4}(?:(?:Secret(?:Str|String)?|Password)\\(|[brunf]{1,2}(?=["']))?["']`,
  `(?![\\s)\\],;:.}])(?:(?<=")${untilQuote('"')}|(?<=')${untilQuote("'")})`,
];
/** `"name": "value"` in truncated or embedded JSON. */
const IN_JSON: Syntax = [
  `\\\\{0,8}["']\\s{0,8}:\\s{0,8}(?:\\[\\s{0,8})?\\\\{0,8}["']`,
  `[^"'\\\\]+`,
];
/** `name=value` in a query, a form, a shell or a connection string. */
const ASSIGNED: Syntax = [
  `[\\\\"']{0,8}(?:=(?!=)|%3d)[\\\\"']{0,8}${VALUE}`,
  `[^\\s&"'\\\\;,<>)}]+`,
];
/** `<name>value</name>` in XML. */
const ELEMENT: Syntax = [
  `(?:[ \\t][a-z]{1,20}=["'][^<>"']{0,100}["'])?>\\s{0,40}|["']>(?<=(?:name|key)=["'][^"'\\r\\n]{0,64}["']>)(?=[^<>\\s0-9]{0,64}[0-9]|[^<>\\s]{4,64}</(?:property|entry|prop|param)>)`,
  `(?!\\s)(?:[^<>\\s\\]]|[ \\t](?=[^<>\\s])|\\](?!\\]>)){1,400}(?=\\s{0,40}</)`,
];
/** A name and its value in separate attributes or members; in YAML on the next line. */
const BESIDE: Syntax = [
  `\\\\{0,8}["'](?:,\\s{0,8}\\\\{0,8}["']|[ \\t]{1,4})value\\\\{0,8}["']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["']|["']?\\r?\\n[ \\t]{0,40}value:(?<=(?:name|key|field):[ \\t]{1,4}["']?[^\\s"']{1,100}["']?\\r?\\n[ \\t]{0,40}value:)[ \\t]{1,4}["']?`,
  `(?:(?<=["'])[^"'\\\\]+|[^\\s"'\\\\]+)`,
];

const LETTER = '(?=[^\\sa-z]{0,64}[a-z])';
/** Markup that chats and pages put around a name or a value. */
const MARKS = '(?:[*_ \\t]|</?[a-z]{1,10}>|&nbsp;|\\u001b\\[[0-9;]{0,12}m)';
/** No type of the name before a redacted value. */
const NO_TYPE = `(?![^\\r\\n"]{0,64}=[ \\t]{0,4}["']?\\[REDACTED)`;
/** `name: value` and `name = value` in a header or YAML; words of prose are short and have no digit. */
const STATED: Syntax = [
  `${MARKS}{0,4}(?:provided|\\([a-z _-]{1,20}\\)|\\[(?!REDACTED)[a-z0-9 _-]{1,20}\\])?(?:::?|=)${MARKS}{0,8}[\\\\"'\`]{0,4}${VALUE}`,
  `(?![*_<\\s])${NO_TYPE}(?=[^\\s0-9<]{0,64}[0-9]|[^\\s"'\\\\;,<>()\\[\\]{}]{16})[^\\s\\u001b"'\\\\;,<>()\\[\\]{}]{6,}`,
];
/** `name == 'value'` in code. */
const COMPARED: Syntax = [
  `[ \\t]{0,4}[=!]==?[ \\t]{0,4}["']`,
  `(?=[^\\s0-9]{0,64}[0-9]|[^\\s"']{16})[^\\s"'\\\\]{6,}`,
];
const LINE_END = '(?=["\'`]?[ \\t]{0,8}(?:\\r?\\n|$))';
/** A YAML block scalar: its first line, and continuation lines of base64. */
const BLOCK: Syntax = [
  `[ \\t]{0,4}:[ \\t]{1,4}[|>][+-]?[ \\t]{0,4}\\r?\\n[ \\t]{1,40}`,
  `[^\\s][^\\r\\n]*(?:\\r?\\n[ \\t]{1,40}[A-Za-z0-9+/=_-]{6,}${LINE_END}){0,500}`,
];
/** Excludes values that contain letters and digits without being secrets. */
const SECRET = `(?!${NO_SECRETS.join('|')})`;
/** A value alone on the line after the name. */
const BELOW: Syntax = [
  `[*_]{0,3}[ \\t]{0,4}[:=][*_]{0,3}(?:</[a-z]{1,10}>)?[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,40}){1,2}["'\`]?`,
  `${DIGIT}${LETTER}${SECRET}[^\\s"'\`<>(){}\\[\\],;:]{6,}${LINE_END}`,
];
/** The end of a value in prose: neither a call nor a part of a longer word. */
const VALUE_END = '(?=["\'`*_\\\\]{0,3}(?:[\\s,;.!?|<)\\]]|$))';
const SIGN = '!@#$%^&*_.+=?~';
const VALUE_CHARS = `[a-z0-9${SIGN}-]{8,}`;
/** The value contains a letter and a digit; its length is the cheapest check. */
const ODD = `(?=[a-z0-9${SIGN}-]{6})(?=[a-z${SIGN}-]{0,64}[0-9])(?=[0-9${SIGN}-]{0,64}[a-z])`;
/** A mixture that prose does not have: a digit before a letter, a sign among letters, or both cases. */
const MIXED = `(?=[a-z${SIGN}]{0,64}[0-9]{1,64}[a-z]|[a-z0-9_.?~]{0,64}[@#$%^&*+=!][a-z0-9]|(?-i:(?=[a-z0-9${SIGN}]{0,64}[A-Z])[A-Z0-9${SIGN}]{0,64}[a-z]))`;
/** `name → value`, `name - value`, and `| name | value |` at the beginning of a line. */
const POINTED: Syntax = [
  `[*_]{0,3}(?:[ \\t]{0,4}(?:=>|->|→|⇒)[ \\t]{0,4}|[ \\t]{1,4}[-–—][ \\t]{1,4}|[ \\t]{0,4}\\|(?<=(?:^|[\\r\\n])[ \\t]{0,8}\\|[^|\\r\\n]{0,40}\\|)[ \\t]{0,4})["'\`*_]{0,3}`,
  `${ODD}${MIXED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** Digits in two positions, or a digit and a sign: few identifiers have these. */
const SCATTERED = `(?=[a-z${SIGN}]{0,64}[0-9]{1,64}[a-z${SIGN}]{1,64}[0-9]|[a-z0-9_.?~]{0,64}[@#$%^&*+=!][a-z0-9])`;
/** `name value` and `name (value)`. */
const FOLLOWED: Syntax = [
  `[ \\t]{1,4}(?:\\([ \\t]?)?["'\`*_]{0,3}`,
  `${ODD}${SCATTERED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** `setdefault('NAME', 'value')`: both arguments of a call. */
const ARGUMENT: Syntax = [
  `["'],[ \\t]{0,4}["']`,
  `${DIGIT}${LETTER}[^\\s"'\\\\]{6,}(?=["'][ \\t]{0,4}\\))`,
];
/** `[["name", "value"], …`: a list of pairs within a text. */
const PAIRED: Syntax = [
  `\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["']`,
  `(?<=[[,]\\s{0,8}\\[\\s{0,8}\\\\{0,8}["'][A-Za-z0-9_-]{1,60}\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["'])[^\\s"'\\\\][^"'\\\\\\r\\n]*(?=\\\\{0,8}["']\\s{0,8}\\])`,
];
/** `setPassword("value")` in code. */
const CALLED: Syntax = [`\\(["']`, `${ODD}${MIXED}${SECRET}${VALUE_CHARS}(?=["'][ \\t]{0,4}\\))`];
/** A plain word as the value of a setting on a line of its own, or as the complete value of a header. */
const SETTING: Syntax = [
  `["'\\]]{0,2}[ \\t]{0,24}:[ \\t]{1,8}["']?`,
  `(?=(?-i:[a-z]))${NO_TYPE}(?<=(?:^|[\\r\\n]|\\\\n)[ \\t]{0,40}(?:[-+] {1,4})?["']?(?:(?-i:[a-z])|[A-Z0-9_.-]{0,60}[_.-])[A-Z0-9_.-]{0,60}["']?[ \\t]{0,24}:[ \\t]{1,8}["']?|(?:user(?:name)?|login|e-?mail|account|benutzer(?:name)?|usuario|utilisateur|identifiant):[^\\r\\n]{1,80}(?:\\r?\\n|[ ,;])[ \\t]{0,8}[a-z]{1,20}:[ \\t]{1,8}["']?|(?<![a-z0-9])(?:my|our|his|her|root|admin|user|wifi|temp(?:orary)?)[ \\t][a-z]{1,12}:[ \\t]{1,8}|(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8})(?<!secrets?["']?[ \\t]{0,24}:[ \\t]{1,8}["']?)(?!(?:${DESCRIPTIONS.join('|')})(?![a-z0-9]))(?-i:[a-z])[a-z0-9!@#$%^&*_.+=?~-]{3,63}(?=["']?[ \\t]{0,8}(?:#[^\\r\\n]{0,200})?(?:[\\r\\n]|\\\\[nr]|$)|(?<=(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8}[^\\s"']{4,64})["'])`,
];

/** The end of a name in German, French, Spanish or Portuguese. The search starts from the colon, rarer than any letter. */
const LATIN_NAME = `(?<=(?:${LATIN_PASSWORD_WORDS.join('|')})[*_"']{0,3}[ \\t]{0,3}[:=])`;
const LATIN_GAP = `${MARKS}{0,8}(?:\\r?\\n[ \\t]{0,40})?["'\`]{0,2}(?![*_<\\s])`;
const LATIN_KEYWORDS = [
  'pw',
  'mdp',
  'ssel',
  'key',
  'pass',
  'contrase',
  'senha',
  'kennwort',
  'clave',
];

export const NAMED_VALUE_RULES: readonly Rule[] = [
  afterName('value of a name', [
    ...[IN_QUOTES, IN_JSON, ASSIGNED, ELEMENT, BESIDE],
    ...[STATED, COMPARED, BLOCK, BELOW, POINTED, FOLLOWED, ARGUMENT, CALLED, SETTING, PAIRED],
  ]),
  {
    id: 'value of a German, French, Spanish or Portuguese name',
    keywords: LATIN_KEYWORDS,
    // The character before the colon is checked first, because colons outnumber words with a digit after them.
    pattern: `([:=](?<=[wplyseat*_"' \\t][:=])(?=${LATIN_GAP}[^\\s0-9:"'\`]{0,64}[0-9])${LATIN_NAME}${LATIN_GAP})${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}${VALUE_END}`,
    ignoresCase: true,
  },
  {
    id: 'sentence in German, French, Spanish or Portuguese',
    keywords: LATIN_KEYWORDS,
    pattern: `((?:${LATIN_PASSWORD_WORDS.join('|')})(?:(?: [^\\s.,;:0-9]{1,20}){0,4} (?:est|is|ist|es|é) )["'\`]?)${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}`,
    ignoresCase: true,
  },
];
