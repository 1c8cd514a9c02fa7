// Credentials in running text. Every pattern is linear: a class that repeats is never followed by what it could hold
// itself, and no match begins inside what another one has read to its end.
import { CREDENTIAL_WORDS, NO_VALUES, REDACTED, TOKEN_RULES } from './rules.ts';

/** A name and what follows it, before a value. */
const NAME_TRIGGER =
  '(?:[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Kk][Ee][Yy][_-]?[Ii][Dd]|[Pp][Ww][Dd]|[Pp][Aa][Ss][Ss](?:[Ww](?:[Oo][Rr])?[DdTt][0-9]{0,2}|[Pp][Hh][Rr][Aa][Ss][Ee]|[Cc][Oo][Dd][Ee])|[_"\'][Pp][Aa][Ss][Ss]|_BASE|[Ss]ignature)';
/** A name and what may stand between it and its value. */
const NAMING = `${NAME_TRIGGER}(?:[\\\\"']{0,8}\\s{0,4}[=:>%&]|["'][ ,\\r\\n]|[ \\t]{1,4}(?:is |was |ist |is:|'))`;
/**
 * A cheap look for anything that a rule could begin with. Most texts hold none of it. What has a rare character in it is
 * looked for by that one: a search that could begin with any letter takes twice the time.
 */
const TRIGGER = new RegExp(
  [
    '_(?<=(?:gw[a-z]|[prs]k|gh[pousr]|github_pat|whsec|npm|hf|gsk|r8|do[opr]_v1|shp[a-z]{2}|pcsk|figd|nfp|dckr_[op]at|sb_secret|sbp)_)',
    '_(?<=(?:lin_(?:api|oauth)|sntry[su]|pscale_[a-z]{2,5}|gl(?:sa|c)|lsv2_[ps][tk]|rubygems|fm[12][a-z]?|ntn|secret)_)',
    '_(?<=(?:tgp_v1|ph[cx]|rnd|jina|apify_api|wandb_v1|csb_v1|fw|e2b)_)',
    '-(?<=(?:sk|GOCSPX|gl[a-z]{2,4}|xox[a-z]|xapp|pypi|xai|pplx|nvapi|tvly|tskey|HRKU|PMAK|NRAK|CFPAT|sq0[a-z]{3}|bedrock|AGE|FLWSECK|FLWSECK_TEST|SWMTKN|fc|pa|pat)-)',
    '\\.(?<=(?:ya29|SG|AQ|hv[sbr]|dp|atlasv1)\\.)|\\.slack\\.com|\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27}|\\.(?<=s\\.)[A-Za-z0-9]{24}|/webhook|1//0|://|:AA|Q~|-us[0-9]|-[a-f0-9](?<=key-.)',
    'A(?:KI[AD]|SIA|BIA|CCA|BSK|Iza|TBB|T[AC]TT3)|(?:AC|SK)[a-f0-9]{8}|eyJ|LTAI|EAA|FlyV1|GR1348941|EZ[AT]K|dapi[0-9a-f]|Private-Lines|PRIVATE KEY',
    '[Bb](?:earer|asic|EARER|ASIC)|uthorization|UTHORIZATION|ookie:|OOKIE:|[?&](?:sig|code)=|-u | -p|--[a-z]|login[ \\t]|[Ii][Ee][Dd] [Bb][Yy] ',
    '[Ss](?:et|ET)[ \\t]{1,4}(?:[A-Za-z]{1,5}[ \\t]{1,4}){0,2}[Pp][Aa][Ss][Ss]',
    NAMING,
  ].join('|'),
);

const TOGETHER = TOKEN_RULES.filter(({ holding }) => holding === undefined);
const TOKENS = new RegExp(TOGETHER.map(({ pattern }) => `(${pattern})`).join('|'), 'g');
const ALONE = TOKEN_RULES.flatMap(({ holding, pattern, placeholder }) =>
  holding === undefined ? [] : [{ holding, placeholder, form: new RegExp(pattern, 'g') }],
);
/** In the query of a URL and in a form, too. */
const BEARER =
  /(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))bearer(?:[ \t]+|%20|\+)([A-Za-z0-9._~+/=-]{6,})/gi;
/** "Bearer authentication" is prose. */
const BEARER_TOKEN = /[0-9]|[a-z][A-Z]|^.{16}/;
const BEARER_PLACEHOLDER = /(?<![A-Za-z0-9])bearer[ \t]+\[REDACTED(?:_[A-Z_]{1,20})?\]/gi;
const BASIC = /(?<![A-Za-z0-9])basic[ \t]+([A-Za-z0-9+/]{4,}={0,2})/gi;
const KEY_BLOCK = /----(?:-BEGIN| BEGIN) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?/g;
const KEY_BLOCK_END = /----(?:-END| END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?/g;
const USER_INFO = /:\/\/([^\s/:@?#"'<>]*):(?!\[REDACTED\]@)([^\s/?#"'<>]+)@/g;

const NAMED_VALUE = new RegExp(NAMING);
const WORDS = `(?:${CREDENTIAL_WORDS.join('|')})`;
/**
 * What a rule put there before is no value, nor is what stands for one. Said here, and not where a match is replaced: a
 * function for each of a hundred thousand matches takes ten times as long.
 */
const VALUE = `(?!${NO_VALUES.join('|')})`;
/** Between a name and its value in quotes, up to where they close: blanks and quotes of the other kind are part of it. */
const IN_QUOTES = `(["']?[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}["'])${VALUE}(?![\\s)\\],;:.}])(?:(?<=")${untilQuote('"')}|(?<=')${untilQuote("'")})`;
function untilQuote(quote: string): string {
  const plain = `[^${quote}\\\\\\r\\n]`;
  return `${plain}+(?:\\\\[^\\r\\n]${plain}*){0,500}`;
}
/** `"name": "value"`, of JSON that is cut or stands among other text. */
const QUOTED = `(\\\\{0,8}["']\\s{0,8}:\\s{0,8}\\\\{0,8}["'])${VALUE}[^"'\\\\]+`;
/** The same in a URL's query, and in HTML. */
const ENCODED = `(%2[27](?:%20|\\+)?%3a(?:%20|\\+)?%2[27])${VALUE}(?:[^%\\s"'&]|%(?!2[27])[0-9a-f]{2})+`;
const IN_HTML = `(&(?:quot|apos|#34|#39);\\s{0,4}:\\s{0,4}&(?:quot|apos|#34|#39);)${VALUE}[^&\\r\\n]+`;
/** A part of a form with several: its value stands behind an empty line. */
const PART = `(["'](?<=name=["'][^"'\\r\\n]{0,64}["'])(?:\\r?\\n){2})${VALUE}[^\\s]+`;
/** `name=value`, of a query, a form, a shell or a connection string. */
const ASSIGNED = `([\\\\"']{0,8}(?:=|%3d)[\\\\"']{0,8})${VALUE}[^\\s&"'\\\\;,<>)}]+`;
/** `<name>value</name>`. */
const ELEMENT = `(>)${VALUE}[^<>\\s]{1,400}(?=</)`;
/** A name, and its value beside it in an attribute or a member of its own. */
const BESIDE = `(\\\\{0,8}["'](?:,\\s{0,8}\\\\{0,8}["']|[ \\t]{1,4})value\\\\{0,8}["']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["'])${VALUE}[^"'\\\\]+`;
/** All of them at once: to look for the names takes longer than all the rest. */
const VALUES = new RegExp(
  `(${WORDS})(?:${[IN_QUOTES, QUOTED, ASSIGNED, ELEMENT, BESIDE, ENCODED, IN_HTML, PART].join('|')})`,
  'gi',
);
const VALUES_NAMED = `$1$2$3$4$5$6$7$8$9${REDACTED}`;
/** `the password is value`: a word of prose has no digit, or a hyphen behind it. */
const TOLD =
  /((?:password|passwort|passphrase|passcode|(?:api|secret|access)[ _-]key) {1,4}(?:is|was|ist):? {1,4}["'`]?)(?=[^\s0-9]{0,64}[0-9])(?=[^\sa-z]{0,64}[a-z])[a-z0-9!@#$%^&*_.+=?]{6,}(?![a-z0-9-])/gi;
/** `set password value`, of a command or of a person. */
const SET =
  /(\b(?:re)?set[ \t]{1,4}(?:(?:the|your|my|our|new|his|her|their|a|user|root|admin)[ \t]{1,4}){0,2}(?:password|passwort|passphrase|passcode)[ \t]{1,4}(?:to:?[ \t]{1,4})?["'`]?)(?=[^\s0-9]{0,64}[0-9])(?=[^\sa-z]{0,64}[a-z])[a-z0-9!@#$%^&*_.+=?]{6,}(?![a-z0-9-])/gi;
const SETTING = /set[ \t]/i;
const TELLING = / (?:is|was|ist):? /;
/** Of SQL. */
const SQL = /((?:identified[ \t]{1,4}by|password)[ \t]{1,4}')(?!\[REDACTED)[^'\s]{1,200}(?=')/gi;
const SIGNATURE = /([?&]sig=)(?!\[REDACTED)[^\s&"'\\;,<>)}]+/g;
/** Parameters of a URL whose names alone tell little. */
const PARAMETER =
  /([?&](?:key|token|auth|signature)=)(?!\[REDACTED)(?=[^\s&0-9]{0,64}[0-9])[^\s&"'\\;,<>)}]{16,}/gi;
const CODE = /([?&]code=)(?=[^\s&0-9]{0,64}[0-9])[^\s&"'\\;,<>)}]{20,}/gi;
/** `https://token@host`. */
const TOKEN_INFO = /:\/\/(?=[^\s@/0-9]{0,64}[0-9])[A-Za-z0-9_-]{20,}@/g;
/** Of a command line. */
const FLAG = new RegExp(
  `(--(?!(?:max|min|next|stop|start|starting|eos|bos|pad)-)(?:[a-z]{1,20}-){0,4}(?:password|passwd|api-?key|secret|token)(?:=|[ \\t]{1,8})["']?)(?![-["'])${VALUE}[^\\s"'\\\\]+`,
  'gi',
);
const USER_FLAG = new RegExp(
  `((?<![^\\s"'])(?:-u|--user)[ \\t]{1,8}["']?[^\\s:"'\\\\]{1,64}:)(?!\\d{1,10}(?!\\S)|//)${VALUE}[^\\s"'\\\\]+`,
  'g',
);
/** Programs that take a password behind `-p`. */
const SHORT_FLAG =
  /((?<![a-z])(?:sshpass[ \t]{1,8}-p[ \t]{0,8}|mysql[a-z]{0,10}(?:[ \t]{1,4}(?!-p)[^\s;|&]{1,100}){0,8}[ \t]{1,4}-p)["']?)(?!\[REDACTED|\$)[^\s"'\\]+/g;
/** Of a .netrc; in prose the three words may stand together, too. */
const LOGIN =
  /(\blogin[ \t]{1,8}\S{1,100}\s{1,8}password[ \t]{1,8})(?!\[REDACTED)(?:(?<=machine[ \t]\S{1,100}\s{1,8}login[ \t]{1,8}\S{1,100}\s{1,8}password[ \t]{1,8})|(?=[^\s0-9]{0,64}[0-9]))[^\s"'\\]+/gi;
/** `name: value` and `name = value`, of a header or of YAML; words of prose are short and have no digit. */
const STATED = new RegExp(
  `(${WORDS}[ \\t]{0,4}[:=][ \\t]{0,8}[\\\\"']{0,4})${VALUE}(?=[^\\s0-9]{0,64}[0-9]|[^\\s"'\\\\;,<>()\\[\\]{}]{16})[^\\s"'\\\\;,<>()\\[\\]{}]{6,}`,
  'gi',
);
/** A header's credential, whatever it looks like; its scheme stays. */
const AUTHORIZATION = new RegExp(
  `(authorization[\\\\"']{0,8}[:=][ \\t]{0,8}[\\\\"']{0,8}(?:bearer|basic|negotiate|ntlm|sharedkey|sharedkeylite|api-?key|token|key)[ \\t]{1,8})${VALUE}[^\\s"'\\\\;,<>]+`,
  'gi',
);
/** One of a scheme that nobody here knows. */
const AUTHORIZATION_OTHER = new RegExp(
  `(authorization[\\\\"']{0,8}[:=][ \\t]{0,8}[\\\\"']{0,8}[a-z][a-z0-9-]{0,30}[ \\t]{1,8})${VALUE}(?=[^\\s0-9]{0,64}[0-9])[^\\s"'\\\\;,<>]{10,}`,
  'gi',
);
/** One whose parts are a list: to the end of the line. */
const AUTHORIZATION_LIST =
  /(authorization[\\"']{0,8}[:=][ \t]{0,8}[\\"']{0,8}(?:digest|signature|aws4-hmac-sha256|hmac[a-z0-9-]{0,20})[ \t]{1,8})(?!\[REDACTED)[^\r\n]+/gi;
/** One without a scheme. */
const AUTHORIZATION_BARE =
  /(authorization[\\"']{0,8}[:=][ \t]{0,8}[\\"']{0,8})(?!\[REDACTED|\S{1,40}[ \t]{1,8}\[REDACTED)(?=[^\s0-9]{0,64}[0-9])[^\s"'\\;,<>]{10,}/gi;
const COOKIE =
  /((?<![a-z0-9])(?:set-)?cookie:[ \t]{0,8})(?!\[REDACTED)[^\s=;"']{1,64}=[^\r\n"'\\]+/gi;

const NAMED = `$1${REDACTED}`;

/** Rewriting may bring to light what was part of something else; it ends after very few rounds. */
const ROUNDS_MAX = 8;

/** The text with placeholders for what looks like a credential; the same text where there is none. */
export function redactText(text: string): string {
  if (!TRIGGER.test(text)) return text;
  let before = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const after = once(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

function once(text: string): string {
  let out = text.includes('PRIVATE KEY') ? withoutKeyBlocks(text) : text;
  out = out.replace(BEARER, (whole, token: string) =>
    BEARER_TOKEN.test(token) ? `Bearer ${REDACTED}` : whole,
  );
  out = out.replace(TOKENS, (whole: string, ...groups: unknown[]) => {
    const rule = TOGETHER[groups.findIndex((group) => group !== undefined)];
    return rule === undefined || rule.only?.test(whole) === false ? whole : rule.placeholder;
  });
  for (const { holding, form, placeholder } of ALONE) {
    if (out.includes(holding)) out = out.replace(form, placeholder);
  }
  out = out.replace(BEARER_PLACEHOLDER, `Bearer ${REDACTED}`);
  out = out.replace(BASIC, (whole, encoded: string) =>
    isUserAndPassword(encoded) ? `Basic ${REDACTED}` : whole,
  );
  if (out.includes('://')) {
    out = out.replace(USER_INFO, `://$1:${REDACTED}@`).replace(TOKEN_INFO, `://${REDACTED}@`);
  }
  const isNamed = NAMED_VALUE.test(out);
  if (isNamed) {
    out = out.replace(VALUES, VALUES_NAMED);
    if (TELLING.test(out)) out = out.replace(TOLD, NAMED);
  }
  if (SETTING.test(out)) out = out.replace(SET, NAMED);
  if (out.includes(" '")) out = out.replace(SQL, NAMED);
  out = out.replace(SIGNATURE, NAMED);
  if (out.includes('?') || out.includes('&')) {
    out = out.replace(PARAMETER, NAMED).replace(CODE, NAMED);
  }
  if (out.includes('--')) out = out.replace(FLAG, NAMED);
  if (out.includes('-u')) out = out.replace(USER_FLAG, NAMED);
  if (out.includes(' -p')) out = out.replace(SHORT_FLAG, NAMED);
  if (out.includes('login')) out = out.replace(LOGIN, NAMED);
  if (/uthorization|UTHORIZATION/.test(out)) {
    out = out.replace(AUTHORIZATION, NAMED);
    out = out.replace(AUTHORIZATION_LIST, NAMED);
    out = out.replace(AUTHORIZATION_OTHER, NAMED);
    out = out.replace(AUTHORIZATION_BARE, NAMED);
  }
  out = out.replace(COOKIE, NAMED);
  return isNamed ? out.replace(STATED, NAMED) : out;
}

/** A block that was cut off ends with the text. */
function withoutKeyBlocks(text: string): string {
  let out = '';
  let at = 0;
  KEY_BLOCK.lastIndex = 0;
  for (;;) {
    KEY_BLOCK.lastIndex = at;
    const begin = KEY_BLOCK.exec(text);
    if (begin === null) return out + text.slice(at);
    out += `${text.slice(at, begin.index)}[REDACTED_PRIVATE_KEY]`;
    KEY_BLOCK_END.lastIndex = KEY_BLOCK.lastIndex;
    if (KEY_BLOCK_END.exec(text) === null) return out;
    at = KEY_BLOCK_END.lastIndex;
  }
}

function isUserAndPassword(encoded: string): boolean {
  const plain = Buffer.from(encoded, 'base64').toString('utf8');
  return /^[^\p{Cc}\ufffd]*:[^\p{Cc}\ufffd]*$/u.test(plain);
}
