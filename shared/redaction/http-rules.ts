// Rules for credentials in HTTP headers, cookies, URLs and calls in code. Every change raises REDACTION_VERSION in
// `rule.ts`.
import { isLongHex, isRandom } from './entropy.ts';
import { DIGIT, REDACTED, type Rule, START, UNREDACTED, VALUE } from './rule.ts';

/** "Bearer authentication" is prose and has no token. */
const BEARER_TOKEN = /[0-9]|[a-z][A-Z]|^[\s\S]{16}/;

/** Returns whether a text is `user:password` in base64. */
export function isUserAndPassword(encoded: string): boolean {
  const plain = Buffer.from(encoded, 'base64').toString('utf8');
  return /^[^\p{Cc}\ufffd]*:[^\p{Cc}\ufffd]*$/u.test(plain);
}

const AUTHORIZATION = 'authorization[\\\\"\']{0,8}[:=][ \\t]{0,8}[\\\\"\']{0,8}';
const SCHEMES = 'bearer|basic|negotiate|ntlm|sharedkey|sharedkeylite|api-?key|token|key';
const PARAMETER_SCHEMES =
  'digest|hawk|signature|aws4-hmac-sha256|oauth(?=[ \\t]{1,4}(?:realm|oauth_))|hmac[a-z0-9-]{0,20}';
/** The credential of an `Authorization` header (RFC 9110 §11.6.2); its scheme remains. */
const AUTHORIZATION_RULES: readonly Rule[] = [
  {
    id: 'bearer token',
    keywords: ['bearer'],
    // Also in the query of a URL and in a form.
    pattern: `${START}bearer(?:[ \\t]+|%(?:25){0,3}20|\\+)${UNREDACTED}[A-Za-z0-9._~+/=-]{6,}`,
    ignoresCase: true,
    replacement: `Bearer ${REDACTED}`,
    accepts: (value) =>
      BEARER_TOKEN.test(value.replace(/^bearer(?:[ \t]+|%(?:25){0,3}20|\+)/i, '')),
  },
  {
    id: 'basic credentials',
    keywords: ['basic'],
    pattern: `${START}basic[ \\t]+[A-Za-z0-9+/]{4,}={0,2}`,
    ignoresCase: true,
    replacement: `Basic ${REDACTED}`,
    accepts: (value) => isUserAndPassword(value.replace(/^basic[ \t]+/i, '')),
  },
  {
    id: 'authorization with a known scheme',
    keywords: ['authorization'],
    pattern: `(${AUTHORIZATION}(?:${SCHEMES})[ \\t]{1,8})${VALUE}[^\\s"'\\\\;,<>]+`,
    ignoresCase: true,
  },
  {
    // Parameters, up to the end of the line.
    id: 'authorization with parameters',
    keywords: ['authorization'],
    pattern: `(${AUTHORIZATION}(?:${PARAMETER_SCHEMES})[ \\t]{1,8})${UNREDACTED}[^\\r\\n]+`,
    ignoresCase: true,
  },
  {
    id: 'authorization with another scheme',
    keywords: ['authorization'],
    pattern: `(${AUTHORIZATION}[a-z][a-z0-9-]{0,30}[ \\t]{1,8})${VALUE}${DIGIT}[^\\s"'\\\\;,<>]{10,}`,
    ignoresCase: true,
  },
  {
    id: 'authorization without a scheme',
    keywords: ['authorization'],
    pattern: `(${AUTHORIZATION})(?!\\[REDACTED|\\S{1,40}[ \\t]{1,8}\\[REDACTED|(?:${SCHEMES}|${PARAMETER_SCHEMES})[ \\t])${DIGIT}[^\\s"'\\\\;,<>]{10,}`,
    ignoresCase: true,
  },
];

const HEADER_NAMES =
  'x-(?:session-id|auth|cookie|sentry-auth|honeycomb-team|jfrog-art-api|license-key|insert-key|goog-iap-jwt-assertion|amzn-oidc-data|ms-authorization-auxiliary|postmark-(?:server|account)-token|(?:hub|slack|twilio|hubspot|line|zm|shopify-hmac|vercel|paystack|gitea|gogs|razorpay)?-?signature(?:-(?:sha)?[0-9]{1,3}|-v[0-9])?)|(?:proxy-)?authorization(?=\\\\{0,8}["\']\\s{0,4}(?:,|:\\s{0,4}\\[))|(?:stripe|svix|paddle|webhook)-signature';
const HEADER_RULES: readonly Rule[] = [
  {
    id: 'credential header',
    keywords: ['x-', '-signature', 'authorization'],
    pattern: `((?<![A-Za-z0-9-])(?:${HEADER_NAMES})\\\\{0,8}["']?(?:[ \\t]{0,4}[:=][ \\t]{0,4}\\[?|\\s{0,4},\\s{0,4}(?:\\\\{0,8}["'][Vv]alue\\\\{0,8}["']\\s{0,4}:\\s{0,4})?(?=\\\\{0,8}["']))\\\\{0,8}["']?)${UNREDACTED}${DIGIT}(?:(?<=["'])|(?=\\S{8}))[^\\r\\n"'\\\\]{8,}`,
    ignoresCase: true,
  },
  {
    id: 'cookie header',
    keywords: ['cookie'],
    pattern: `(${START}(?:set-)?cookie:[ \\t]{0,8})${UNREDACTED}[^\\s=;"']{1,64}=[^\\r\\n"'\\\\]+`,
    ignoresCase: true,
  },
  {
    // `"Cookie": "name=value"` and `document.cookie = "…"`.
    id: 'cookie in quotes',
    keywords: ['cookie'],
    pattern: `((?<![A-Za-z0-9_])(?:set-)?cookie\\\\{0,8}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,8}["'\`])(?=[^\\s=;"'\\\\]{1,64}=[^\\s;"'\\\\0-9]{0,64}[0-9])${VALUE}[^\\r\\n"'\\\\\`]{8,}`,
    ignoresCase: true,
  },
  {
    id: 'session cookie',
    keywords: ['sessid=', 'sessionid', 'connect.sid=', 'laravel_session=', 'csrftoken='],
    pattern: `((?<![A-Za-z0-9_])(?:PHPSESSID|JSESSIONID|ASP\\.NET_SessionId|connect\\.sid|laravel_session|csrftoken|sessionid)=)${DIGIT}${VALUE}[^\\s"'\\\\;,<>&]{10,}`,
  },
];

/** The percent sign of a URL within a URL, `?next=https%3A%2F%2Fname%3Apassword%40host`, at any depth. */
const LEVEL = '%((?:25){0,3})';
/** A sign at the same depth, and a character that ends no part of the URL. */
const sign = (hex: string) => `%\\2(?:${hex})`;
const inUrl = (ends: string) => `(?:[^\\s%&"'<>\\\\]|%(?!\\2(?:${ends})))`;
/** The separator before a URL parameter, also in HTML and escaped JSON. */
const NEXT = '(?:[?&]|&amp;|\\\\u0026|\\\\x26)';
const URL_RULES: readonly Rule[] = [
  {
    // RFC 3986 §3.2.1, up to the last `@` before a query. A password may contain `#` only if it contains no `@`, because
    // the host would otherwise be part of it.
    id: 'user information of a URL',
    keywords: ['://'],
    pattern: `(:\\/\\/[^\\s/:@?#"'<>]*:)(?!\\[REDACTED[A-Z_]{0,24}\\]@|\\d{1,5}[?#])(?:[^\\s/?#"'<>]+|[^\\s/?"'<>]+)(?=@)`,
  },
  {
    // `https://token@host`.
    id: 'token as user of a URL',
    keywords: ['://'],
    pattern: `(:\\/\\/)(?=[^\\s@/0-9]{0,64}[0-9])[A-Za-z0-9_-]{20,}(?=@)`,
  },
  {
    // `https://token:x-oauth-basic@host`.
    id: 'token before the password of a URL',
    keywords: ['://'],
    pattern: `(:\\/\\/)(?=[^A-Z:]{0,40}[A-Z])(?=[^0-9:]{0,40}[0-9])[A-Za-z0-9_-]{20,200}(?=:[^\\s/@]{1,200}@)`,
    accepts: isRandom,
  },
  {
    id: 'signature of a URL',
    keywords: ['sig='],
    pattern: `(${NEXT}sig=)${UNREDACTED}[^\\s&"'\\\\;,<>)}]+`,
  },
  {
    id: 'parameter of a URL',
    keywords: ['key=', 'token=', 'auth=', 'signature=', 'jwt=', 'sid=', 'ticket=', 'sess'],
    pattern: `(${NEXT}(?:key|token|auth|signature|jwt|sid|ticket|sess(?:ion)?(?:_?id)?|phpsessid)=)(?!\\[REDACTED|[0-9a-f]{8}-[0-9a-f]{4}-)(?=[^\\s&0-9]{0,64}[0-9])[^\\s&"'\\\\;,<>)}]{16,}`,
    ignoresCase: true,
  },
  {
    id: 'authorization code',
    keywords: ['code='],
    pattern: `(${NEXT}code=)${UNREDACTED}(?=[^\\s&0-9]{0,64}[0-9])[^\\s&"'\\\\;,<>)}]{20,}`,
    ignoresCase: true,
  },
  {
    id: 'user information of an encoded URL',
    keywords: ['2f'],
    pattern: `(${LEVEL}3a(?:${sign('2f')}){2}(?:${inUrl('3a|2f|23|26|40')}{0,200}${sign('3a')}${UNREDACTED}|(?=[^\\s%0-9]{0,64}[0-9])(?=[A-Za-z0-9_-]{20,200}${sign('40')})))${inUrl('2f|23|26|40|3f')}{1,400}(?=${sign('40')})`,
    ignoresCase: true,
  },
  {
    id: 'parameter of an encoded URL',
    keywords: ['3d'],
    pattern: `(${LEVEL}(?:3f|26)(?:sig|(?:key|token|auth|signature|code)(?=${sign('3d')}[^\\s&0-9]{0,64}[0-9]))${sign('3d')})${UNREDACTED}${inUrl('26|23')}{16,}`,
    ignoresCase: true,
  },
  {
    id: 'link that authenticates its bearer',
    keywords: ['password', 'magic', 'invit'],
    pattern: `(/(?:(?:reset|forgot)[_-]?password|password[_-]?reset|magic[_-]?link|invite|invitation)/)[A-Za-z0-9_-]{20,}`,
    ignoresCase: true,
    accepts: (value) => isRandom(value) || isLongHex(value),
  },
];

const QUOTE = '[brf]?\\\\{0,8}["\']';
const BLANK = '\\s{0,20}';
/** An argument, evaluated or literal, and the comma after it. */
const ARGUMENT = `(?:${QUOTE}[^"'\\\\\\r\\n]{0,200}\\\\{0,8}["']|[^,"'(){}\\r\\n]{1,80}),${BLANK}`;
const NAME_ARGUMENT = `${QUOTE}[^"'\\\\\\r\\n]{1,100}\\\\{0,8}["'],${BLANK}`;
/** A literal object with nested objects. A repeated start opens a further brace, which limits repeated reading. */
const OBJECT = [1, 2].reduce((inner) => `\\{(?:[^{}]|${inner}){0,300}\\}`, '\\{[^{}]{0,300}\\}');
/** Credentials in call arguments by their position, in JavaScript, Python and Java. */
const CALLS: readonly (readonly [keyword: string, call: string])[] = [
  [
    'auth',
    `(?:[Bb]asic|BASIC|[Dd]igest|DIGEST)_?(?:[Aa]uth(?:entication)?|AUTH)\\(${BLANK}${NAME_ARGUMENT}`,
  ],
  ['credential', `[A-Z][A-Za-z]{0,40}Credentials?(?:\\.create)?\\(${BLANK}${NAME_ARGUMENT}`],
  ['credentials.basic', `(?<![A-Za-z])Credentials\\.basic\\(${BLANK}${NAME_ARGUMENT}`],
  ['secretcredential', `ClientSecretCredential\\(${BLANK}(?:${ARGUMENT}){2}`],
  ['keycredential', `KeyCredential\\(${BLANK}`],
  ['connect', `(?:MySQLdb\\.connect|getConnection)\\(${BLANK}(?:${ARGUMENT}){2}`],
  ['oracle', `(?:cx_Oracle|oracledb)\\.connect\\(${BLANK}${NAME_ARGUMENT}`],
  [
    '.login',
    `(?<![A-Za-z])(?:smtp|server|mail|imap|ftp|conn|session|client|s|m)\\.login\\(${BLANK}${NAME_ARGUMENT}`,
  ],
  ['createhmac', `createHmac\\(${BLANK}${NAME_ARGUMENT}`],
  ['hmac', `(?:(?<![A-Za-z])hmac\\.new|HMAC(?:256|384|512))\\(${BLANK}`],
  ['hs', `SignatureAlgorithm\\.HS(?:256|384|512),${BLANK}`],
  ['fernet', `(?<![A-Za-z])Fernet\\(${BLANK}`],
  ['cookieparser', `(?<![A-Za-z])cookieParser\\(${BLANK}`],
  [
    'jwt.',
    `(?<![A-Za-z])(?:jwt|JWT)\\.(?:encode|decode|sign|verify)\\(${BLANK}(?:${OBJECT}|[^"'{},\\r\\n]{1,100}),${BLANK}`,
  ],
];

const CODE_RULES: readonly Rule[] = [
  ...CALLS.map(([keyword, call]) => ({
    id: `call ${keyword}`,
    keywords: [keyword],
    pattern: `(${call}${QUOTE})${VALUE}[^"'\\\\\\r\\n]+`,
  })),
  {
    // `auth=("name", "password")`.
    id: 'pair of a login',
    keywords: ['auth'],
    pattern: `(${START}auth["']?[ \\t]?(?:=>?|:)[ \\t]?(?:[A-Za-z.]{1,40})?[([][ \\t]{0,4}["'][^"'\\r\\n]{1,64}["'],[ \\t]{0,4}["'])${VALUE}[^"'\\\\\\r\\n]+`,
  },
  {
    id: 'login in base64',
    keywords: ['auth'],
    pattern: `((?<![A-Za-z0-9])_?auth\\\\{0,8}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,8}["']?)[A-Za-z0-9+/]{12,1000}={0,2}`,
    ignoresCase: true,
    accepts: isUserAndPassword,
  },
];

export const HTTP_RULES: readonly Rule[] = [
  ...AUTHORIZATION_RULES,
  ...HEADER_RULES,
  ...URL_RULES,
  ...CODE_RULES,
];
