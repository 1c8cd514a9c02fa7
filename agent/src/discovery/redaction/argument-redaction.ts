// Purpose: removes secrets from arguments, headers and free text before they leave the device.
// Main types: `Depth` (url-redaction.ts), which decides how strict the redaction is.
// Invariants: every pattern runs in linear time, because the text may come from a hostile home.
// Depends on: secret-names, token-shapes, word-groups, url-redaction.
// Start reading at `redactArguments` and `redactText`.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { isSecretName } from './secret-names.ts';
import { looksRandom, replaceVendorTokens } from './token-shapes.ts';
import { type Depth, REDACTED, redactUrl } from './url-redaction.ts';

/** Longer arguments are whole programs or data: of them only a beginning is shown. */
const MAX_ARGUMENT = 8192;

const SHORT_SECRET_FLAGS = /^-[ktupawsKTUPAWS]$/;
const HEADER_FLAGS = /^(-H|--?([a-z]+[-_]?)?headers?)$/i;
const ENVIRONMENT_FLAGS =
  /^(-e|--?([a-z]+[-_])?env(ironment)?([-_]?var(iable)?s?)?|--build-arg|--secret-env)$/i;
/** Flags that take a name and its value as two words. */
const SETTING_FLAGS = /^--?(set|param(eter)?|opt(ion)?|prop(erty)?|arg|field|define|D|o)$/;
/** Words with a single dash: any other word behind a dash may be a short flag and its secret. */
const WORDS_BEHIND_SINGLE_DASH =
  /^-(addr|address|all|allow|api|app|args|async|account|arch|Xm[sx]\w*|XX:\S*|ea|[a-z]*config|env|endpoint|enable|encoding|entry|events?|exec|eval|extra|experimental|ext|http|https|help|host|host(name)?|kube\w*|kind|keepalive|package|parent|path|pid|ping|pipe|plain|plugins?|pool|port|prefix|preload|preset|print|private|prod|profile|project|prompt|protocol|provider|proxy|public|table|tags?|target|tcp|team|temp|tenant|test|threads?|timeout|tls|tools?|toolsets?|topic|trace|transport|trust|tty|type|upstream|url|uri|unix|update|use|user|username|server|scope|silent|source|sse|stdio|store|stream|strict|schema|site|state|socket|workspace|watch|web|write|workers?|warn|kubeconfig|module|command)$/;
/** Flags of secrets that begin like a short flag and its value. */
const SECRET_BEHIND_SINGLE_DASH =
  /^-((token|password|secret|key|pass|webhook|session)([-_]\w+)*|tok|passwd|pwd|passphrase|pat|pin|psk|secrets|keys|keypass|storepass|private-?key|personal-access-token|shared-?key|service-?key|ssh-?key|signature|sig|sas|sid|seed|salt|unlock)$/i;
/** Harmless values of a short flag: a transport, a port, an account's number, a package, a path. */
export const PLAIN_VALUE =
  /^(stdio|sse|https?|tcp|ws|wss|websocket|streamable-?http|streamablehttp|json|text|yaml|tcp4|unix|always|true|false|yes|no|on|off|root|nobody|node|default|all|none|read|write|info|debug|\d{1,5}(:\d{1,5}){0,2}(\/(tcp|udp))?|=\d[\w.]{0,24}|@?[\w./-]{1,128}@v?\d[\w.-]{0,24}|@?[\w.-]{1,64}(\/[\w.:@-]{1,128})+|[~.]{0,2}\/[^\s]{0,256}|[A-Za-z]:[\\/][^\s]{0,256})$/;
/** Words between a secret's name and the secret. */
const SCHEME_WORD = /^["']?(bearer|basic|token|digest|api-?key|negotiate)["']?[:=]?$/i;
/** A separate word that announces a secret. */
const NAMING_WORD =
  /^["'/+]?(auth|login|(x-)?(api|access|auth|secret)?[-_]?(token|key|secret|password|passwd|pwd|pass|passphrase)|((proxy-)?authorization|cookie|x-[a-z-]{1,40}(key|token|secret))|bearer|basic)["']?[:=]?$/i;

/** Flag under which the argument after a naming word is redacted. */
const COMMAND_WORD = '--secret';

const SCHEME_SECRET = /\b(bearer|basic|token|digest)\s+[A-Za-z0-9_+/=.~:-]{4,}/gi;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi;
/** A flag of a command line inside a text. */
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

const FLAG = /^--?[A-Za-z]/;

/** A redacted argument, and the option that the next argument belongs to. */
interface RedactedArgument {
  text: string;
  next: string | null;
}

/** Returns the arguments with every secret cut out; as many as there were. */
export function redactArguments(args: readonly string[], depth: Depth = 'shaped'): string[] {
  let option: string | null = null;
  return args.map((arg) => {
    const isValue = option !== null && !(FLAG.test(arg) && isNoValueOf(option, arg));
    const redacted: RedactedArgument =
      isValue && option !== null ? redactValue(option, arg, depth) : redactWord(arg, depth);
    option = redacted.next;
    return redacted.text;
  });
}

function redactValue(option: string, arg: string, depth: Depth): RedactedArgument {
  // `auth login x`, as three.
  if (option === COMMAND_WORD && NAMING_WORD.test(arg)) {
    return { text: cutPlainArgument(arg, depth), next: COMMAND_WORD };
  }
  return { text: cutValueOf(option, arg, depth), next: optionOfNext(option, arg) };
}

/** Returns the option that the argument after a value belongs to; null where the value is complete. */
function optionOfNext(option: string, arg: string): string | null {
  // `Authorization: Bearer x`, written as three.
  const isNamed = HEADER_FLAGS.test(option) || SETTING_FLAGS.test(option);
  if (SCHEME_WORD.test(arg) || (isNamed && (NAMING_WORD.test(arg) || isSecretKey(arg)))) {
    return '--token';
  }
  // Name and value as two words.
  if (HEADER_FLAGS.test(option) && /^[\w-]{1,64}$/.test(arg)) return '--token';
  if (ENVIRONMENT_FLAGS.test(option) && /^[A-Za-z_]\w{0,64}$/.test(arg)) return '-t';
  // `--token = x`, as three, and `--tokens a b`.
  return /^[=:]$/.test(arg) || isListOfSecrets(option) ? option : null;
}

function redactWord(arg: string, depth: Depth): RedactedArgument {
  const assignment = /^(--?[A-Za-z][\w.-]{0,127})=([\s\S]*)$/.exec(arg);
  if (assignment !== null) return redactAssignment(assignment[1] ?? '', assignment[2] ?? '', depth);
  if (FLAG.test(arg)) {
    return { text: cutGluedFlag(arg, depth), next: /\s|:./.test(arg) ? null : arg };
  }
  const next = NAMING_WORD.test(arg) || isForeignFlag(arg) ? COMMAND_WORD : null;
  return { text: cutPlainArgument(arg, depth), next };
}

function redactAssignment(name: string, value: string, depth: Depth): RedactedArgument {
  if (/^-e\w/i.test(name) && !WORDS_BEHIND_SINGLE_DASH.test(name)) {
    return { text: `${name}=${REDACTED}`, next: null };
  }
  // Base64 behind a short flag ends like a name without a value.
  const glued = /^=*$/.test(value) ? cutGluedFlag(name, depth) : '';
  if (glued.includes(REDACTED)) return { text: glued, next: null };
  return { text: `${name}=${cutValueOf(name, value, depth)}`, next: value === '' ? name : null };
}

/** Returns whether a flag is in the position of a value: behind the name of a secret it may be the secret itself. */
function isNoValueOf(flag: string, arg: string): boolean {
  if (/^(--[a-z]|-[A-Za-z]$)/.test(arg)) return true;
  return !isSecretName(flag) && !SHORT_SECRET_FLAGS.test(flag);
}

/** A flag for several secrets: each word up to the next flag is a secret. */
const isListOfSecrets = (flag: string): boolean =>
  /(token|secret|password|key|credential|cred|cookie)s$/i.test(flag) && isSecretName(flag);

/** A setting's name without blanks, however deep: `server.auth.token`. */
function isSecretKey(arg: string): boolean {
  return /^[\w.-]{1,128}$/.test(arg) && isSecretName(arg);
}

/** A flag that is not written in plain letters hides what it is: its value counts as a secret. */
function isForeignFlag(arg: string): boolean {
  return /^[-\u2010-\u2015\u2212]/.test(arg) && /[^\x20-\x7e]/.test(arg) && !/\s/.test(arg);
}

/** `-psecret`: a letter, and its value in the same word. */
function cutGluedFlag(arg: string, depth: Depth): string {
  const glued = /^-([ktupwsKTUPWSH]|[A-Za-z]:)(\S{3,})$/.exec(arg);
  const isWord = SECRET_BEHIND_SINGLE_DASH.test(arg) || WORDS_BEHIND_SINGLE_DASH.test(arg);
  if (glued === null || isWord) return redactText(arg, depth);
  return PLAIN_VALUE.test(glued[2] ?? '') ? redactText(arg, depth) : `-${glued[1]}${REDACTED}`;
}

function cutValueOf(flag: string, value: string, depth: Depth): string {
  if (HEADER_FLAGS.test(flag)) return cutHeader(value);
  if (ENVIRONMENT_FLAGS.test(flag)) {
    return /^\s*[[{]/.test(value) ? REDACTED : value.replace(/[=:\s][\s\S]*/, `=${REDACTED}`);
  }
  if (isSecretName(flag) || isForeignFlag(flag)) return REDACTED;
  if (SHORT_SECRET_FLAGS.test(flag) && !PLAIN_VALUE.test(value) && !/:\/\//.test(value))
    return REDACTED;
  if (/^--?(user(name)?|login|account)$/i.test(flag) && !PLAIN_VALUE.test(value)) {
    return cutPlainArgument(value.replace(/:[\s\S]*/, `:${REDACTED}`), depth);
  }
  return cutPlainArgument(value, depth);
}

function cutPlainArgument(arg: string, depth: Depth): string {
  // A variable's value, as `env` and container runners take it.
  const variable = /^([A-Za-z_]\w{0,127})=([\s\S]*)$/.exec(arg);
  if (variable !== null) {
    const [, name = '', value = ''] = variable;
    const isVariable = name === name.toUpperCase();
    return `${name}=${isVariable || isSecretName(name) ? REDACTED : redactText(value, depth)}`;
  }
  // `/p:secret`, as programs of Windows take it.
  const slashed = /^(\/[A-Za-z]{1,2}):(?![\\/])\S/.exec(arg);
  if (slashed !== null) return `${slashed[1]}:${REDACTED}`;
  return /^\s*[[{]/.test(arg) ? cutJson(arg, depth) : redactText(arg, depth);
}

function cutHeader(header: string): string {
  const name = /^\s*([A-Za-z0-9_-]{1,128})\s*[:=]/.exec(header)?.[1];
  return name === undefined ? REDACTED : `${name}: ${REDACTED}`;
}

function cutJson(text: string, depth: Depth): string {
  if (text.length > MAX_ARGUMENT) return redactText(text, depth);
  try {
    return JSON.stringify(parseExactly(text), (key, value) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      return isSecretName(key)
        ? REDACTED
        : typeof value === 'string'
          ? redactText(value, depth)
          : value;
    });
  } catch {
    // Nearly JSON: its pairs are found as text.
    return redactText(text, depth);
  }
}

/** Free text with every secret cut out. */
export function redactText(whole: string, depth: Depth = 'shaped'): string {
  const isLong = depth === 'shaped' && whole.length > MAX_ARGUMENT;
  const text = isLong ? `${whole.slice(0, MAX_ARGUMENT)}…` : whole;
  const named = text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(URL_IN_TEXT, (url) => redactUrl(url, depth))
    .replace(ORACLE_USER, `$1/${REDACTED}@`)
    .replace(SCHEME_SECRET, `$1 ${REDACTED}`)
    .replace(FLAG_IN_TEXT, cutFlag)
    // User info comes first: a password behind its name may contain an @.
    .replace(PAIR, cutPair)
    .replace(USER_INFO, `$1:${REDACTED}@`);
  const known = replaceVendorTokens(named, REDACTED);
  if (depth === 'named') return known;
  return known.replace(RUN, (run, at: number, in_: string) => {
    // The digest of an image identifies it.
    if (in_.slice(0, at).endsWith('sha256:') && /^[0-9a-f]{64}$/.test(run)) return run;
    return cutRun(run);
  });
}

function cutFlag(
  all: string,
  before: string,
  flag: string,
  between: string,
  quote: string,
  value: string,
): string {
  if (value.startsWith(REDACTED)) return all;
  const isSecret = isSecretName(flag) && !/^--[a-z]/.test(value);
  const isShort = SHORT_SECRET_FLAGS.test(flag) && !/^-/.test(value) && !PLAIN_VALUE.test(value);
  return isSecret || (isShort && !/:\/\//.test(value))
    ? `${before}${flag}${between}${quote}${REDACTED}`
    : all;
}

/** A value may begin with another name: `note: token=…`. */
function cutPair(all: string, name: string, between: string, value: string): string {
  if (value.startsWith('[cut')) return all;
  if (isSecretName(name)) return `${name}${between}${REDACTED}`;
  const inner = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}(?=["']?[:=])/.exec(value)?.[0];
  return inner !== undefined && isSecretName(inner)
    ? `${name}${between}${inner}${value.charAt(inner.length)}${REDACTED}`
    : all;
}

/** A run of letters, digits and the separators of paths and base64. */
function cutRun(run: string): string {
  const pieces = run.split('/');
  if (pieces.length === 1) return looksRandom(run) ? REDACTED : run;
  const cut = pieces.map((piece) => (looksRandom(piece) ? REDACTED : piece));
  // Base64 has slashes, too: a text without a word between slashes is no path.
  const isPath = pieces.some((piece) => /^[@~]?[A-Za-z]+([._-][A-Za-z]+)*$/.test(piece));
  return isPath || !looksRandom(run.replaceAll('/', '')) ? cut.join('/') : REDACTED;
}
