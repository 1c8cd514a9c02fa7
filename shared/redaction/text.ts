// Redacts credentials in running text. Every pattern is linear: a repeated class is never followed by a character of
// its own, and no match begins inside text that another match has read to its end.

import { CALL_SIGNS, redactCallArguments } from './call-arguments.ts';
import { COMMAND_SIGNS, COMMAND_TRIGGERS, COMMANDS } from './command-lines.ts';
import { HEADER_SIGN, redactCredentialHeaders } from './credential-headers.ts';
import {
  decodeBase64Runs,
  ENCODED_STARTS,
  HIDDEN_CHARACTER,
  normalizeHiddenText,
} from './decoding.ts';
import { ENTROPY_TRIGGER, isRandom, redactByEntropy } from './entropy.ts';
import { replaceTokens, replaceTokensInside, TOKENS } from './find-tokens.ts';
import {
  NAME_SIGNS,
  NAME_TRIGGERS,
  QUOTED_NAME,
  redactNamedStatements,
  redactNamedValues,
  SETTING_NAME,
} from './key-names.ts';
import { applyKeywordRules } from './keyword-rules.ts';
import { KUBERNETES_TRIGGER, redactKubernetesSecrets } from './kubernetes-secrets.ts';
import { CODE_SIGNS, CODE_TRIGGERS, redactOneTimeCodes } from './one-time-codes.ts';
import { OUTPUT_SIGNS, OUTPUTS } from './program-output.ts';
import { compilePattern } from './regular-expressions.ts';
import { REDACTED, START, VALUE } from './rules.ts';
import { INSERT_TRIGGER } from './sql-inserts.ts';
import { RULED_TRIGGER, redactTables, TABLE_TRIGGER } from './tables.ts';

/**
 * A prefilter that most texts fail. A pattern with a rare character is searched by that character, because a search
 * that could begin with any letter takes twice the time. None of these begins with a lower-case letter or a blank, of
 * which most texts consist; `look` skips these positions.
 */
const TOKEN_SIGNS = [
  '_(?<=(?:gw[a-z]|[prs]k|gh[pousr]|github_pat|whsec|npm|hf|gsk|r8|do[opr]_v1|shp[a-z]{2}|pcsk|figd|nfp|dckr_[op]at|sb_secret|sbp)_)',
  '_(?<=(?:lin_(?:api|oauth)|sntry[su]|fig[our]|dd(?:app|pat)|mdb_sa_sk|CCDB1|tmprl|nyk_v0|crsr|polar_[a-z]{2,10}|lin_wh|rzp_(?:live|test)|rootly|api_org|unkey|lsk|retool|tr_(?:prod|dev)|pscale_[a-z]{2,5}|gl(?:sa|c)|lsv2_[ps][tk]|rubygems|fm[12][a-z]?|ntn|secret)_)',
  '_(?<=(?:tgp_v1|ph[cx]|rnd|jina|apify_api|wandb_v1|csb_v1|fw|e2b)_)',
  '_(?<=(?:vc[piark]|rw|cf(?:ut|at|k)|n8n_api|duffel_(?:test|live)|fo1|CCIP(?:AT|RJ)|sgp|bkua|sq[pua]|pnu|rdme|napi|tfp|rpa|y0|esecret|hca[a-z]k|CLOJARS|org|key|live|test|[a-f0-9]{32})_)|_(?<=(?<!(?<!\\\\)[A-Za-z])re_[A-Za-z0-9]{8}_)',
  '-(?<=(?:sk|sess|xwfp|dnkey|signkey-(?:prod|test|branch)|secret-(?:live|test)|cr|NRJS|NRIQ|NRIU|PMAT|GOCSPX|gl[a-z]{2,5}|xox[a-z]|xapp|pypi|xai|pplx|nvapi|tvly|tskey|HRKU|PMAK|NRAK|CFPAT|sq0[a-z]{3}|bedrock|AGE|FLWSECK|FLWSECK_TEST|SWMTKN|fc|pa|pat|fio-u|xkeysib|xsmtpsib|tk-[ue][us]|pul|p8e|ico|csk|A3|NRII|API|sdk|v1\\.0|a[ks])-)|-apis(?<=open-apis)|-(?<=access-(?:sandbox|development|production)-)',
  '\\.(?:[A-Za-z0-9](?<=[a-f0-9]{32}\\..)[A-Za-z0-9]{15}|[a-z0-9](?<=[a-z0-9]{6}\\..)[a-z0-9]{15}|eu1?\\.make|(?:eu|us)[0-9]\\.make|n8n\\.cloud|zapier|[A-Za-z0-9_-]{60}(?<=sl\\..{60})|B(?<=sl\\.B)|(?:zapier|ifttt)\\.com|com(?<=office\\.com|discord\\.com|discordapp\\.com)%)|:(?<=[0-9]{10}:)[a-f0-9]{32}|%(?:25){0,3}(?:3AAA|2[Ff]webhook)|[A-Z0-9](?<=cio[a-z]{0,3}.)|VmdGtu|BSA|NRAL|IGQV|AAAAAAAAAAAAAAAA|9rOj(?<=dG9rOj)|==(?<=[A-Za-z0-9+/]==)(?<=[A-Za-z0-9+/]{86}==)|-[a-f0-9](?<=[a-f0-9]{32}-.)|-(?<=api-)[a-f0-9]{8}-|4b1d|00[A-Za-z0-9_-]{40}|\\|(?<=-[0-9]{1,4}\\|)[A-Za-z0-9]{20}|\\|WARNING',
  '\\.(?<=(?:ya29|SG|AQ|hv[sbr]|dp|atlasv1|dt0[a-z][0-9]{2}|snyk_[su]at|sl\\.u|mlsn|pat[A-Za-z0-9]{14})\\.)|\\.(?<=t1\\.)[A-Za-z0-9_-]{20}|\\.(?<=pat\\.)[A-Za-z0-9_-]{22}\\.|2(?<=oy2)[a-z0-9]{40}|:(?<=oauth:)[a-z0-9]{30}|\\.slack\\.com|\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27}|\\.(?<=s\\.)[A-Za-z0-9]{24}|/webhook|1//0|:AA|Q~|-us[0-9]|-[a-f0-9](?<=key-.)',
  '!(?<=00D[A-Za-z0-9]{12,15}!)|\\.(?<=1000\\.[a-f0-9]{32}\\.|\\.mws\\.|k8s\\.io\\.)|\\|(?<=Atz[ar]\\|)|:APA91b|\\^(?<=#t\\^)|-(?<=ctx7sk-)|\\$(?<=\\$production\\$)',
  'A(?:QVN|KCp|KI[AD]|SIA|BIA|CCA|BSK|Iza|TBB|T[AC]TT3)|(?:AC|SK)[a-f0-9]{8}|LTAI|EAA|FlyV1|GR1348941|EZ[AT]K|Private-Lines|JQQJ99|\\+A(?:St|Sb|Eh|IoT|CDb)',
];
const TOKEN_LETTERS = ['eyJ|d(?:api|kea|ose)[0-9a-f]{8}'];
const isSmall = (start: string) => /^[^A-Z0-9]/.test(start);
const encoded = (starts: readonly string[]) => `(?:${starts.join('|')})[A-Za-z0-9+/_-]{20}`;

/** Compiles a prefilter. Patterns that may begin with a lower-case letter or a blank belong to `others`. */
function look(signs: readonly string[], others: readonly string[]): RegExp {
  const small = others.join('|');
  return compilePattern(`(?=[^a-z ])(?:${signs.join('|')}|${small})|(?=[a-z ])(?:${small})`);
}
const TOKEN = look(TOKEN_SIGNS, TOKEN_LETTERS);
const TRIGGER = look(
  [
    ...TOKEN_SIGNS,
    '://|%(?:25){0,3}(?:3[Aa]%|3[Dd](?<=(?:sig|code)%(?:25){0,3}3[Dd]))|PRIVATE(?: |%20|\\+)KEY|UTHORIZATION|OOKIE:|=(?<=[gesnd]=)(?<=(?:[?&]|amp;|u0026|x26)(?:sig|code|sess(?:ion)?(?:_?id)?|phpsessid)=)',
    '\\$(?:[1256y7]|2[abxy]|gy|apr1|argon2[id]{1,2}|scrypt|pbkdf2[a-z0-9-]{0,10})\\$|_sha(?:1|256|512)\\$|\\{SS?HA|\\$(?<=(?:pbkdf2:sha[0-9]{1,3}(?::[0-9]{1,9})?|scrypt:[0-9:]{5,30}|SCRAM-SHA-256)\\$)|:::',
    encoded(ENCODED_STARTS.filter((start) => !isSmall(start))),
    ENTROPY_TRIGGER,
    KUBERNETES_TRIGGER,
    TABLE_TRIGGER,
    RULED_TRIGGER,
    INSERT_TRIGGER,
    HEADER_SIGN,
    ...CALL_SIGNS,
    ...CODE_SIGNS,
    ...COMMAND_SIGNS,
    ...OUTPUT_SIGNS,
    ...NAME_SIGNS,
  ],
  [
    ...TOKEN_LETTERS,
    '[Bb](?:earer|asic|EARER|ASIC)|uthorization|ookie:|[Ii][Ee][Dd] [Bb][Yy] ',
    encoded(ENCODED_STARTS.filter(isSmall)),
    ...CODE_TRIGGERS,
    ...COMMAND_TRIGGERS,
    ...NAME_TRIGGERS,
  ],
);

/** Credentials in decoded base64. */
const ENCODED_CREDENTIAL = compilePattern(
  `${QUOTED_NAME}|${SETTING_NAME}|[Bb]earer [A-Za-z0-9._~+/=-]{16}|PRIVATE KEY|://[^\\s:/@]{0,64}:[^\\s:/@]{1,200}@|${TOKENS.source}`,
  'g',
);
/** A bearer token, also in the query of a URL and in a form. */
const BEARER = compilePattern(
  `${START}bearer(?:[ \\t]+|%(?:25){0,3}20|\\+)([A-Za-z0-9._~+/=-]{6,})`,
  'gi',
);
/** "Bearer authentication" is prose and has no token. */
const BEARER_TOKEN = /[0-9]|[a-z][A-Z]|^.{16}/;
const BEARER_PLACEHOLDER = compilePattern(
  `${START}bearer[ \\t]+\\[REDACTED(?:_[A-Z_]{1,20})?\\]`,
  'gi',
);
const BASIC = compilePattern(`${START}basic[ \\t]+([A-Za-z0-9+/]{4,}={0,2})`, 'gi');
/** The header line of a PEM block, with the encodings of a blank in URLs and forms. */
function keyLine(word: string): string {
  return `----(?:-| )${word}(?: |%20|\\+)[A-Z0-9 %+]{0,40}PRIVATE(?: |%20|\\+)KEY(?:(?: |%20|\\+)BLOCK)? ?-----?`;
}
const KEY_NAME = /PRIVATE(?: |%20|\+)KEY/;
const KEY_BLOCK = compilePattern(keyLine('BEGIN'), 'g');
const KEY_BLOCK_END = compilePattern(keyLine('END'), 'g');
/**
 * The user information of a URL (RFC 3986 §3.2.1), up to the last `@` before a query. A password may contain `#` only
 * if it contains no `@`, because the host would otherwise be part of it.
 */
const USER_INFO =
  /:\/\/([^\s/:@?#"'<>]*):(?!\[REDACTED\]@|\d{1,5}[?#])(?:[^\s/?#"'<>]+|[^\s/?"'<>]+)@/g;

/** The percent sign of a URL within a URL, `?next=https%3A%2F%2Fname%3Apassword%40host`, at any depth. */
const LEVEL = '%((?:25){0,3})';
/** A sign at the same depth, and a character that ends no part of the URL. */
const sign = (hex: string) => `%\\2(?:${hex})`;
const inUrl = (ends: string) => `(?:[^\\s%&"'<>\\\\]|%(?!\\2(?:${ends})))`;
const USER_INFO_IN_URL = compilePattern(
  `(${LEVEL}3[aA](?:${sign('2[fF]')}){2}${inUrl('3[aAfF]|2[fF36]|40')}{0,200}${sign('3[aA]')})(?!\\[REDACTED\\])${inUrl('2[fF36]|40|3[fF]')}{1,400}(?=${sign('40')})`,
  'g',
);
const TOKEN_INFO_IN_URL = compilePattern(
  `(${LEVEL}3[aA](?:${sign('2[fF]')}){2})(?=[^\\s%0-9]{0,64}[0-9])[A-Za-z0-9_-]{20,200}(?=${sign('40')})`,
  'g',
);
const PARAMETER_IN_URL = compilePattern(
  `(${LEVEL}(?:3[fF]|26)(?i:sig|(?:key|token|auth|signature|code)(?=${sign('3d')}[^\\s&0-9]{0,64}[0-9]))${sign('3[dD]')})(?!\\[REDACTED)${inUrl('26|23')}{16,}`,
  'g',
);
const IN_URL = /%(?:25){0,3}(?:3[AaFf]|26)/;

/** The separator before a URL parameter, also in HTML and escaped JSON. */
const NEXT = '(?:[?&]|&amp;|\\\\u0026|\\\\x26)';
/** `https://token:x-oauth-basic@host`: the user name is the token. */
const TOKEN_NAME =
  /:\/\/(?=[^A-Z:]{0,40}[A-Z])(?=[^0-9:]{0,40}[0-9])([A-Za-z0-9_-]{20,200}):\[REDACTED\]@/g;

const SIGNATURE = compilePattern(`(${NEXT}sig=)(?!\\[REDACTED)[^\\s&"'\\\\;,<>)}]+`, 'g');
/** URL parameters with generic names. */
const PARAMETER = compilePattern(
  `(${NEXT}(?:key|token|auth|signature|jwt|sid|ticket|sess(?:ion)?(?:_?id)?|phpsessid)=)(?!\\[REDACTED|[0-9a-f]{8}-[0-9a-f]{4}-)(?=[^\\s&0-9]{0,64}[0-9])[^\\s&"'\\\\;,<>)}]{16,}`,
  'gi',
);
const CODE = compilePattern(
  `(${NEXT}code=)(?=[^\\s&0-9]{0,64}[0-9])[^\\s&"'\\\\;,<>)}]{20,}`,
  'gi',
);
/** `https://token@host`. */
const TOKEN_INFO = /:\/\/(?=[^\s@/0-9]{0,64}[0-9])[A-Za-z0-9_-]{20,}@/g;
/** The credential of an `Authorization` header (RFC 9110 §11.6.2); its scheme remains. */
const AUTHORIZATION = compilePattern(
  `(authorization[\\\\"']{0,8}[:=][ \\t]{0,8}[\\\\"']{0,8}(?:bearer|basic|negotiate|ntlm|sharedkey|sharedkeylite|api-?key|token|key)[ \\t]{1,8})${VALUE}[^\\s"'\\\\;,<>]+`,
  'gi',
);
/** The credential of an unknown scheme. */
const AUTHORIZATION_OTHER = compilePattern(
  `(authorization[\\\\"']{0,8}[:=][ \\t]{0,8}[\\\\"']{0,8}[a-z][a-z0-9-]{0,30}[ \\t]{1,8})${VALUE}(?=[^\\s0-9]{0,64}[0-9])[^\\s"'\\\\;,<>]{10,}`,
  'gi',
);
/** A scheme with a list of parameters, up to the end of the line. */
const AUTHORIZATION_LIST =
  /(authorization[\\"']{0,8}[:=][ \t]{0,8}[\\"']{0,8}(?:digest|hawk|signature|aws4-hmac-sha256|oauth(?=[ \t]{1,4}(?:realm|oauth_))|hmac[a-z0-9-]{0,20})[ \t]{1,8})(?!\[REDACTED)[^\r\n]+/gi;
/** A credential without a scheme. */
const AUTHORIZATION_BARE =
  /(authorization[\\"']{0,8}[:=][ \t]{0,8}[\\"']{0,8})(?!\[REDACTED|\S{1,40}[ \t]{1,8}\[REDACTED)(?=[^\s0-9]{0,64}[0-9])[^\s"'\\;,<>]{10,}/gi;
/** `auth=("name", "password")` in code. */
const LOGIN_PAIR = compilePattern(
  `(${START}auth["']?[ \\t]?(?:=>?|:)[ \\t]?(?:[A-Za-z.]{1,40})?[([][ \\t]{0,4}["'][^"'\\r\\n]{1,64}["'],[ \\t]{0,4}["'])${VALUE}[^"'\\\\\\r\\n]+`,
  'g',
);
const ENCODED_LOGIN =
  /(?<![A-Za-z0-9])(_?auth\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?)([A-Za-z0-9+/]{12,1000}={0,2})/gi;
const COOKIE = compilePattern(
  `(${START}(?:set-)?cookie:[ \\t]{0,8})(?!\\[REDACTED)[^\\s=;"']{1,64}=[^\\r\\n"'\\\\]+`,
  'gi',
);

const NAMED = `$1${REDACTED}`;

/**
 * The maximum number of rounds. A replacement may expose a credential that was part of something else; few rounds
 * suffice.
 */
const ROUNDS_MAX = 8;

/** Replaces credentials in a text by placeholders. Returns the same text if it contains none. */
export function redactText(text: string): string {
  const shown = redactLetters(text);
  if (!HIDDEN_CHARACTER.test(shown)) return shown;
  const read = normalizeHiddenText(shown);
  const after = read === shown ? read : redactLetters(read);
  // Without a hidden credential, invisible and full-width characters remain, because most have a legitimate use.
  return after === read ? shown : after;
}

/**
 * Redacts a text without hidden characters. The steps run in turn until each has left the text unchanged; a step after
 * the last change is not repeated.
 */
function redactLetters(text: string): string {
  if (!TRIGGER.test(text)) return text;
  let shown = text;
  // A placeholder never introduces a token format, so that the token step can be skipped.
  const steps = TOKEN.test(text) ? STEPS : STEPS_BUT_TOKENS;
  let left = steps.length;
  for (let n = 0; left > 0 && n < ROUNDS_MAX * steps.length; n++) {
    const step = steps[n % steps.length] as (text: string) => string;
    const after = step(shown);
    left = after === shown ? left - 1 : steps.length;
    shown = after;
  }
  return shown;
}

/** All keyword rules, which share a single index of character pairs. */
const RULED = [...COMMANDS, ...OUTPUTS];

/** The steps of redaction in their order. Each returns the same string if it finds nothing. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => (KEY_NAME.test(text) ? redactKeyBlocks(text) : text),
  redactKubernetesSecrets,
  (text) =>
    text.replace(BEARER, (whole, token: string) =>
      BEARER_TOKEN.test(token) ? `Bearer ${REDACTED}` : whole,
    ),
  redactTokens,
  replaceTokensInside,
  redactEncoded,
  (text) =>
    text
      .replace(BEARER_PLACEHOLDER, `Bearer ${REDACTED}`)
      .replace(BASIC, (whole, encoded: string) =>
        isUserAndPassword(encoded) ? `Basic ${REDACTED}` : whole,
      ),
  redactUserInfo,
  redactNamedValues,
  redactParameters,
  (text) =>
    text
      .replace(LOGIN_PAIR, NAMED)
      .replace(ENCODED_LOGIN, (whole, name: string, encoded: string) =>
        isLogin(encoded) ? name + REDACTED : whole,
      ),
  redactCallArguments,
  (text) => applyKeywordRules(text, RULED),
  redactAuthorization,
  redactCredentialHeaders,
  (text) => text.replace(COOKIE, NAMED),
  redactNamedStatements,
  redactByEntropy,
  redactOneTimeCodes,
  redactTables,
];
const STEPS_BUT_TOKENS = STEPS.filter((step) => step !== redactTokens);

function redactTokens(text: string): string {
  return TOKEN.test(text) ? replaceTokens(text) : text;
}

function redactUserInfo(text: string): string {
  if (!text.includes('://')) return text;
  return text
    .replace(USER_INFO, `://$1:${REDACTED}@`)
    .replace(TOKEN_INFO, `://${REDACTED}@`)
    .replace(TOKEN_NAME, (whole, name: string) =>
      isRandom(name) ? `://${REDACTED}:${REDACTED}@` : whole,
    );
}

function redactParameters(text: string): string {
  let out = text.replace(SIGNATURE, NAMED);
  if (out.includes('?') || out.includes('&') || out.includes('26')) {
    out = out.replace(PARAMETER, NAMED).replace(CODE, NAMED);
  }
  if (IN_URL.test(out)) {
    out = out.replace(USER_INFO_IN_URL, NAMED).replace(TOKEN_INFO_IN_URL, NAMED);
    out = out.replace(PARAMETER_IN_URL, NAMED);
  }
  return out;
}

const AUTHORIZATION_NAMED = /uthorization|UTHORIZATION/;
function redactAuthorization(text: string): string {
  if (!AUTHORIZATION_NAMED.test(text)) return text;
  return text
    .replace(AUTHORIZATION, NAMED)
    .replace(AUTHORIZATION_LIST, NAMED)
    .replace(AUTHORIZATION_OTHER, NAMED)
    .replace(AUTHORIZATION_BARE, NAMED);
}

/** Redacts base64 whose decoded content contains a credential. */
function redactEncoded(text: string): string {
  const runs = decodeBase64Runs(text);
  if (runs === null) return text;
  const { starts, ends, opened, opens } = runs;
  let out = '';
  let at = 0;
  let run = 0;
  ENCODED_CREDENTIAL.lastIndex = 0;
  for (;;) {
    const found = ENCODED_CREDENTIAL.exec(opened);
    if (found === null) return at === 0 ? text : out + text.slice(at);
    while ((opens[run + 1] ?? Number.POSITIVE_INFINITY) <= found.index) run++;
    out += `${text.slice(at, starts[run])}${REDACTED}`;
    at = ends[run] as number;
    ENCODED_CREDENTIAL.lastIndex = opens[run + 1] ?? opened.length;
  }
}

/** A truncated block ends with the text. */
function redactKeyBlocks(text: string): string {
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

/** Returns whether a value is `user:password` in base64, as registry configurations contain below `auth`. */
export function isLogin(value: string): boolean {
  return /^[A-Za-z0-9+/]{12,1000}={0,2}$/.test(value) && isUserAndPassword(value);
}

function isUserAndPassword(encoded: string): boolean {
  const plain = Buffer.from(encoded, 'base64').toString('utf8');
  return /^[^\p{Cc}\ufffd]*:[^\p{Cc}\ufffd]*$/u.test(plain);
}
