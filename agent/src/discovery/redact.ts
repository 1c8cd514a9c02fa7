// The one place where secrets are cut out of what is about to leave the device: arguments, URLs, headers, free text.
// Two strengths. `cut…` takes out what is known or shaped like a secret: the form that is hashed, so that a new token is
// no drift and a new argument is. `show…` keeps only what is recognisably harmless: the form that is sent.
// Every pattern is linear in time: the text may come from a hostile home.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';

export const CUT = '[cut]';
/** Longer arguments are whole programs or data: of them only a beginning counts. */
const MAX_ARGUMENT = 8192;

/** Also where it is written together with what it is of: `githubtoken`, `pgpassword`. */
const SECRET_ENDING =
  /(tokens?|secrets?|passwords?|passwd|pwd|passphrases?|passcodes?|credentials?|cookies?|(api|auth|access|private|secret|signing|license|account|master|service|shared|ssh|encryption|client|app|admin|user)keys?|(db|user|admin|root|my|sql|app|smtp|mail|login|auth|store|key)pass)$/;
const SECRET_WORD =
  /(^|-)(api-?keys?|keys?|tokens?|secrets?|passwords?|passwd|passw|pwd|psw|pw|pass|passphrase|passwort|kennwort|auth|authorization|bearer|credentials?|creds|cookies?|session|jwt|pat|signature|sig|sas|dsn|webhook|connection-?string|conn-?str|licen[cs]e|pin|otp|totp|psk|tok|sid|seed|salt|hmac|mnemonic|unlock|(access|auth)-code)(-|$)/;
const SHORT_SECRET_FLAGS = /^-[ktupawsKTUPAWS]$/;
const HEADER_FLAGS = /^(-H|--?([a-z]+[-_]?)?headers?)$/i;
const ENVIRONMENT_FLAGS =
  /^(-e|--?([a-z]+[-_])?env(ironment)?([-_]?var(iable)?s?)?|--build-arg|--secret-env)$/i;
/** Flags that take a name and its value as two words. */
const SETTING_FLAGS = /^--?(set|param(eter)?|opt(ion)?|prop(erty)?|arg|field|define|D|o)$/;
/** Words that are written behind one dash: what else stands there in one word may be a short flag and its secret. */
const WORDS_BEHIND_ONE_DASH =
  /^-(addr|address|all|allow|api|app|args|async|account|arch|Xm[sx]\w*|XX:\S*|ea|[a-z]*config|env|endpoint|enable|encoding|entry|events?|exec|eval|extra|experimental|ext|http|https|help|host|host(name)?|kube\w*|kind|keepalive|package|parent|path|pid|ping|pipe|plain|plugins?|pool|port|prefix|preload|preset|print|private|prod|profile|project|prompt|protocol|provider|proxy|public|table|tags?|target|tcp|team|temp|tenant|test|threads?|timeout|tls|tools?|toolsets?|topic|trace|transport|trust|tty|type|upstream|url|uri|unix|update|use|user|username|server|scope|silent|source|sse|stdio|store|stream|strict|schema|site|state|socket|workspace|watch|web|write|workers?|warn|kubeconfig|module|command)$/;
/** Flags of secrets that begin like a short flag and its value. */
const SECRET_BEHIND_ONE_DASH =
  /^-((token|password|secret|key|pass|webhook|session)([-_]\w+)*|tok|passwd|pwd|passphrase|pat|pin|psk|secrets|keys|keypass|storepass|private-?key|personal-access-token|shared-?key|service-?key|ssh-?key|signature|sig|sas|sid|seed|salt|unlock)$/i;
/** What a short flag may be followed by that tells nothing: a transport, a port, an account's number, a package, a path. */
export const PLAIN_VALUE =
  /^(stdio|sse|https?|tcp|ws|wss|websocket|streamable-?http|streamablehttp|json|text|yaml|tcp4|unix|always|true|false|yes|no|on|off|root|nobody|node|default|all|none|read|write|info|debug|\d{1,5}(:\d{1,5}){0,2}(\/(tcp|udp))?|=\d[\w.]{0,24}|@?[\w./-]{1,128}@v?\d[\w.-]{0,24}|@?[\w.-]{1,64}(\/[\w.:@-]{1,128})+|[~.]{0,2}\/[^\s]{0,256}|[A-Za-z]:[\\/][^\s]{0,256})$/;
/** Words that stand between a secret's name and the secret. */
const SCHEME_WORD = /^["']?(bearer|basic|token|digest|api-?key|negotiate)["']?[:=]?$/i;
/** A word of its own that says that the next one is a secret. */
const NAMING_WORD =
  /^["'/+]?((x-)?(api|access|auth|secret)?[-_]?(token|key|secret|password|passwd|pwd|pass|passphrase)|((proxy-)?authorization|cookie|x-[a-z-]{1,40}(key|token|secret))|bearer|basic)["']?[:=]?$/i;

/** What makers of tokens begin theirs with. */
const KNOWN_SECRET =
  /(?:sk-|sk_|rk_|pk_|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|gldt-|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ|npm_|pypi-|hf_|dop_v1_|shp(?:at|ss|ca)_|SG\.|lin_api_|figd_|ntn_|secret_|sntrys_|sntryu_|tvly-|fc-|gw[a-z]_|r8_|pplx-|gsk_|xai-|AGE-SECRET-KEY-|whsec_|key-|pat-|atlasv1\.|vault:|hvs\.|dapi)[A-Za-z0-9_+/=.-]{8,}/g;
const SCHEME_SECRET = /\b(bearer|basic|token|digest)\s+[A-Za-z0-9_+/=.~:-]{4,}/gi;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi;
/** A flag of a command line that stands in a text. */
const FLAG_IN_TEXT = /(^|[\s"'`(])(--?[A-Za-z][\w.-]{0,63})(\s{1,4}|=)(["']?)([^\s"']{1,4096})/g;
/** User info without a scheme before it: `user:password@host`, as drivers of databases take it. */
const USER_INFO =
  /(?<![\w.+-])(?!(?:npm|jsr|git|github|gitlab|file|pypi|workspace|mailto|acct):)([\w.%+~-]{0,128}):(?![\\/])([^\s@/"'<>`]{1,256})@(?!sha256:)(?=[\w([])/g;
/** `user/password@host:1521/service`, as Oracle's tools take it. */
const ORACLE_USER =
  /(?<![\w./-])([\w$#]{1,64})\/(?!\[cut)([^\s/@"']{1,256})@(?!sha256:)(?=\/\/|[\w.-]{1,255}:\d)/g;
const PRIVATE_KEY = /-----BEGIN [^-]{1,64}-----[\s\S]*/;
/** `name=value`, `name: value`, `"name": "value"` somewhere in a text. */
const PAIR =
  /([A-Za-z_][A-Za-z0-9_.-]{0,63})(["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"',;&|}\]]{1,4096})/g;
const RUN = /[A-Za-z0-9_+/=~.-]{16,}/g;

/** True where a flag, variable or key of this name holds a secret. */
export function isSecretName(name: string): boolean {
  // However wide its letters are, and whatever cannot be seen between them.
  const plain = name
    .slice(0, 256)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  // `apiKey` is two words, `ToKeN` is one.
  return [plain.replace(/([a-z0-9])([A-Z])/g, '$1-$2'), plain].some((spelled) => {
    const words = spelled.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
    return SECRET_WORD.test(words) || words.split('-').some((word) => SECRET_ENDING.test(word));
  });
}

/** True where it holds what a maker of tokens begins its own with. */
export const holdsKnownSecret = (text: string): boolean => text.search(KNOWN_SECRET) >= 0;

/** The arguments with every secret cut out; as many as there were. */
export function cutArguments(args: readonly string[]): string[] {
  /** What the next argument is the value of. */
  let flag: string | null = null;
  return args.map((arg) => {
    const belongsTo = flag;
    flag = null;
    const isFlag = /^--?[A-Za-z]/.test(arg);
    if (belongsTo !== null && !(isFlag && isNoValueOf(belongsTo, arg))) {
      // `--token = x`, as three, and `--tokens a b`.
      if (/^[=:]$/.test(arg) || isListOfSecrets(belongsTo)) flag = belongsTo;
      // `Authorization: Bearer x`, written as three.
      const isNamed = HEADER_FLAGS.test(belongsTo) || SETTING_FLAGS.test(belongsTo);
      if (SCHEME_WORD.test(arg) || (isNamed && (NAMING_WORD.test(arg) || isSecretKey(arg)))) {
        flag = '--token';
      } else if (HEADER_FLAGS.test(belongsTo) && /^[\w-]{1,64}$/.test(arg)) {
        // Name and value as two words.
        flag = '--token';
      } else if (ENVIRONMENT_FLAGS.test(belongsTo) && /^[A-Za-z_]\w{0,64}$/.test(arg)) {
        flag = '-t';
      }
      return cutValueOf(belongsTo, arg);
    }
    const assignment = /^(--?[A-Za-z][\w.-]{0,127})=([\s\S]*)$/.exec(arg);
    if (assignment !== null) {
      const [, name = '', value = ''] = assignment;
      if (/^-e\w/i.test(name) && !WORDS_BEHIND_ONE_DASH.test(name)) return `${name}=${CUT}`;
      // Base64 behind a short flag ends like a name without a value.
      if (/^=*$/.test(value) && cutGluedFlag(name).includes(CUT)) return cutGluedFlag(name);
      if (value === '') flag = name;
      return `${name}=${cutValueOf(name, value)}`;
    }
    if (isFlag) {
      if (!/\s|:./.test(arg)) flag = arg;
      return cutGluedFlag(arg);
    }
    if (NAMING_WORD.test(arg) || isForeignFlag(arg)) flag = '--token';
    return cutPlainArgument(arg);
  });
}

/** True for a flag that stands where a value could: behind the name of a secret it may be the secret itself. */
function isNoValueOf(flag: string, arg: string): boolean {
  if (/^(--[a-z]|-[A-Za-z]$)/.test(arg)) return true;
  return !isSecretName(flag) && !SHORT_SECRET_FLAGS.test(flag);
}

/** A flag for several secrets: each word up to the next flag is one. */
const isListOfSecrets = (flag: string): boolean =>
  /(token|secret|password|key|credential|cred|cookie)s$/i.test(flag) && isSecretName(flag);

/** A setting's name of one word, however deep: `server.auth.token`. */
function isSecretKey(arg: string): boolean {
  return /^[\w.-]{1,128}$/.test(arg) && isSecretName(arg);
}

/** A flag that is not written in plain letters hides what it is: its value counts as a secret. */
function isForeignFlag(arg: string): boolean {
  return /^[-\u2010-\u2015\u2212]/.test(arg) && /[^\x20-\x7e]/.test(arg) && !/\s/.test(arg);
}

/** `-psecret`: one letter, and its value in the same word. */
function cutGluedFlag(arg: string): string {
  const glued = /^-([ktupwsKTUPWSH]|[A-Za-z]:)(\S{3,})$/.exec(arg);
  const isWord = SECRET_BEHIND_ONE_DASH.test(arg) || WORDS_BEHIND_ONE_DASH.test(arg);
  if (glued === null || isWord) return cutText(arg);
  return PLAIN_VALUE.test(glued[2] ?? '') ? cutText(arg) : `-${glued[1]}${CUT}`;
}

function cutValueOf(flag: string, value: string): string {
  if (HEADER_FLAGS.test(flag)) return cutHeader(value);
  if (ENVIRONMENT_FLAGS.test(flag)) {
    return /^\s*[[{]/.test(value) ? CUT : value.replace(/[=:\s][\s\S]*/, `=${CUT}`);
  }
  if (isSecretName(flag) || isForeignFlag(flag)) return CUT;
  if (SHORT_SECRET_FLAGS.test(flag) && !PLAIN_VALUE.test(value) && !/:\/\//.test(value)) return CUT;
  if (/^--?(user(name)?|login|account)$/i.test(flag) && !PLAIN_VALUE.test(value)) {
    return cutPlainArgument(value.replace(/:[\s\S]*/, `:${CUT}`));
  }
  return cutPlainArgument(value);
}

function cutPlainArgument(arg: string): string {
  // A variable's value, as `env` and container runners take it.
  const variable = /^([A-Za-z_]\w{0,127})=([\s\S]*)$/.exec(arg);
  if (variable !== null) {
    const [, name = '', value = ''] = variable;
    const isVariable = name === name.toUpperCase();
    return `${name}=${isVariable || isSecretName(name) ? CUT : cutText(value)}`;
  }
  // `/p:secret`, as programs of Windows take it.
  const slashed = /^(\/[A-Za-z]{1,2}):(?![\\/])\S/.exec(arg);
  if (slashed !== null) return `${slashed[1]}:${CUT}`;
  return /^\s*[[{]/.test(arg) ? cutJson(arg) : cutText(arg);
}

function cutHeader(header: string): string {
  const name = /^\s*([A-Za-z0-9_-]{1,128})\s*[:=]/.exec(header)?.[1];
  return name === undefined ? CUT : `${name}: ${CUT}`;
}

function cutJson(text: string): string {
  if (text.length > MAX_ARGUMENT) return cutText(text);
  try {
    return JSON.stringify(parseExactly(text), (key, value) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      return isSecretName(key) ? CUT : typeof value === 'string' ? cutText(value) : value;
    });
  } catch {
    // Nearly JSON: its pairs are found as text.
    return cutText(text);
  }
}

/** Free text with every secret cut out. */
export function cutText(whole: string): string {
  const text = whole.length > MAX_ARGUMENT ? `${whole.slice(0, MAX_ARGUMENT)}…` : whole;
  return (
    text
      .replace(PRIVATE_KEY, CUT)
      .replace(URL_IN_TEXT, (url) => cutUrl(url))
      .replace(ORACLE_USER, `$1/${CUT}@`)
      .replace(SCHEME_SECRET, `$1 ${CUT}`)
      .replace(FLAG_IN_TEXT, cutFlag)
      // Before user info: a password behind its name may hold an @.
      .replace(PAIR, cutPair)
      .replace(USER_INFO, `$1:${CUT}@`)
      .replace(KNOWN_SECRET, CUT)
      .replace(RUN, (run, at: number, in_: string) => {
        // The digest of an image says which image it is.
        if (in_.slice(0, at).endsWith('sha256:') && /^[0-9a-f]{64}$/.test(run)) return run;
        return cutRun(run);
      })
  );
}

function cutFlag(
  all: string,
  before: string,
  flag: string,
  between: string,
  quote: string,
  value: string,
): string {
  if (value.startsWith(CUT)) return all;
  const isSecret = isSecretName(flag) && !/^--[a-z]/.test(value);
  const isShort = SHORT_SECRET_FLAGS.test(flag) && !/^-/.test(value) && !PLAIN_VALUE.test(value);
  return isSecret || (isShort && !/:\/\//.test(value))
    ? `${before}${flag}${between}${quote}${CUT}`
    : all;
}

/** What looks like a value may begin with another name: `note: token=…`. */
function cutPair(all: string, name: string, between: string, value: string): string {
  if (value.startsWith('[cut')) return all;
  if (isSecretName(name)) return `${name}${between}${CUT}`;
  const inner = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}(?=["']?[:=])/.exec(value)?.[0];
  return inner !== undefined && isSecretName(inner)
    ? `${name}${between}${inner}${value.charAt(inner.length)}${CUT}`
    : all;
}

/** A run of letters, digits and what stands in paths and in base64. */
function cutRun(run: string): string {
  const pieces = run.split('/');
  if (pieces.length === 1) return looksRandom(run) ? CUT : run;
  const cut = pieces.map((piece) => (looksRandom(piece) ? CUT : piece));
  // Base64 has slashes, too: what holds no word between them is no path.
  const isPath = pieces.some((piece) => /^[@~]?[A-Za-z]+([._-][A-Za-z]+)*$/.test(piece));
  return isPath || !looksRandom(run.replaceAll('/', '')) ? cut.join('/') : CUT;
}

/** Letters and digits as a machine mixes them: 16 and more hexadecimal, or many changes between kinds of characters. */
export function looksRandom(text: string): boolean {
  const bare = text.replace(/[-_.=+~]/g, '');
  if (bare.length < 16) return false;
  const digits = bare.replace(/\D/g, '').length;
  const longest = text.split(/[-_.=+~]/).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (/^[0-9a-f]+$/i.test(bare)) return digits > 0;
  if (digits === 0) {
    // Words are lower case or begin with a capital; base64 changes back and forth.
    const turns = (bare.match(/[a-z][A-Z]/g) ?? []).length;
    return longest.length >= 20 && turns >= 4;
  }
  const changes = (longest.match(/[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]/g) ?? []).length;
  return longest.length >= 12 && changes >= 4;
}

/** A URL without user info, query values, fragment, and segments of its path that are secrets. */
export function cutUrl(text: string): string {
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(
    withoutUserInfo(asClientsRead(text.slice(0, MAX_ARGUMENT))),
  );
  if (found === null) return CUT;
  const [, scheme = '', authority = '', path = '', query = ''] = found;
  const host = cutHost(authority.slice(authority.lastIndexOf('@') + 1));
  const names = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => `${cutQueryName(pair)}=${CUT}`);
  const segments = path.split('/');
  const shownPath = segments.map((one, at) => cutSegment(one, segments[at - 1])).join('/');
  const shownQuery = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${scheme}${host}${shownPath}${shownQuery}`;
}

function cutHost(host: string): string {
  if (/^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i.test(host)) return host;
  return host
    .replace(/:$/, '')
    .split('.')
    .map((label) =>
      looksRandom(label) ? CUT : label.replace(/:(?!\d{1,5}$|\[cut\]).*$/, `:${CUT}`),
    )
    .join('.');
}

/** Of the web's addresses: what is left out, and what counts as a slash. Behind the first one stands no host any more. */
function asClientsRead(url: string): string {
  const found = /^((?:https?|wss?|ftp):)([^?#]*)(.*)$/is.exec(url.replace(/[\t\n\r]/g, ''));
  if (found === null) return url;
  const [, scheme = '', place = '', rest = ''] = found;
  return `${scheme}//${place.replaceAll('\\', '/').replace(/^\/+/, '')}${rest}`;
}

/** A password may hold a slash or a question mark that nobody escaped: then the host comes after it. */
function withoutUserInfo(url: string): string {
  // Where a client finds a host, that is the host, whatever stands behind it.
  if (URL.canParse(url)) return url;
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*:(?!\d{1,5}([/?#]|$))[^@]*)@(.*)$/is.exec(url);
  if (found === null) return url;
  const [, scheme = '', , , rest = ''] = found;
  // Another @ behind the host: what we took for the host is a part of the password.
  const isLonger = rest.slice(rest.search(/[/?#]|$/)).includes('@');
  return isLonger ? scheme + CUT : scheme + rest;
}

function cutQueryName(pair: string): string {
  const name = pair.split('=', 1)[0] ?? '';
  // A query without a name is a value.
  return pair.includes('=') && /^[A-Za-z][\w.-]{0,40}$/.test(name) && !looksRandom(name)
    ? name
    : CUT;
}

/** Segments of a path that say that the next one is a secret, and what may stand there nevertheless. */
const NAMING_SEGMENT =
  /^(x-)?((api|access|auth|secret|bearer|user)[-_]?)?(tokens?|keys?|secrets?|passwords?|pwd)$/i;
const ENDPOINT_SEGMENT = /^(mcp|sse|stream|messages?|v\d+|api|http|\[cut\])?$/i;

function cutSegment(segment: string, before = ''): string {
  if (segment === '') return '';
  if (NAMING_SEGMENT.test(before) && !ENDPOINT_SEGMENT.test(segment)) return CUT;
  // A query, a pair or user info, escaped or in the middle of a path.
  const plain = segment.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (plain !== segment && /[?&=:;@/#]/.test(plain)) return CUT;
  // `bot123456:token`, as Telegram takes it.
  if (/^bot\d+:/i.test(plain)) return CUT;
  if (/^[^:@]{1,128}:[^@]{1,512}@./.test(plain)) return CUT;
  const pair = /^(.{0,128}?)([\w.-]{1,64})=./.exec(segment);
  if (pair !== null) return `${cutSegment(pair[1] ?? '')}${pair[2]}=${CUT}`;
  // `token:value`, as some gateways take it.
  const named = /^([\w.-]{1,64}):./.exec(segment)?.[1];
  if (named !== undefined && isSecretName(named)) return `${named}:${CUT}`;
  const known = segment.replace(KNOWN_SECRET, CUT);
  if (known !== segment || segment.split(/[-_.~]/).some(looksLikeId)) return CUT;
  const long =
    segment.length > 24 && /\d/.test(segment) && !/^[a-z]+([-_.][a-z0-9]+)*$/.test(segment);
  return long || looksRandom(segment) ? CUT : segment;
}

/** A short one, as machines make them: `x7Kq9Pz2mW`, `3fa85f645717`. */
function looksLikeId(piece: string): boolean {
  return (
    piece.length >= 8 &&
    (piece.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g) ?? []).length >= 4
  );
}
