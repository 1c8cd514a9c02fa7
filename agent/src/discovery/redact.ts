// The one place where secrets are cut out of what is about to leave the device: arguments, URLs, headers, free text.
// Two strengths. `cut…` takes out what is known or shaped like a secret: the form that is hashed, so that a new token is
// no drift and a new argument is. `show…` keeps only what is recognisably harmless: the form that is sent.
// Every pattern is linear in time: the text may come from a hostile home.

const CUT = '[cut]';
/** Longer arguments are whole programs or data: of them only a beginning counts. */
const MAX_ARGUMENT = 8192;

const SECRET_WORD =
  /(^|-)(api-?keys?|keys?|tokens?|secrets?|passwords?|passwd|pwd|pass|passphrase|auth|authorization|bearer|credentials?|creds|cookies?|session|jwt|pat|signature|sig|sas|dsn|webhook|connection-?string|conn-?str|apikeys?|accesskeys?|accesstokens?|authtokens?|clientsecrets?|privatekeys?)(-|$)/;
const SHORT_SECRET_FLAGS = new Set(['-k', '-t', '-u', '-p', '-a', '-P', '-T', '-K']);
const HEADER_FLAGS = new Set(['--header', '--headers', '-H']);
const ENVIRONMENT_FLAGS = new Set(['-e', '--env', '--environment', '--build-arg']);

/** What makers of tokens begin theirs with. */
const KNOWN_SECRET =
  /(?:sk-|sk_|rk_|pk_|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|gldt-|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ|npm_|pypi-|hf_|dop_v1_|shp(?:at|ss|ca)_|SG\.|lin_api_|figd_|ntn_|secret_|sntrys_|sntryu_|tvly-|fc-|gw[mklantd]_|r8_|pplx-|gsk_|xai-|AGE-SECRET-KEY-|whsec_|key-|pat-|atlasv1\.|vault:|hvs\.|dapi)[A-Za-z0-9_+/=.-]{8,}/g;
const SCHEME_SECRET = /\b(bearer|basic|token|digest)\s+[A-Za-z0-9_+/=.~:-]{4,}/gi;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi;
const PRIVATE_KEY = /-----BEGIN [^-]{1,64}-----[\s\S]*/;
/** `name=value`, `name: value`, `"name": "value"` somewhere in a text. */
const PAIR =
  /([A-Za-z_][A-Za-z0-9_.-]{0,63})(["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"',;&|}\]]{1,4096})/g;
const RUN = /[A-Za-z0-9_+/=~.-]{16,}/g;

/** True where a flag, variable or key of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
  return SECRET_WORD.test(words);
}

/** The arguments with every secret cut out; as many as there were. */
export function cutArguments(args: readonly string[]): string[] {
  let flag: string | null = null;
  return args.map((arg) => {
    const belongsTo = flag;
    flag = null;
    const isFlag = /^--?[A-Za-z]/.test(arg);
    if (belongsTo !== null && !(isFlag && /^(--[a-z]|-[A-Za-z]$)/.test(arg))) {
      return cutValueOf(belongsTo, arg);
    }
    const assignment = /^(--?[A-Za-z][\w.-]{0,127})=([\s\S]*)$/.exec(arg);
    if (assignment !== null) {
      const [, name = '', value = ''] = assignment;
      return `${name}=${cutValueOf(name, value)}`;
    }
    if (isFlag) {
      if (!/\s/.test(arg)) flag = arg;
      return cutText(arg);
    }
    return cutPlainArgument(arg);
  });
}

function cutValueOf(flag: string, value: string): string {
  if (HEADER_FLAGS.has(flag)) return cutHeader(value);
  if (ENVIRONMENT_FLAGS.has(flag)) return value.replace(/=[\s\S]*/, `=${CUT}`);
  if (isSecretName(flag)) return CUT;
  if (SHORT_SECRET_FLAGS.has(flag) && !isHarmless(value)) return CUT;
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
  return /^\s*[[{]/.test(arg) ? cutJson(arg) : cutText(arg);
}

function cutHeader(header: string): string {
  const name = /^\s*([A-Za-z0-9_-]{1,128})\s*[:=]/.exec(header)?.[1];
  return name === undefined ? CUT : `${name}: ${CUT}`;
}

function cutJson(text: string): string {
  if (text.length > MAX_ARGUMENT) return cutText(text);
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => {
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
  return text
    .replace(PRIVATE_KEY, CUT)
    .replace(URL_IN_TEXT, (url) => cutUrl(url))
    .replace(SCHEME_SECRET, `$1 ${CUT}`)
    .replace(PAIR, cutPair)
    .replace(KNOWN_SECRET, CUT)
    .replace(RUN, (run, at: number, in_: string) => {
      // The digest of an image says which image it is.
      if (in_.slice(0, at).endsWith('sha256:') && /^[0-9a-f]{64}$/.test(run)) return run;
      return cutRun(run);
    });
}

/** What looks like a value may begin with another name: `note: token=…`. */
function cutPair(all: string, name: string, between: string, value: string): string {
  if (value.startsWith(CUT)) return all;
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
    text.slice(0, MAX_ARGUMENT),
  );
  if (found === null) return CUT;
  const [, scheme = '', authority = '', path = '', query = ''] = found;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const names = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => `${cutQueryName(pair)}=${CUT}`);
  const shownPath = path.split('/').map(cutSegment).join('/');
  const shownQuery = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${scheme}${host}${shownPath}${shownQuery}`;
}

function cutQueryName(pair: string): string {
  const name = pair.split('=', 1)[0] ?? '';
  // A query without a name is a value.
  return pair.includes('=') && /^[A-Za-z][\w.-]{0,40}$/.test(name) && !looksRandom(name)
    ? name
    : CUT;
}

function cutSegment(segment: string): string {
  if (segment === '') return '';
  const known = segment.replace(KNOWN_SECRET, CUT);
  if (known !== segment) return CUT;
  const long =
    segment.length > 24 && /\d/.test(segment) && !/^[a-z]+([-_.][a-z0-9]+)*$/.test(segment);
  return long || looksRandom(segment) ? CUT : segment;
}

/** The arguments as they may be sent: what is not recognisably harmless is left out. */
export function showArguments(args: readonly string[]): string[] {
  return cutArguments(args).map((arg) => {
    const assignment = /^(--?[A-Za-z][\w.-]{0,64}|[A-Za-z_]\w{0,64})=([\s\S]*)$/.exec(arg);
    if (assignment !== null) {
      const [, name = '', value = ''] = assignment;
      return `${name}=${isHarmless(value) ? value : CUT}`;
    }
    return isHarmless(arg) ? arg : CUT;
  });
}

/** A word, a number, a version, a flag, a package, a path, or a URL that is cut already. */
function isHarmless(text: string): boolean {
  if (text.length > 512 || /[\s{}"'`$;|<>]/.test(text.replaceAll(CUT, ''))) {
    return /^[A-Za-z0-9-]+: \[cut\]$/.test(text);
  }
  if (text === CUT || /^\d{1,6}$/.test(text) || /^v?\d{1,8}(\.\d{1,8}){1,3}$/.test(text))
    return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true;
  if (/^(\/|~|\.{1,2}(\/|$)|[A-Za-z]:[\\/])/.test(text)) return true;
  if (
    /\.(js|mjs|cjs|ts|py|json|ya?ml|toml|sh|jar|exe|dll|rb|go|php|db|sqlite|log|txt|md)$/i.test(
      text,
    )
  ) {
    return !looksRandom(text);
  }
  // A package with its scope and version, an image with its tag, a model's name, plain words.
  return text
    .replace(/^--?/, '')
    .replace(/@sha256:[0-9a-f]{64}$/, '')
    .split(/[-_.:/@=,+[\]]/)
    .every((piece) => /^[A-Za-z]{0,24}$/.test(piece) || /^[A-Za-z0-9]{1,5}$/.test(piece));
}
