// Redacts values after credential names in running text: `api_key=…`, `"password": "…"`, `the password is …`. A loose
// form requires more of the value than a strict form. Every pattern is linear: a repeated class is never followed by a
// character of its own, and look-aheads are limited to 64 characters.
import { redactPasswordLines } from './password-lines.ts';
import { compilePattern } from './regular-expressions.ts';
import {
  CREDENTIAL_WORDS,
  DESCRIPTIONS,
  NO_PASSWORD,
  NO_SECRETS,
  OTHER_WORDS,
  REDACTED,
  VALUE,
} from './rules.ts';

/** A credential name before a value. */
const NAME_TRIGGER =
  '(?:[Kk][Ee][Yy]|[Kk]ennwort|KENNWORT|[Kk]ey[_-]data|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt](?:[_-]?(?:[Ss]tring|[Vv]alue))?|[Kk][Ee][Yy][_-]?[Ii][Dd]|[Pp](?:[Ww][Dd]|[Ss][Kk])|[Pp][Aa][Ss][Ss](?:[Ww](?:[Oo][Rr])?[DdTt][0-9]{0,2}|[_-]?(?:[Pp][Hh][Rr][Aa][Ss][Ee]|[Cc][Oo][Dd][Ee]))|[_"\'][Pp][Aa][Ss][Ss]|_(?:BASE|base)|[Ss]ignature|PW|HPASS)';
/** A credential name and the characters between it and its value. */
const NAMING = `${NAME_TRIGGER}(?:[\\\\"'\\]]{0,8}(?:\\s{0,4}|[ \\t]{5,24})[=:>%&*<|!：＝→⇒–—]|["'][ ,\\r\\n]|\\(["']|\\r?\\n[ \\t]{0,40}value:|\\\\{1,8}u0022|["']>|</key>|[ \\t](?:\\([A-Za-z0-9 _-]{1,20}\\)|\\[[A-Za-z0-9 _-]{1,20}\\])[:=]|[ \\t][A-Za-z]{1,20}=["'][^<>"']{0,100}["']>|[ \\t]{1,4}(?:is |was |ist |is:|lautet |est |es |(?:has been )?set to |provided:|(?:for|of|on|to) (?<=(?:[Pp]ass(?:word|wort|code|phrase)|(?:[Aa][Pp][Ii]|ecret|ccess)[ _-][Kk]ey) (?:for|of|on|to) )|(?:was |has been )?(?:changed|reset|rotated) (?:from|to) |'|[(-]?>?[ \\t]{0,4}["'\`]?[^\\s0-9]{0,64}[0-9]))`;
/** The end of a word of `OTHER_WORDS`. The search starts from the colon, which is rarer than any letter. */
const OTHER_NAME = `(?<=(?i:${OTHER_WORDS.join('|')})[*_"']{0,3}[ \\t]{0,3}[:=：＝])`;
const OTHER_NAMING = `[:=：＝]${OTHER_NAME}`;
/** A sentence without a colon: `mi contraseña es …`. The search starts from a non-ASCII letter. */
const OTHER_SENTENCE_START =
  '(?:\u00f1a(?= es |(?: [^\\s.,;:]{1,20}){1,4} es )|é (?<=enha(?: [^\\s.,;:]{1,20}){0,4} é ))';
/** The triggers of these rules; the first begins with a punctuation character. */
export const NAME_SIGNS: readonly string[] = [OTHER_NAMING, OTHER_SENTENCE_START];
export const NAME_TRIGGERS: readonly string[] = [
  // A French phrase; phrases of plain letters in further languages would slow down every text.
  ' est (?<=passe(?: [^\\s.,;:]{1,20}){0,4} est )',
  '[Ss](?:et|ET)[ \\t]{1,4}(?:[A-Za-z]{1,5}[ \\t]{1,4}){0,2}[Pp][Aa][Ss][Ss]',
  NAMING,
];

const NAMED_VALUE = compilePattern(NAMING);
const WORDS = `(?:${CREDENTIAL_WORDS.join('|')})`;
/** The pattern between a name and its value, and the pattern of the value. Neither contains capturing groups. */
type Form = readonly [between: string, value: string];

/**
 * Combines all forms after a credential name. `NO_VALUES` is checked once for all forms, and the value is matched by a
 * back-reference: V8 skips optimizations for patterns above 20 kB, which doubles the time. A form whose value may
 * contain its own start (`a=b=c`) checks `NO_VALUES` earlier; otherwise each of a hundred thousand starts would read to
 * the end of the text.
 */
function anyOf(forms: readonly Form[]): { form: RegExp; named: string } {
  const either = forms.map(([between, value]) => `(${between})(?=(${value}))`).join('|');
  const groups = (sign: string, first: number) =>
    forms.map((_, i) => `${sign}${first + 2 * i}`).join('');
  return {
    form: compilePattern(`(${WORDS})(?:${either})${VALUE}${groups('\\', 3)}`, 'gi'),
    named: `$1${groups('$', 2)}${REDACTED}`,
  };
}

/** In code, the type of the name may follow it. */
const GIVEN = `(?:=>|:=|[:=]|:[ \\t]{0,4}[A-Za-z][A-Za-z0-9_<>\\[\\]|?.&' ]{0,40}=)`;
/** A value in quotes, up to the closing quote, including blanks and quotes of the other kind. */
const IN_QUOTES: Form = [
  `(?:["']\\]?)?[ \\t]{0,24}${GIVEN}[ \\t]{0,4}(?:(?:Secret(?:Str|String)?|Password)\\(|[brunf]{1,2}(?=["']))?["']`,
  `(?![\\s)\\],;:.}])(?:(?<=")${untilQuote('"')}|(?<=')${untilQuote("'")})`,
];
function untilQuote(quote: string): string {
  const plain = `[^${quote}\\\\\\r\\n]`;
  return `${plain}+(?:\\\\[^\\r\\n]${plain}*){0,500}`;
}
/** `"name": "value"` in truncated or embedded JSON. */
const QUOTED: Form = [`\\\\{0,8}["']\\s{0,8}:\\s{0,8}(?:\\[\\s{0,8})?\\\\{0,8}["']`, `[^"'\\\\]+`];
/** A JSON key up to its value. */
export const QUOTED_NAME = `(?i:${WORDS}["']\\s{0,8}:\\s{0,8}["']${VALUE}(?=[^"']))`;
/** A line of settings up to its value, in decoded text. */
export const SETTING_NAME = `(?i:${WORDS}[ \\t]{0,4}[=:][ \\t]{0,4}["']?${VALUE}(?=[^\\s"'<$]{4}))`;
/** A JSON key in the query of a URL, and in HTML. */
const ENCODED: Form = [
  `%2[27](?:%20|\\+)?%3a(?:%20|\\+)?%2[27]`,
  `(?:[^%\\s"'&]|%(?!2[27])[0-9a-f]{2})+`,
];
const IN_HTML: Form = [
  `&(?:quot|apos|#34|#39);\\s{0,4}:\\s{0,4}&(?:quot|apos|#34|#39);|\\\\{1,8}u0022\\s{0,4}:\\s{0,4}\\\\{1,8}u0022`,
  `(?:(?<=;)[^&\\r\\n]+|[^&\\\\"\\r\\n]+)`,
];
/** A part of a multipart form (RFC 7578), whose value follows an empty line. */
const PART: Form = [
  `["'](?<=name=["'][^"'\\r\\n]{0,64}["'])(?:\\r?\\n(?:content-[a-z-]{1,30}:[^\\r\\n]{0,100}\\r?\\n){0,2}\\r?\\n)`,
  `[^\\s][^\\r\\n]*`,
];
/** `name=value` in a query, a form, a shell or a connection string. */
const ASSIGNED: Form = [`[\\\\"']{0,8}(?:=(?!=)|%3d)[\\\\"']{0,8}${VALUE}`, `[^\\s&"'\\\\;,<>)}]+`];
/** `<name>value</name>` in XML. */
const ELEMENT: Form = [
  `(?:</key>\\s{0,40}<string|[ \\t][a-z]{1,20}=["'][^<>"']{0,100}["'])?>(?:<!\\[CDATA\\[)?\\s{0,40}|["']>(?<=(?:name|key)=["'][^"'\\r\\n]{0,64}["']>)(?=[^<>\\s0-9]{0,64}[0-9]|[^<>\\s]{4,64}</(?:property|entry|prop|param)>)`,
  `(?!\\s)(?:[^<>\\s\\]]|[ \\t](?=[^<>\\s])|\\](?!\\]>)){1,400}(?=\\s{0,40}</|\\]\\]>)`,
];
/** A name and its value in separate attributes or members; in YAML on the next line. */
const BESIDE: Form = [
  `\\\\{0,8}["'](?:,\\s{0,8}\\\\{0,8}["']|[ \\t]{1,4})value\\\\{0,8}["']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["']|["']?\\r?\\n[ \\t]{0,40}value:(?<=(?:name|key|field):[ \\t]{1,4}["']?[^\\s"']{1,100}["']?\\r?\\n[ \\t]{0,40}value:)[ \\t]{1,4}["']?`,
  `(?:(?<=["'])[^"'\\\\]+|[^\\s"'\\\\]+)`,
];
/** All strict forms in a single expression, because searching for the names dominates the cost. */
const VALUES = anyOf([...[IN_QUOTES, QUOTED, ASSIGNED, ELEMENT, BESIDE, ENCODED, IN_HTML, PART]]);

const DIGIT = '(?=[^\\s0-9<]{0,64}[0-9])';
const LETTER = '(?=[^\\sa-z]{0,64}[a-z])';
/** The value of `the password is value`: words of prose have no digit, and no hyphen after them. */
const WORD_VALUE = `${DIGIT}${LETTER}[a-z0-9!@#$%^&*_.+=?]{6,}(?![a-z0-9-])`;
const SENTENCE_VALUE = compilePattern(
  `((?:password|passwort|kennwort|passphrase|passcode|psk|(?:api|secret|access|wi-?fi|wlan|pre-?shared)[ _-]key)(?:(?: {1,4}(?:for|of|on|to)(?: {1,4}[^\\s.,;:!?]{1,40}){1,4}?)? {1,4}(?:is|was|ist|lautet|est|es|è|(?:is |was |has been )?(?:set|changed(?: from \\S{1,64})?) to):? {1,4}|(?: is generated)? {1,4}(?:for|of|on)(?: {1,4}[^\\s.,;:!?=]{1,40}){1,4}?(?:: {1,4}| {1,4}= {1,4}))["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** `set password value` in a command or a sentence. */
const SET = compilePattern(
  `(\\b(?:re)?set[ \\t]{1,4}(?:(?:the|your|my|our|new|his|her|their|a|user|root|admin)[ \\t]{1,4}){0,2}(?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:to:?[ \\t]{1,4})?["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** A change of a password reveals both the old and the new password. */
const CHANGED = compilePattern(
  `((?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:(?:is|was|has[ \\t]been)[ \\t]{1,4})?(?:changed|reset|rotated)[ \\t]{1,4}from[ \\t]{1,4}["'\`]?)${WORD_VALUE}(?:(["'\`]?[ \\t]{1,4}to[ \\t]{1,4}["'\`]?)${WORD_VALUE})?`,
  'gi',
);
/** `log in with the password value`. */
const USED = compilePattern(
  `((?:with|using)[ \\t]{1,4}(?:the[ \\t]{1,4})?(?:password|passwort|passphrase)[ \\t:]{1,4}["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** A cloud secret, which may contain slashes. */
const FORTY =
  /((?:secret|access)(?: access)?(?: key)?(?: {1,4}(?:is|was):? {1,4}|:? {1,4})["'`]?)(?=[A-Za-z0-9/+]{0,40}[0-9])(?=[a-z0-9/+]{0,40}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi;
const FORTY_SIGN = /(?:ecret|ccess|[kK]ey)(?: is| was)?:? ["'`]?[A-Za-z0-9/+]{40}/;
/** A plain word at the end of a sentence; suffixes exclude descriptions. In quotes, several words. */
const PLAIN_WORD = compilePattern(
  `((?:password|passwort|kennwort|passphrase|passcode)(?: for [^\\s.,;:!?]{1,40})? (?:is|was|ist|lautet):? {1,4})(?:(?=[a-z\u00df-\u00ff]{4,32}(?![a-z\u00df-\u00ff -])|[a-z\u00df-\u00ff]{4,32} (?:and|und|but|please|thanks) )(?![a-z]{0,30}(?:ed|ing|able|ible|less|ful|ive|ly|ous|ert|bar|lich)(?![a-z]))(?!${NO_PASSWORD}(?![a-z]))${VALUE}(?-i:[a-z\u00df-\u00ff]{4,32})(?=[.!;)]?[ \\t]*(?:[\\r\\n"']|\\\\[nr"]|$)|,[ \\t]|\\.[ \\t]|[ \\t](?:and|und|but|please|thanks)[ \\t])|(["'\`\u201c])(?!\\[REDACTED|\\s|(?:must|should|cannot|too (?:short|long|weak|common|simple)|not (?:set|valid|correct|allowed|found))(?![a-z])|(?:${NO_PASSWORD}|${DESCRIPTIONS.join('|')})["'\`\u201d])[^"'\`\u201d\\r\\n\\\\]{4,100}(?=["'\`\u201d]))`,
  'gi',
);
const SETTING = /set[ \t]/i;
const SENTENCE = / (?:is|was|ist|lautet|est|es|to):? | (?:for|of|on) [^\n:=]{1,120}(?::| =) /;
/** Passwords in SQL statements. */
const SQL = compilePattern(
  `((?:identified[ \\t]{1,4}by[ \\t]{1,4}|password[ \\t]{1,4}|=[ \\t]{0,4}password\\()')(?!\\s)${VALUE}[^'\\r\\n]{1,200}(?=')`,
  'gi',
);

/** Markup that chats and pages put around a name or a value. */
const MARKS = '(?:[*_ \\t]|</?[a-z]{1,10}>|&nbsp;|\\u001b\\[[0-9;]{0,12}m)';
/** `name: value` and `name = value` in a header or YAML; words of prose are short and have no digit. */
const STATED: Form = [
  `${MARKS}{0,4}(?:provided|\\([a-z0-9 _-]{1,20}\\)|\\[[a-z0-9 _-]{1,20}\\])?(?:::?|[=：＝])${MARKS}{0,8}[\\\\"'\`]{0,4}${VALUE}`,
  `(?![*_<\\s])(?=[^\\s0-9<]{0,64}[0-9]|[^\\s"'\\\\;,<>()\\[\\]{}]{16})[^\\s\\u001b"'\\\\;,<>()\\[\\]{}]{6,}`,
];
/** `name == 'value'` in code. */
const COMPARED: Form = [
  `[ \\t]{0,4}[=!]==?[ \\t]{0,4}["']`,
  `(?=[^\\s0-9]{0,64}[0-9]|[^\\s"']{16})[^\\s"'\\\\]{6,}`,
];
const LINE_END = '(?=["\'`]?[ \\t]{0,8}(?:\\r?\\n|$))';
/** A YAML block scalar: its first line, and continuation lines of base64. */
const BLOCK: Form = [
  `[ \\t]{0,4}:[ \\t]{1,4}[|>][+-]?[ \\t]{0,4}\\r?\\n[ \\t]{1,40}`,
  `[^\\s][^\\r\\n]*(?:\\r?\\n[ \\t]{1,40}[A-Za-z0-9+/=_-]{6,}${LINE_END}){0,500}`,
];
/** Excludes values that contain letters and digits without being secrets. */
const SECRET = `(?!${NO_SECRETS.join('|')})`;
/** A value alone on the line after the name. */
const BELOW: Form = [
  `[*_]{0,3}[ \\t]{0,4}[:=：＝][*_]{0,3}(?:</[a-z]{1,10}>)?[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,40}){1,2}["'\`]?`,
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
const POINTED: Form = [
  `[*_]{0,3}(?:[ \\t]{0,4}(?:=>|->|→|⇒)[ \\t]{0,4}|[ \\t]{1,4}[-–—][ \\t]{1,4}|[ \\t]{0,4}\\|(?<=(?:^|[\\r\\n])[ \\t]{0,8}\\|[^|\\r\\n]{0,40}\\|)[ \\t]{0,4}|</t[dh]>\\s{0,8}<t[dh]>)["'\`*_]{0,3}`,
  `${ODD}${MIXED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** Digits in two positions, or a digit and a sign: few identifiers have these. */
const SCATTERED = `(?=[a-z${SIGN}]{0,64}[0-9]{1,64}[a-z${SIGN}]{1,64}[0-9]|[a-z0-9_.?~]{0,64}[@#$%^&*+=!][a-z0-9])`;
/** `name value` and `name (value)`. */
const FOLLOWED: Form = [
  `[ \\t]{1,4}(?:\\([ \\t]?)?["'\`*_]{0,3}`,
  `${ODD}${SCATTERED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** `setdefault('NAME', 'value')`: both arguments of a call. */
const ARGUMENT: Form = [
  `["'],[ \\t]{0,4}["']`,
  `${DIGIT}${LETTER}[^\\s"'\\\\]{6,}(?=["'][ \\t]{0,4}\\))`,
];
/** `[["name", "value"], …`: a list of pairs within a text. */
const PAIRED: Form = [
  `\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["']`,
  `(?<=[[,]\\s{0,8}\\[\\s{0,8}\\\\{0,8}["'][A-Za-z0-9_-]{1,60}\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["'])[^\\s"'\\\\][^"'\\\\\\r\\n]*(?=\\\\{0,8}["']\\s{0,8}\\])`,
];
/** `variable "name" { default = "value" }` in Terraform, and `"name": { "value": "…" }` in JSON. */
const NESTED: Form = [
  `["']?[ \\t]{0,4}[:=]?[ \\t]{0,4}\\{[^{}"]{0,200}(?:"[^"\\r\\n]{0,200}"[^{}"]{0,100}){0,3}(?:(?:default|value)\\s{0,8}=|"value"(?:\\s{0,8}:))\\s{0,8}"`,
  `[^"\\r\\n]+`,
];
/** `setPassword("value")` in code. */
const CALLED: Form = [`\\(["']`, `${ODD}${MIXED}${SECRET}${VALUE_CHARS}(?=["'][ \\t]{0,4}\\))`];
/** A plain word as the value of a setting on a line of its own, or as the complete value of a header. */
const SET_SO: Form = [
  `["'\\]]{0,2}[ \\t]{0,24}:[ \\t]{1,8}["']?`,
  `(?=(?-i:[a-z]))(?<=(?:^|[\\r\\n]|\\\\n)[ \\t]{0,40}(?:[-+] {1,4})?["']?(?:(?-i:[a-z])|[A-Z0-9_.-]{0,60}[_.-])[A-Z0-9_.-]{0,60}["']?[ \\t]{0,24}:[ \\t]{1,8}["']?|(?:user(?:name)?|login|e-?mail|account|benutzer(?:name)?|usuario|utente|utilisateur|identifiant|gebruiker):[^\\r\\n]{1,80}(?:\\r?\\n|[ ,;])[ \\t]{0,8}[a-z]{1,20}:[ \\t]{1,8}["']?|(?<![a-z0-9])(?:my|our|his|her|root|admin|user|wifi|temp(?:orary)?)[ \\t][a-z]{1,12}:[ \\t]{1,8}|(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8})(?<!secrets?["']?[ \\t]{0,24}:[ \\t]{1,8}["']?)(?!(?:${DESCRIPTIONS.join('|')})(?![a-z0-9]))(?-i:[a-z])[a-z0-9!@#$%^&*_.+=?~-]{3,63}(?=["']?[ \\t]{0,8}(?:#[^\\r\\n]{0,200})?(?:[\\r\\n]|\\\\[nr]|$)|(?<=(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8}[^\\s"']{4,64})["'])`,
];
/** A plain word in a settings file with blanks around the sign, below a section or a user name. */
const SET_IN_FILE: Form = [
  `[ \\t]{1,4}=[ \\t]{1,4}`,
  `(?=(?-i:[a-z]))(?<=(?:\\[[^\\]\\r\\n]{1,60}\\]|(?:user(?:name)?|login)[ \\t]{0,4}=[ \\t]{0,4}[^\\r\\n(]{1,80})\\r?\\n[a-z_.-]{1,40}[ \\t]{1,4}=[ \\t]{1,4})(?!(?:${DESCRIPTIONS.join('|')})(?![a-z0-9]))(?-i:[a-z])[a-z0-9!@#$%^&*+?~-]{3,63}(?=[ \\t]{0,8}(?:\\r?\\n|$))`,
];
const STATEMENTS = anyOf([
  ...[STATED, COMPARED, BLOCK, BELOW, POINTED, FOLLOWED, ARGUMENT, NESTED, CALLED],
  ...[SET_SO, SET_IN_FILE, PAIRED],
]);
const OTHER_GAP = `${MARKS}{0,8}(?:\\r?\\n[ \\t]{0,40})?["'\`]{0,2}(?![*_<\\s])`;
/** The pattern checks the character before the colon first, because colons outnumber words with a digit after them. */
const OTHERS = compilePattern(
  `([:=：＝](?<=[wplyseat*_"' \\t][:=：＝])(?=${OTHER_GAP}[^\\s0-9:"'\`]{0,64}[0-9])${OTHER_NAME}${OTHER_GAP})${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}${VALUE_END}`,
  'gi',
);

const OTHER_SENTENCE = compilePattern(
  `((?:${OTHER_WORDS.join('|')})(?:(?: [^\\s.,;:0-9]{1,20}){0,4} (?:est|is|ist|es|é) )["'\`]?)${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}`,
  'gi',
);
const OTHER_SENTENCE_SIGN = compilePattern(
  `${OTHER_SENTENCE_START}| (?:est|is|ist) (?<=(?:passe|nwort)(?: [^\\s.,;:]{1,20}){0,4} (?:est|is|ist) )`,
);
const NAMED = `$1${REDACTED}`;

const redactBoth = (_: string, before: string, between?: string) =>
  before + REDACTED + (between === undefined ? '' : between + REDACTED);

/** Redacts values that certainly belong to a credential name. */
export function redactNamedValues(text: string): string {
  let out = text;
  if (NAMED_VALUE.test(out)) {
    out = out.replace(VALUES.form, VALUES.named);
  }
  if (SENTENCE.test(out)) {
    out = out.replace(SENTENCE_VALUE, NAMED).replace(PLAIN_WORD, `$1$2${REDACTED}`);
  }
  out = redactPasswordLines(out);
  if (out.includes(' from ')) out = out.replace(CHANGED, redactBoth);
  if (out.includes('ith ') || out.includes('sing ')) out = out.replace(USED, NAMED);
  if (FORTY_SIGN.test(out)) out = out.replace(FORTY, NAMED);
  if (SETTING.test(out)) out = out.replace(SET, NAMED);
  return out.includes(" '") || out.includes("('") ? out.replace(SQL, NAMED) : out;
}

/** Redacts values that probably belong to a credential name. This step runs last, after all other rules. */
export function redactNamedStatements(text: string): string {
  const out = NAMED_VALUE.test(text) ? text.replace(STATEMENTS.form, STATEMENTS.named) : text;
  const others = out.replace(OTHERS, NAMED);
  return OTHER_SENTENCE_SIGN.test(others) ? others.replace(OTHER_SENTENCE, NAMED) : others;
}
