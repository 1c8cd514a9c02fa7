// What a name of a credential states in running text: `api_key=…`, `"password": "…"`, `the password is …`. A loose form asks
// more of the value than a strict one. Every pattern is linear: a class that repeats is never followed by what it could
// hold itself, and what looks ahead does so for 64 characters at most.
import { withoutLines } from './lines.ts';
import { regExpOf } from './patterns.ts';
import {
  CREDENTIAL_WORDS,
  DESCRIPTIONS,
  NO_PASSWORD,
  NO_SECRETS,
  OTHER_WORDS,
  REDACTED,
  VALUE,
} from './rules.ts';

/** A name and what follows it, before a value. */
const NAME_TRIGGER =
  '(?:[Kk][Ee][Yy]|[Kk]ennwort|KENNWORT|twoord|[Kk]ey[_-]data|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt](?:[_-]?(?:[Ss]tring|[Vv]alue))?|[Kk][Ee][Yy][_-]?[Ii][Dd]|[Pp](?:[Ww][Dd]|[Ss][Kk])|[Pp][Aa][Ss][Ss](?:[Ww](?:[Oo][Rr])?[DdTt][0-9]{0,2}|[_-]?(?:[Pp][Hh][Rr][Aa][Ss][Ee]|[Cc][Oo][Dd][Ee]))|[_"\'][Pp][Aa][Ss][Ss]|_(?:BASE|base)|[Ss]ignature|PW|HPASS)';
/** A name and what may stand between it and its value. */
const NAMING = `${NAME_TRIGGER}(?:[\\\\"'\\]]{0,8}(?:\\s{0,4}|[ \\t]{5,24})[=:>%&*<|!：＝→⇒–—]|["'][ ,\\r\\n]|\\(["']|\\r?\\n[ \\t]{0,40}value:|\\\\{1,8}u0022|["']>|</key>|[ \\t](?:\\([A-Za-z0-9 _-]{1,20}\\)|\\[[A-Za-z0-9 _-]{1,20}\\])[:=]|[ \\t][A-Za-z]{1,20}=["'][^<>"']{0,100}["']>|[ \\t]{1,4}(?:is |was |ist |is:|lautet |est |es |è |(?:has been )?set to |provided:|(?:for|of|on|to) (?<=(?:[Pp]ass(?:word|wort|code|phrase)|(?:[Aa][Pp][Ii]|ecret|ccess)[ _-][Kk]ey) (?:for|of|on|to) )|(?:was |has been )?(?:changed|reset|rotated) (?:from|to) |'|[(-]?>?[ \\t]{0,4}["'\`]?[^\\s0-9]{0,64}[0-9]))`;
/** The end of a word of another language, or of a short one. Looked for by its colon, which is rarer than any letter. */
const OTHER_NAME = `(?<=(?i:${OTHER_WORDS.join('|')})[*_"']{0,3}[ \\t]{0,3}[:=：＝])`;
const OTHER_NAMING = `[:=：＝]${OTHER_NAME}`;
/** The same without a colon: `mi contraseña es …`, `密码是…`. Looked for by what is no plain letter. */
const OTHER_TELLING =
  '(?:\u00f1a(?= es |(?: [^\\s.,;:]{1,20}){1,4} es )|é (?<=enha(?: [^\\s.,;:]{1,20}){0,4} é )|\u0142o to |\u043b\u044c |[码碼令]是 ?|[ド号]は ?|호[는은] ?)';
/** What a text must hold for any rule of this file to be tried; the first begins with a sign. */
export const NAME_SIGNS: readonly string[] = [OTHER_NAMING, OTHER_TELLING];
export const NAME_TRIGGERS: readonly string[] = [
  // Of French; others of plain letters would cost every text too much.
  ' est (?<=passe(?: [^\\s.,;:]{1,20}){0,4} est )',
  '[Ss](?:et|ET)[ \\t]{1,4}(?:[A-Za-z]{1,5}[ \\t]{1,4}){0,2}[Pp][Aa][Ss][Ss]',
  NAMING,
];

const NAMED_VALUE = regExpOf(NAMING);
const WORDS = `(?:${CREDENTIAL_WORDS.join('|')})`;
/** What stands between a name and its value, and the value, which is none of `NO_VALUES`. Neither has groups that capture. */
type Form = readonly [between: string, value: string];

/**
 * Each form behind a name of a credential. What is no value is asked once for all of them, and the value is taken as it was
 * read before: V8 takes less care of a pattern of more than 20 kB, and twice the time. A form whose value may hold its like
 * (`a=b=c`) asks before it reads that, too: else each of a hundred thousand would be read up to the end of the text.
 */
function anyOf(forms: readonly Form[]): { form: RegExp; named: string } {
  const either = forms.map(([between, value]) => `(${between})(?=(${value}))`).join('|');
  const groups = (sign: string, first: number) =>
    forms.map((_, i) => `${sign}${first + 2 * i}`).join('');
  return {
    form: regExpOf(`(${WORDS})(?:${either})${VALUE}${groups('\\', 3)}`, 'gi'),
    named: `$1${groups('$', 2)}${REDACTED}`,
  };
}

/** Of code, the name's type may stand between. */
const GIVEN = `(?:=>|:=|[:=]|:[ \\t]{0,4}[&A-Za-z][A-Za-z0-9_<>\\[\\]|?.&' ]{0,40}=)`;
/** Between a name and its value in quotes, up to where they close: blanks and quotes of the other kind are part of it. */
const IN_QUOTES: Form = [
  `(?:["']\\]?)?[ \\t]{0,24}${GIVEN}[ \\t]{0,4}(?:(?:Some|Secret(?:Str|String)?|Password|String::from)\\(|[brunf@]{1,2}(?=["']))?["']`,
  `(?![\\s)\\],;:.}])(?:(?<=")${untilQuote('"')}|(?<=')${untilQuote("'")})`,
];
function untilQuote(quote: string): string {
  const plain = `[^${quote}\\\\\\r\\n]`;
  return `${plain}+(?:\\\\[^\\r\\n]${plain}*){0,500}`;
}
/** `"name": "value"`, of JSON that is cut or stands among other text. */
const QUOTED: Form = [`\\\\{0,8}["']\\s{0,8}:\\s{0,8}(?:\\[\\s{0,8})?\\\\{0,8}["']`, `[^"'\\\\]+`];
/** As PHP and Lisp print it. */
const PRINTED: Form = [
  `(?:["']?\\][ \\t]{0,4}=>\\s{1,40}(?:string\\([0-9]{1,5}\\)[ \\t]"|(?!Array)(?=[^\\s"'(\\[]{4,200}[ \\t]*(?:\\r?\\n|$)))|(?<=[({\\s]:[a-z_-]{1,40})[ \\t]{1,4}")`,
  `[^\\s"][^"\\r\\n]*`,
];
/** And Go, with a member behind it. */
const PRINTED_MEMBER: Form = [
  `(?-i::(?<=[{ ][A-Z][A-Za-z]{0,40}:))(?!(?:${DESCRIPTIONS.join('|')})[ }])`,
  `[^\\s{}:&"']{4,64}(?= (?-i:[A-Z])[A-Za-z]{0,40}:|\\})`,
];
/** Up to the value, whatever is around it. */
export const QUOTED_NAME = `(?i:${WORDS}["']\\s{0,8}:\\s{0,8}["']${VALUE}(?=[^"']))`;
/** The same of a line of settings, in a text that was opened. */
export const SETTING_NAME = `(?i:${WORDS}[ \\t]{0,4}[=:][ \\t]{0,4}["']?${VALUE}(?=[^\\s"'<$]{4}))`;
/** The same in a URL's query, and in HTML. */
const ENCODED: Form = [
  `%2[27](?:%20|\\+)?%3a(?:%20|\\+)?%2[27]`,
  `(?:[^%\\s"'&]|%(?!2[27])[0-9a-f]{2})+`,
];
const IN_HTML: Form = [
  `&(?:quot|apos|#34|#39);\\s{0,4}:\\s{0,4}&(?:quot|apos|#34|#39);|\\\\{1,8}u0022\\s{0,4}:\\s{0,4}\\\\{1,8}u0022`,
  `(?:(?<=;)[^&\\r\\n]+|[^&\\\\"\\r\\n]+)`,
];
/** A part of a form with several: its value stands behind an empty line. */
const PART: Form = [
  `["'](?<=name=["'][^"'\\r\\n]{0,64}["'])(?:\\r?\\n(?:content-[a-z-]{1,30}:[^\\r\\n]{0,100}\\r?\\n){0,2}\\r?\\n)`,
  `[^\\s][^\\r\\n]*`,
];
/** `name=value`, of a query, a form, a shell or a connection string. */
const ASSIGNED: Form = [`[\\\\"']{0,8}(?:=(?!=)|%3d)[\\\\"']{0,8}${VALUE}`, `[^\\s&"'\\\\;,<>)}]+`];
/** `<name>value</name>`. */
const ELEMENT: Form = [
  `(?:</key>\\s{0,40}<string|[ \\t][a-z]{1,20}=["'][^<>"']{0,100}["'])?>(?:<!\\[CDATA\\[)?\\s{0,40}|["']>(?<=(?:name|key)=["'][^"'\\r\\n]{0,64}["']>)(?=[^<>\\s0-9]{0,64}[0-9]|[^<>\\s]{4,64}</(?:property|entry|prop|param)>)`,
  `(?!\\s)(?:[^<>\\s\\]]|[ \\t](?=[^<>\\s])|\\](?!\\]>)){1,400}(?=\\s{0,40}</|\\]\\]>)`,
];
/** A name, and its value beside it in an attribute or a member of its own; in YAML on the next line. */
const BESIDE: Form = [
  `\\\\{0,8}["'](?:,\\s{0,8}\\\\{0,8}["']|[ \\t]{1,4})value\\\\{0,8}["']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["']|["']?\\r?\\n[ \\t]{0,40}value:(?<=(?:name|key|field):[ \\t]{1,4}["']?[^\\s"']{1,100}["']?\\r?\\n[ \\t]{0,40}value:)[ \\t]{1,4}["']?`,
  `(?:(?<=["'])[^"'\\\\]+|[^\\s"'\\\\]+)`,
];
/** All of them at once: to look for the names takes longer than all the rest. */
const VALUES = anyOf([
  ...[IN_QUOTES, QUOTED, ASSIGNED, ELEMENT, BESIDE, ENCODED, IN_HTML, PART],
  ...[PRINTED, PRINTED_MEMBER],
]);

const DIGIT = '(?=[^\\s0-9<]{0,64}[0-9])';
const LETTER = '(?=[^\\sa-z]{0,64}[a-z])';
/** `the password is value`: a word of prose has no digit, or a hyphen behind it. */
const WORD_VALUE = `${DIGIT}${LETTER}[a-z0-9!@#$%^&*_.+=?]{6,}(?![a-z0-9-])`;
const TOLD = regExpOf(
  `((?:password|passwort|kennwort|wachtwoord|passphrase|passcode|psk|(?:api|secret|access|wi-?fi|wlan|pre-?shared)[ _-]key)(?:(?: {1,4}(?:for|of|on|to)(?: {1,4}[^\\s.,;:!?]{1,40}){1,4}?)? {1,4}(?:is|was|ist|lautet|est|es|è|(?:is |was |has been )?(?:set|changed(?: from \\S{1,64})?) to):? {1,4}|(?: is generated)? {1,4}(?:for|of|on)(?: {1,4}[^\\s.,;:!?=]{1,40}){1,4}?(?:: {1,4}| {1,4}= {1,4}))["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** `set password value`, of a command or of a person. */
const SET = regExpOf(
  `(\\b(?:re)?set[ \\t]{1,4}(?:(?:the|your|my|our|new|his|her|their|a|user|root|admin)[ \\t]{1,4}){0,2}(?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:to:?[ \\t]{1,4})?["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** The old one goes with the new one. */
const CHANGED = regExpOf(
  `((?:password|passwort|passphrase|passcode)[ \\t]{1,4}(?:(?:is|was|has[ \\t]been)[ \\t]{1,4})?(?:changed|reset|rotated)[ \\t]{1,4}from[ \\t]{1,4}["'\`]?)${WORD_VALUE}(?:(["'\`]?[ \\t]{1,4}to[ \\t]{1,4}["'\`]?)${WORD_VALUE})?`,
  'gi',
);
/** `log in with the password value`. */
const USED = regExpOf(
  `((?:with|using)[ \\t]{1,4}(?:the[ \\t]{1,4})?(?:password|passwort|passphrase)[ \\t:]{1,4}["'\`]?)${WORD_VALUE}`,
  'gi',
);
/** A cloud's secret, which has slashes. */
const FORTY =
  /((?:secret|access)(?: access)?(?: key)?(?: {1,4}(?:is|was):? {1,4}|:? {1,4})["'`]?)(?=[A-Za-z0-9/+]{0,40}[0-9])(?=[a-z0-9/+]{0,40}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi;
const SAYS_FORTY = /(?:ecret|ccess|[kK]ey)(?: is| was)?:? ["'`]?[A-Za-z0-9/+]{40}/;
/** A plain word, at the end of what says it; of what describes there are endings. In quotes several. */
const TOLD_PLAINLY = regExpOf(
  `((?:password|passwort|kennwort|wachtwoord|passphrase|passcode)(?: for [^\\s.,;:!?]{1,40})? (?:is|was|ist|lautet):? {1,4})(?:(?=[a-z\u00df-\u00ff]{4,32}(?![a-z\u00df-\u00ff -])|[a-z\u00df-\u00ff]{4,32} (?:and|und|en|but|please|thanks) )(?![a-z]{0,30}(?:ed|ing|able|ible|less|ful|ive|ly|ous|ert|bar|lich)(?![a-z]))(?!${NO_PASSWORD}(?![a-z]))${VALUE}(?-i:[a-z\u00df-\u00ff]{4,32})(?=[.!;)]?[ \\t]*(?:[\\r\\n"']|\\\\[nr"]|$)|,[ \\t]|\\.[ \\t]|[ \\t](?:and|und|en|but|please|thanks)[ \\t])|(["'\`\u201c])(?!\\[REDACTED|\\s|(?:must|should|cannot|too (?:short|long|weak|common|simple)|not (?:set|valid|correct|allowed|found))(?![a-z])|(?:${NO_PASSWORD}|${DESCRIPTIONS.join('|')})["'\`\u201d])[^"'\`\u201d\\r\\n\\\\]{4,100}(?=["'\`\u201d]))`,
  'gi',
);
const SETTING = /set[ \t]/i;
const TELLING = / (?:is|was|ist|lautet|est|es|è|to):? | (?:for|of|on) [^\n:=]{1,120}(?::| =) /;
/** Of SQL. */
const SQL = regExpOf(
  `((?:identified[ \\t]{1,4}by[ \\t]{1,4}|password[ \\t]{1,4}|=[ \\t]{0,4}password\\()')(?!\\s)${VALUE}[^'\\r\\n]{1,200}(?=')`,
  'gi',
);

/** What chats and pages put around a name or a value. */
const MARKS = '(?:[*_ \\t]|</?[a-z]{1,10}>|&nbsp;|\\u001b\\[[0-9;]{0,12}m)';
/** `name: value` and `name = value`, of a header or of YAML; words of prose are short and have no digit. */
const STATED: Form = [
  `${MARKS}{0,4}(?:provided|\\([a-z0-9 _-]{1,20}\\)|\\[[a-z0-9 _-]{1,20}\\])?(?:::?|[=：＝])${MARKS}{0,8}[\\\\"'\`]{0,4}${VALUE}`,
  `(?![*_<\\s])(?=[^\\s0-9<]{0,64}[0-9]|[^\\s"'\\\\;,<>()\\[\\]{}]{16})[^\\s\\u001b"'\\\\;,<>()\\[\\]{}]{6,}`,
];
/** `name == 'value'`. */
const COMPARED: Form = [
  `[ \\t]{0,4}[=!]==?[ \\t]{0,4}["']`,
  `(?=[^\\s0-9]{0,64}[0-9]|[^\\s"']{16})[^\\s"'\\\\]{6,}`,
];
const LINE_END = '(?=["\'`]?[ \\t]{0,8}(?:\\r?\\n|$))';
/** A block of YAML: its first line whatever it is, and what is written on in the next ones. */
const BLOCK: Form = [
  `[ \\t]{0,4}:[ \\t]{1,4}[|>][+-]?[ \\t]{0,4}\\r?\\n[ \\t]{1,40}`,
  `[^\\s][^\\r\\n]*(?:\\r?\\n[ \\t]{1,40}[A-Za-z0-9+/=_-]{6,}${LINE_END}){0,500}`,
];
/** What is no secret, whatever letters and digits it has. */
const SECRET = `(?!${NO_SECRETS.join('|')})`;
/** On the line after the name, and alone there. */
const BELOW: Form = [
  `[*_]{0,3}[ \\t]{0,4}[:=：＝][*_]{0,3}(?:</[a-z]{1,10}>)?[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,40}){1,2}["'\`]?`,
  `${DIGIT}${LETTER}${SECRET}[^\\s"'\`<>(){}\\[\\],;:]{6,}${LINE_END}`,
];
/** The end of a value in prose: neither a call nor a part of something longer. */
const VALUE_END = '(?=["\'`*_\\\\]{0,3}(?:[\\s,;.!?|<)\\]]|$))';
const SIGN = '!@#$%^&*_.+=?~';
const VALUE_CHARS = `[a-z0-9${SIGN}-]{8,}`;
/** A letter and a digit in the value itself; its length is the cheapest to ask for. */
const ODD = `(?=[a-z0-9${SIGN}-]{6})(?=[a-z${SIGN}-]{0,64}[0-9])(?=[0-9${SIGN}-]{0,64}[a-z])`;
/** Mixed as prose is not: a digit before a letter, a sign among the letters, or both cases. */
const MIXED = `(?=[a-z${SIGN}]{0,64}[0-9]{1,64}[a-z]|[a-z0-9_.?~]{0,64}[@#$%^&*+=!][a-z0-9]|(?-i:(?=[a-z0-9${SIGN}]{0,64}[A-Z])[A-Z0-9${SIGN}]{0,64}[a-z]))`;
/** `name → value`, `name - value`, `| name | value |` where a line begins so. */
const POINTED: Form = [
  `[*_]{0,3}(?:[ \\t]{0,4}(?:=>|->|→|⇒)[ \\t]{0,4}|[ \\t]{1,4}[-–—][ \\t]{1,4}|[ \\t]{0,4}\\|(?<=(?:^|[\\r\\n])[ \\t]{0,8}\\|[^|\\r\\n]{0,40}\\|)[ \\t]{0,4}|</t[dh]>\\s{0,8}<t[dh]>)["'\`*_]{0,3}`,
  `${ODD}${MIXED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** Digits in two places, or a digit and a sign: hardly any name of a thing is so. */
const SCATTERED = `(?=[a-z${SIGN}]{0,64}[0-9]{1,64}[a-z${SIGN}]{1,64}[0-9]|[a-z0-9_.?~]{0,64}[@#$%^&*+=!][a-z0-9])`;
/** `name value`, `name (value)`. */
const FOLLOWED: Form = [
  `[ \\t]{1,4}(?:\\([ \\t]?)?["'\`*_]{0,3}`,
  `${ODD}${SCATTERED}${SECRET}${VALUE_CHARS}${VALUE_END}`,
];
/** `define('NAME', 'value')`: both arguments of a call. */
const ARGUMENT: Form = [
  `["'],[ \\t]{0,4}["']`,
  `${DIGIT}${LETTER}[^\\s"'\\\\]{6,}(?=["'][ \\t]{0,4}\\))`,
];
/** `[["name", "value"], …`: a list of pairs in the middle of a text. */
const PAIRED: Form = [
  `\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["']`,
  `(?<=[[,]\\s{0,8}\\[\\s{0,8}\\\\{0,8}["'][A-Za-z0-9_-]{1,60}\\\\{0,8}["'],[ \\t]{0,4}\\\\{0,8}["'])[^\\s"'\\\\][^"'\\\\\\r\\n]*(?=\\\\{0,8}["']\\s{0,8}\\])`,
];
/** `variable "name" { default = "value" }`. */
const DEFAULT: Form = [
  `["']?[ \\t]{0,4}[:=]?[ \\t]{0,4}\\{[^{}"]{0,200}(?:"[^"\\r\\n]{0,200}"[^{}"]{0,100}){0,3}(?:(?:default|value)\\s{0,8}=|"value"(?:\\s{0,8}:))\\s{0,8}"`,
  `[^"\\r\\n]+`,
];
/** `setPassword("value")`. */
const CALLED: Form = [`\\(["']`, `${ODD}${MIXED}${SECRET}${VALUE_CHARS}(?=["'][ \\t]{0,4}\\))`];
/** A plain word as the value of a setting: the whole line says nothing else. Of a header it is the rest of it. */
const SET_SO: Form = [
  `["'\\]]{0,2}[ \\t]{0,24}:[ \\t]{1,8}["']?`,
  `(?=(?-i:[a-z]))(?<=(?:^|[\\r\\n]|\\\\n)[ \\t]{0,40}(?:[-+] {1,4})?["']?(?:(?-i:[a-z])|[A-Z0-9_.-]{0,60}[_.-])[A-Z0-9_.-]{0,60}["']?[ \\t]{0,24}:[ \\t]{1,8}["']?|(?:user(?:name)?|login|e-?mail|account|benutzer(?:name)?|usuario|utente|utilisateur|identifiant|gebruiker):[^\\r\\n]{1,80}(?:\\r?\\n|[ ,;])[ \\t]{0,8}[a-z]{1,20}:[ \\t]{1,8}["']?|(?<![a-z0-9])(?:my|our|his|her|root|admin|user|wifi|temp(?:orary)?)[ \\t][a-z]{1,12}:[ \\t]{1,8}|(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8})(?<!secrets?["']?[ \\t]{0,24}:[ \\t]{1,8}["']?)(?!(?:${DESCRIPTIONS.join('|')})(?![a-z0-9]))(?-i:[a-z])[a-z0-9!@#$%^&*_.+=?~-]{3,63}(?=["']?[ \\t]{0,8}(?:#[^\\r\\n]{0,200})?(?:[\\r\\n]|\\\\[nr]|$)|(?<=(?<![a-z0-9])x-[a-z-]{1,40}:[ \\t]{1,8}[^\\s"']{4,64})["'])`,
];
/** The same of a file of settings with blanks about the sign: below the name of a section or of a user. */
const SET_IN_FILE: Form = [
  `[ \\t]{1,4}=[ \\t]{1,4}`,
  `(?=(?-i:[a-z]))(?<=(?:\\[[^\\]\\r\\n]{1,60}\\]|(?:user(?:name)?|login)[ \\t]{0,4}=[ \\t]{0,4}[^\\r\\n(]{1,80})\\r?\\n[a-z_.-]{1,40}[ \\t]{1,4}=[ \\t]{1,4})(?!(?:${DESCRIPTIONS.join('|')})(?![a-z0-9]))(?-i:[a-z])[a-z0-9!@#$%^&*+?~-]{3,63}(?=[ \\t]{0,8}(?:\\r?\\n|$))`,
];
const STATEMENTS = anyOf([
  ...[STATED, COMPARED, BLOCK, BELOW, POINTED, FOLLOWED, ARGUMENT, DEFAULT, CALLED],
  ...[SET_SO, SET_IN_FILE, PAIRED],
]);
const OTHER_GAP = `${MARKS}{0,8}(?:\\r?\\n[ \\t]{0,40})?["'\`]{0,2}(?![*_<\\s])`;
/** What stands right before is looked at first, then what follows: there are more colons than words with a digit behind one. */
const OTHERS = regExpOf(
  `([:=：＝](?<=[wplyseadtoiu*_"' \\t\\u0080-\\uffff][:=：＝])(?=${OTHER_GAP}[^\\s0-9:"'\`]{0,64}[0-9])${OTHER_NAME}${OTHER_GAP})${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}${VALUE_END}`,
  'gi',
);

const OTHERS_TOLD = regExpOf(
  `((?:${OTHER_WORDS.join('|')})(?:(?: [^\\s.,;:0-9]{1,20}){0,4} (?:est|is|ist|es|é|to) |(?<=\u043b\u044c)(?: [\u0430-\u044f\u0451]{1,12}){0,3} |(?<=[^\\0-\\x7f])[是は는은]? ?)["'\`]?)${ODD}${VALUE}${SECRET}[a-z0-9${SIGN}-]{6,}`,
  'gi',
);
const IS_TOLD = regExpOf(
  `${OTHER_TELLING}| (?:est|is|ist) (?<=(?:passe|woord|nwort)(?: [^\\s.,;:]{1,20}){0,4} (?:est|is|ist) )`,
);
const NAMED = `$1${REDACTED}`;

const withoutBoth = (_: string, before: string, between?: string) =>
  before + REDACTED + (between === undefined ? '' : between + REDACTED);

/** The text without what stands behind a name and is sure to be its value. */
export function withoutValues(text: string): string {
  let out = text;
  if (NAMED_VALUE.test(out)) {
    out = out.replace(VALUES.form, VALUES.named);
  }
  if (TELLING.test(out)) {
    out = out.replace(TOLD, NAMED).replace(TOLD_PLAINLY, `$1$2${REDACTED}`);
  }
  out = withoutLines(out);
  if (out.includes(' from ')) out = out.replace(CHANGED, withoutBoth);
  if (out.includes('ith ') || out.includes('sing ')) out = out.replace(USED, NAMED);
  if (SAYS_FORTY.test(out)) out = out.replace(FORTY, NAMED);
  if (SETTING.test(out)) out = out.replace(SET, NAMED);
  return out.includes(" '") || out.includes("('") ? out.replace(SQL, NAMED) : out;
}

/** The text without what only looks like a name's value: asked for last, when all other rules have had theirs. */
export function withoutStatements(text: string): string {
  const out = NAMED_VALUE.test(text) ? text.replace(STATEMENTS.form, STATEMENTS.named) : text;
  const others = out.replace(OTHERS, NAMED);
  return IS_TOLD.test(others) ? others.replace(OTHERS_TOLD, NAMED) : others;
}
