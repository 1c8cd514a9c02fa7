// Rules for credentials in command lines, by the program or the option. Every change raises REDACTION_VERSION in
// `rule.ts`.
import { DIGIT, LETTER, type Rule, UNREDACTED, VALUE } from './rule.ts';

/** A value up to the next blank or quote. A number alone is a port or a level and no value. */
const WORD = `${VALUE}(?![$-]|\\d{1,5}(?!\\S))[^\\s"'\\\\]`;
const QUOTED_MOST = 300;
/**
 * Returns the pattern of a value: a word, or in quotes everything up to the closing quote. A quote before `between`
 * that closes nowhere on its line within reach opens no value. A quote before a closing bracket or a comma is itself a
 * closing quote.
 */
function valuePattern(least = 1, { odd = false, between = '' } = {}): string {
  const inside = (quote: string) => {
    const plain = `[^${quote}\\\\\\r\\n]`;
    const closes = `(?=[^${quote}\\r\\n]{1,${QUOTED_MOST}}(?:${quote}|[\\r\\n]|$))`;
    return [
      `(?<=(?<!\\\\)${quote}${between})${closes}${plain}+(?:\\\\[^\\r\\n]${plain}*){0,100}`,
      `(?<=\\\\${quote}${between})${closes}${plain}+`,
    ].join('|');
  };
  const none = `(?![\\s)\\],;:}]|\\d{1,5}(?:["']|\\\\))`;
  const first = odd ? DIGIT + LETTER : '';
  return `${first}${VALUE}(?![$-]|\\d{1,5}(?!\\S))(?:${none}(?:${inside('"')}|${inside("'")})|[^\\s"'\\\\]{${least},})`;
}
const ANY = valuePattern();
/** A value with letters and digits, where words of prose may follow. */
const odd = (least: number) => valuePattern(least, { odd: true });
/** A name before its password within the same quotes. */
const LOGIN = valuePattern(1, { between: `[^\\s:"']{1,64}:` });

/** The start of a word; the last letter of an escape sequence is not part of it. */
const BEGIN = '(?<!(?<!\\\\)[a-z])';
/** Returns the pattern of up to `max` further words of the same command. */
const words = (but: string, max: number) =>
  `(?:[ \\t]{1,4}(?!${but})[^\\s;|&]{1,100}){0,${max}}[ \\t]{1,4}`;
/** A program that takes a password after a short option. */
const shortOption = (programs: string, option: string, value = ANY) =>
  `(${BEGIN}(?:${programs})${words(`${option}(?![a-z])`, 10)}${option}[ \\t=]{1,4}(?![ \\t=])["']?)${value}`;

/** The end of a variable name that denotes a credential. */
const VARIABLE =
  '[A-Za-z0-9_.-]{0,60}(?:(?:api|secret|access|auth|private|encryption|signing|master|account|license)_?key|(?<!(?:max|min|bos|eos|pad|unk|sep|cls|mask|next|page|stop|image|special)_)token|secret|passw(?:or)?d|passphrase|pwd|_pass|credentials?)';
/** The value follows as the last word of the command; prose would continue. */
const GIVEN_TO = `${VARIABLE}["']?[ \\t]{1,4}["']?(?![/~.%])`;
const LAST = '(?=["\'`]?[ \\t]{0,4}(?:[\\r\\n;&|#)<\\\\]|/[mM]|$))';

export const COMMAND_RULES: readonly Rule[] = [
  {
    id: 'long option',
    keywords: ['--'],
    pattern: `(--(?!(?:max|min|next|stop|start|starting|eos|bos|pad)[-_])(?:[a-z]{1,20}[-_]){0,4}(?:password|passwd|passphrase|pwd(?![= \\t]{1,8}["']?[/~.])|(?:api|access|secret)[-_]?key|(?:client)?secret|(?:access|refresh|auth|bearer|session)?token)(?:=|[ \\t]{1,8})["']?)(?![-["'<])(?!(?:string|text|value)(?:[ \\t]{2}|[\\r\\n\\]]|$)|(?:option|flag|argument|parameter|switch)(?![A-Za-z0-9])|(?:to|for|and|or|is|in|if|when|with|from|on|as|are)[ \\t](?:\\[REDACTED|[a-z]{2,20}(?![^\\s.,;:!?)])))${ANY}`,
    ignoresCase: true,
  },
  {
    id: 'single-dash long option',
    keywords: [' -'],
    pattern: `([ \\t]-(?:[a-z]{1,10}-)?(?:password|passphrase|token|secret|apikey)(?:=|[ \\t]{1,4})["']?)(?![($@])${odd(6)}`,
    ignoresCase: true,
  },
  {
    id: 'option of PowerShell',
    keywords: ['pass'],
    pattern: `((?<![^\\s"'])-(?:[A-Z][A-Za-z]{0,20})?Pass(?:word|phrase)[ \\t:]{1,4}["']?)(?![(@{])(?!(?:parameter|argument|option|switch|flag|or|and|is|to|for|with|as|in)(?![A-Za-z0-9]))${valuePattern(4)}`,
  },
  {
    id: 'secure string of PowerShell',
    keywords: ['securestring'],
    pattern: `(ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?["'])${VALUE}(?!\\$)[^\\r\\n"']+`,
  },
  {
    id: 'user option',
    keywords: ['-u', '--user'],
    pattern: `((?<![^\\s"'])(?:-[uU]|--(?:proxy-)?user)[ \\t]{1,8}["']?[^\\s:/"'\\\\]{1,64}:)(?!\\d{1,10}(?!\\S)|//)${LOGIN}`,
  },
  {
    id: 'curl user',
    keywords: [' -u'],
    pattern: `(${BEGIN}curl${words('-u', 8)}-u[^\\s:"'\\\\-][^\\s:"'\\\\]{0,63}:)(?!//)${WORD}+`,
  },
  {
    id: 'session cookie option',
    keywords: ['-b', '--cookie'],
    pattern: `((?<![^\\s"'])(?:-b|--cookie)[ \\t=]{1,4}["']?[A-Za-z0-9_.-]{1,64}=)${DIGIT}${VALUE}[^\\s"'\\\\]{8,}`,
  },
  {
    id: 'mysql',
    keywords: [' -p'],
    pattern: `(${BEGIN}(?:sshpass[ \\t]{1,8}-p[ \\t]{0,8}|mysql[a-z]{0,10}${words('-p', 8)}-p)["']?)(?:${ANY}|(?!\\[REDACTED|[$)\\]},;])[^\\s"'\\\\]+)`,
  },
  {
    id: 'login -p',
    keywords: ['login'],
    pattern: `(${BEGIN}(?:docker|podman|nerdctl|buildah|skopeo|helm|crane|oras|oc|az|cf|ibmcloud|argocd)[ \\t]{1,4}(?:registry[ \\t]{1,4})?login${words('-p(?![a-z])|login', 8)}-p[ \\t=]{1,4}(?![ \\t=])["']?)${ANY}`,
  },
  {
    id: 'mongo',
    keywords: ['mongo'],
    pattern: shortOption('mongo(?:sh|dump|restore|export|import)?', '-p'),
  },
  { id: 'redis-cli', keywords: ['redis-cli'], pattern: shortOption('redis-cli', '-a') },
  { id: 'ldapsearch', keywords: ['ldap'], pattern: shortOption('ldap[a-z]{3,7}', '-w') },
  { id: 'ssh-keygen', keywords: ['ssh-keygen'], pattern: shortOption('ssh-keygen', '-[NP]') },
  { id: 'twine', keywords: ['twine'], pattern: shortOption('twine', '-p', odd(1)) },
  {
    id: 'sqlcmd',
    keywords: ['sqlcmd', 'mosquitto'],
    pattern: shortOption('sqlcmd|mosquitto_[a-z]{3}', '-P'),
  },
  { id: 'zip', keywords: [' -p'], pattern: shortOption('(?:un)?zip', '-P') },
  {
    id: 'user and password options',
    keywords: [' -p'],
    pattern: `([ \\t](?:-u|--user(?:name)?)[ \\t=]{1,4}[^\\s:"'-][^\\s:"']{0,63}[ \\t]{1,4}-p[ \\t]{1,4}["']?)${odd(6)}`,
  },
  {
    id: 'keytool',
    keywords: ['storepass', 'keypass'],
    pattern: `((?<![^\\s"'])-(?:[a-z]{1,10})?(?:store|key)pass[ \\t]{1,4}["']?)${ANY}`,
  },
  {
    id: 'openssl -passin',
    keywords: ['pass:'],
    pattern: `(-pass(?:in|out)?[ \\t]{1,4}["']?pass:)${valuePattern(1, { between: 'pass:' })}`,
  },
  {
    id: 'openssl -k',
    keywords: ['openssl'],
    pattern: `(${BEGIN}openssl[ \\t]{1,4}[a-z0-9-]{2,30}${words('-(?:k|K|hmac)(?![a-z])|openssl', 12)}-(?:k|K|hmac)[ \\t]{1,4}["']?)(?!(?:option|flag|switch|parameter|argument|and|or|to|is|for|with|uses?|now)(?![A-Za-z0-9]))${ANY}`,
  },
  {
    id: 'htpasswd',
    keywords: ['htpasswd'],
    pattern: `(${BEGIN}htpasswd[ \\t]{1,4}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \\t]{1,4}[^\\s-][^\\s]{0,200}[ \\t]{1,4}[^\\s-][^\\s]{0,64}[ \\t]{1,4}["']?)${ANY}`,
  },
  {
    id: 'kubectl create secret',
    keywords: ['create secret'],
    pattern: `((?<=create[ \\t]{1,4}secret[ \\t][^\\r\\n]{0,300})--from-literal(?:=|[ \\t]{1,4})["']?[A-Za-z0-9._-]{1,100}=["']?)${valuePattern(1, { between: '(?:[A-Za-z0-9._-]{1,100}=)?' })}`,
  },
  {
    id: 'aws --secret-string',
    keywords: ['--secret-string'],
    pattern: `(--secret-string(?:=|[ \\t]{1,4})["']?)(?!file:)${ANY}`,
  },
  {
    id: 'vault',
    keywords: ['vault login', 'cargo login'],
    pattern: `(${BEGIN}(?:vault|cargo)[ \\t]login[ \\t]{1,4}(?:-[^\\s]{1,60}[ \\t]{1,4}){0,3}(?:token=)?(?!token=)["']?)${odd(8)}`,
  },
  {
    id: 'vault kv put',
    keywords: [' kv p'],
    pattern: `([ \\t][^\\s=;|&]{1,60}=(?<=${BEGIN}vault[ \\t]{1,4}kv[ \\t]{1,4}(?:put|patch)[ \\t][^\\r\\n;|&]{1,200})["']?)(?!@)${ANY}`,
  },
  // Passwords that are piped into a program that reads them.
  {
    id: 'password on standard input',
    keywords: ['echo '],
    pattern: `(\\becho[ \\t]{1,4}(?:-n[ \\t]{1,4})?["']?)${ANY}(?=["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:[^|;\\r\\n]{0,120}--(?:password-stdin|with-token|passphrase-fd)(?![a-z])|sudo[ \\t]{1,4}-[A-Za-z]{0,4}S|(?:sudo[ \\t]{1,4})?(?:(?:docker|podman)[ \\t]secret[ \\t]create|passwd[ \\t]--stdin|kinit)(?![a-z-])))`,
  },
  {
    id: 'chpasswd',
    keywords: ['chpasswd'],
    pattern: `(\\becho[ \\t]{1,4}["']?[^\\s:"']{1,64}:)${WORD}+(?=["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?chpasswd)`,
  },
  // A .netrc entry; prose may contain the three words together, too.
  {
    id: 'netrc',
    keywords: ['login'],
    pattern: `(\\blogin[ \\t]{1,8}\\S{1,100}\\s{1,8}password[ \\t]{1,8})${UNREDACTED}(?:(?<=(?:machine[ \\t]\\S{1,100}|default)\\s{1,8}login[ \\t]{1,8}\\S{1,100}\\s{1,8}password[ \\t]{1,8})|${DIGIT})[^\\s"'\\\\]+`,
    ignoresCase: true,
  },
  {
    id: 'pgpass',
    keywords: [':'],
    pattern: `(:(?=[0-9]{4,5}:|\\*:)(?<=(?<![^\\s"'])[A-Za-z0-9.*-]{1,100}:)[0-9*]{1,5}:[^\\s:"']{1,64}:[^\\s:"']{1,64}:)(?=[^\\s:"']{6,100}(?![^\\s"'\\\\]))${DIGIT}${LETTER}${WORD}+`,
  },
  {
    id: 'npmrc',
    keywords: ['_auth'],
    pattern: `((?<![A-Za-z0-9_])_auth[ \\t]{0,4}=[ \\t]{0,4}["']?)${VALUE}[A-Za-z0-9+/=_-]{8,}`,
  },
  // Environment variables that a command sets.
  {
    id: 'set variable',
    keywords: ['setx', 'setenv', 'set -'],
    pattern: `(${BEGIN}set(?:x[ \\t]{1,4}(?:/m[ \\t]{1,4})?|env[ \\t]{1,4}|[ \\t]{1,4}-[a-zA-Z]{0,4}x[a-zA-Z]{0,4}[ \\t]{1,4})["']?${GIVEN_TO})${ANY}${LAST}`,
    ignoresCase: true,
  },
  {
    id: 'Dockerfile ENV',
    keywords: ['env '],
    pattern: `((?-i:ENV)(?<=(?:^|[\\r\\n])[ \\t]{0,8}ENV)[ \\t]{1,4}(?-i:(?=[A-Z0-9_]{1,80}[ \\t]))${GIVEN_TO})${ANY}${LAST}`,
    ignoresCase: true,
  },
  {
    id: 'configure set',
    keywords: [' set '],
    pattern: `(${BEGIN}(?:config|configure|secrets?|vars|variables?)[ \\t]{1,4}set[ \\t]{1,4}${GIVEN_TO})${valuePattern(4)}${LAST}`,
    ignoresCase: true,
  },
  {
    id: 'variable of a personal access token',
    keywords: ['_pat', '_auth'],
    pattern: `(_(?:AUTH|PAT)["']?[ \\t]{0,4}[=:][ \\t]{0,4}["']?)(?![A-Za-z0-9+]{1,12}:/)${odd(10)}`,
  },
  {
    id: 'Oracle login',
    keywords: ['jdbc:oracle', 'sqlplus'],
    pattern: `((?:jdbc:oracle:[a-z]{1,8}:|${BEGIN}sqlplus[ \\t]{1,4}(?:-[a-zA-Z]{1,8}[ \\t]{1,4}){0,3}["']?)[^\\s/@:"']{1,64}/)${VALUE}[^\\s@"'/]+(?=@)`,
  },
];
