// Keyword rules for credentials in command lines and configuration files, by the program or the setting. A rule runs
// only on texts with its keyword. All patterns are linear.
import {
  type CommandRule,
  commandRules,
  ODD_WORD,
  valuePattern,
  WORD,
  words,
} from './keyword-rules.ts';
import { VALUE } from './rules.ts';

/** Programs whose option `-p` takes a password. */
const LOGS_IN =
  '(?:docker|podman|nerdctl|buildah|skopeo|helm|crane|oras|oc|az|cf|ibmcloud|argocd|bao|rclone)';

/** The end of a variable name that denotes a credential. */
const VARIABLE =
  '[A-Za-z0-9_.-]{0,60}(?:(?:api|secret|access|auth|private|encryption|signing|master|account|license)_?key|(?<!(?:max|min|bos|eos|pad|unk|sep|cls|mask|next|page|stop|image|special)_)token|secret|passw(?:or)?d|passphrase|pwd|_pass|credentials?)';
/** The value follows as the last word of the command; prose would continue. */
const GIVEN_TO = `${VARIABLE}["']?[ \\t]{1,4}["']?(?![/~.%])`;
const LAST = '(?=["\'`]?[ \\t]{0,4}(?:[\\r\\n;&|#)<\\\\]|/[mM]|$))';

/** The path of a certificate, possibly with a drive letter. */
const CERTIFICATE = `(?:[A-Za-z]:(?=\\\\))?[^\\s:"']{2,200}`;

/** A name before its password within the same quotes. */
const LOGIN = { between: `[^\\s:"']{1,64}:` };

const RULES: readonly (readonly [keyword: string, pattern: string, flags?: string])[] = [
  [
    '--',
    `(--(?!(?:max|min|next|stop|start|starting|eos|bos|pad)[-_])(?:[a-z]{1,20}[-_]){0,4}(?:password|passwd|passphrase|pwd(?![= \\t]{1,8}["']?[/~.])|(?:api|access|secret)[-_]?key|(?:client)?secret|(?:access|refresh|auth|bearer|session)?token)(?:=|[ \\t]{1,8})["']?)(?![-["'<])(?!(?:string|text|value)(?:[ \\t]{2}|[\\r\\n\\]]|$)|(?:option|flag|argument|parameter|switch)(?![A-Za-z0-9])|(?:to|for|and|or|is|in|if|when|with|from|on|as|are)[ \\t][a-z]{2,20}(?![^\\s.,;:!?)]))${valuePattern()}`,
    'i',
  ],
  [
    '-u',
    `((?<![^\\s"'])(?:-u|--user)[ \\t]{1,8}["']?[^\\s:"'\\\\]{1,64}:)(?!\\d{1,10}(?!\\S)|//)${valuePattern(1, LOGIN)}`,
  ],
  ...['-U ', '-proxy-user'].map((keyword): readonly [string, string] => [
    keyword,
    `((?<![^\\s"'])-{1,2}(?:U|proxy-user)[ \\t]{1,8}["']?[^\\s:/"'\\\\]{1,64}:)(?!\\d{1,10}(?!\\S)|//)${valuePattern(1, LOGIN)}`,
  ]),
  [' -u', `((?<![a-z])curl${words('-u', 8)}-u[^\\s:"'\\\\-][^\\s:"'\\\\]{0,63}:)(?!//)${WORD}+`],
  [
    ' -a ',
    `((?<![a-z])https?[ \\t]{1,4}-a[ \\t]{1,4}["']?[^\\s:/"'\\\\]{1,64}:)${valuePattern(1, LOGIN)}`,
  ],
  // Session cookies on a command line.
  [
    '=',
    `((?<![^\\s"'])(?:-b|--cookie)[ \\t=]{1,4}["']?[A-Za-z0-9_.-]{1,64}=)(?=[^\\s0-9]{0,64}[0-9])${VALUE}[^\\s"'\\\\]{8,}`,
  ],
  // Programs whose option `-p` takes a password without a login command.
  [
    ' -p',
    `((?<![a-z])(?:sshpass[ \\t]{1,8}-p[ \\t]{0,8}|mysql[a-z]{0,10}${words('-p', 8)}-p)["']?)(?:${valuePattern()}|(?!\\[REDACTED|[$)\\]},;])[^\\s"'\\\\]+)`,
  ],
  [
    ' -p',
    `((?<![a-z])${LOGS_IN}[ \\t]{1,4}(?:registry[ \\t]{1,4})?login${words('-p(?![a-z])|login', 8)}-p[ \\t=]{1,4}["']?)${valuePattern()}`,
  ],
  [
    ' -p',
    `((?<![a-z])(?:7z[a-z]{0,2}|rar|unrar)[ \\t]{1,4}[a-z]{1,2}${words('-h?p|7z|rar|unrar', 6)}-p["']?)${valuePattern()}`,
  ],
  [' -hp', `((?<![a-z])rar[ \\t]{1,4}[a-z]{1,2}${words('-h?p|rar', 6)}-hp["']?)${valuePattern()}`],
  [' -P ', `((?<![a-z])(?:un)?zip${words('-P|(?:un)?zip', 6)}-P[ \\t]{1,4}["']?)${valuePattern()}`],
  [
    ' -U ',
    `([ \\t]-U[ \\t]{1,4}["']?[^\\s%"'\\\\]{1,64}%)${valuePattern(4, { between: `[^\\s%"]{1,64}%` })}`,
  ],
  ['pass:', `(-pass(?:in|out)?[ \\t]{1,4}["']?pass:)${valuePattern(1, { between: 'pass:' })}`],
  [
    ' -p',
    `((?<![a-z])mongo(?:sh|dump|restore|export|import)?${words('-p(?![a-z])|mongo', 8)}-p[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    ' -a',
    `((?<![a-z])redis-cli${words('-a(?![a-z])|redis-cli', 8)}-a[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    ' -w',
    `((?<![a-z])ldap(?:search|modify|add|delete|passwd|whoami|compare)${words('-w(?![a-z])|ldap', 12)}-w[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    ' -',
    `((?<![a-z])htpasswd[ \\t]{1,4}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \\t]{1,4}[^\\s-][^\\s]{0,200}[ \\t]{1,4}[^\\s-][^\\s]{0,64}[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    'create secret',
    `(create[ \\t]{1,4}secret[ \\t][^\\r\\n]{0,120}?--from-literal(?:=|[ \\t]{1,4})["']?[A-Za-z0-9._-]{1,100}=["']?)${valuePattern(1, { between: '(?:[A-Za-z0-9._-]{1,100}=)?' })}`,
  ],
  [
    'chpasswd',
    `(\\becho[ \\t]{1,4}["']?[^\\s:"']{1,64}:)${WORD}+(?=["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?chpasswd)`,
  ],
  // A .netrc entry; prose may contain the three words together, too.
  [
    'login',
    '(\\blogin[ \\t]{1,8}\\S{1,100}\\s{1,8}password[ \\t]{1,8})(?!\\[REDACTED)(?:(?<=(?:machine[ \\t]\\S{1,100}|default)\\s{1,8}login[ \\t]{1,8}\\S{1,100}\\s{1,8}password[ \\t]{1,8})|(?=[^\\s0-9]{0,64}[0-9]))[^\\s"\'\\\\]+',
    'i',
  ],
  [
    'login',
    `((?<![a-z])(?:vault|bao|cargo)[ \\t]{1,4}login[ \\t]{1,4}(?:-[^\\s]{1,60}[ \\t]{1,4}){0,3}(?:token=)?["']?)${valuePattern(8, { odd: true })}`,
  ],
  // A login of a person needs digits in two positions.
  [
    'ogin',
    `((?<![a-z])[Ll]ogin:?[ \\t]{1,4}(?:with[ \\t]|as[ \\t])?[^\\s/:]{1,64}[ \\t]{1,4}/[ \\t]{1,4})(?=[^\\s0-9]{0,64}[0-9]{1,64}[^\\s0-9]{1,64}[0-9])${ODD_WORD}{8,}`,
  ],
  ...['reds', 'redential', 'ogin', 'ngsdaten', 'dentifiant'].map(
    (keyword): readonly [string, string] => [
      keyword,
      `((?<![a-z])(?:[Cc]reds|[Cc]redentials?|[Ll]ogin|[Zz]ugangsdaten|[Ii]dentifiants?)(?:[ \\t]?:[ \\t]{1,3}|[ \\t]{0,3}\\()[^\\s/:@()"']{1,64}(?:[/:]|[ \\t]/[ \\t]))(?=[^\\s0-9]{0,64}[0-9]{1,64}[^\\s0-9:/]{1,64}[0-9])(?=[^\\sa-zA-Z]{0,64}[a-zA-Z])${VALUE}[^\\s"'\\\\:/()]{8,100}(?=["']?[\\s,;.)]|$)`,
    ],
  ),
  [
    ' -P',
    `((?<![a-z])(?:sqlcmd|bcp|[io]sql|mosquitto_[a-z]{3}|mqtt|ssh-keygen)${words('-P|sqlcmd|mqtt', 12)}-P[ \\t]{0,4}["']?)(?![A-Z])${valuePattern()}`,
  ],
  [
    ' -p',
    `((?<![a-z])(?:evil-winrm|psexec|crackmapexec|netexec|nxc|hydra|medusa|rdesktop)${words('-p(?![a-z])', 8)}-p[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    '-Pass',
    `((?<![^\\s"'])-(?:[A-Z][A-Za-z]{0,20})?Pass(?:word|phrase)[ \\t:]{1,4}["']?)(?![(@{])(?!(?:parameter|argument|option|switch|flag|or|and|is|to|for|with|as|in)(?![A-Za-z0-9]))${valuePattern(4)}`,
  ],
  ['freerdp', `((?<![a-z])[a-z]{0,4}freerdp[0-9]?${words('/p:', 12)}/p:["']?)${valuePattern()}`],
  ['cmdkey', `((?<![a-z])cmdkey${words('/pass:', 6)}/pass:["']?)${valuePattern()}`],
  ['schtasks', `((?<![a-z])schtasks${words('/rp', 12)}/rp[ \\t]{1,4}["']?)${valuePattern()}`],
  [
    'et use',
    `((?<![a-z])net[ \\t]{1,4}use${words('/user', 3)}/user:\\S{1,64}[ \\t]{1,4}["']?)(?!/)${valuePattern()}`,
  ],
  [
    'wpa_passphrase ',
    `((?<![a-z])wpa_passphrase[ \\t]{1,4}["']?[^\\s"']{1,64}["']?[ \\t]{1,4}["']?)${valuePattern(7)}`,
  ],
  [
    'mc alias set',
    `((?<![a-z])mc[ \\t]alias[ \\t]set(?:[ \\t]{1,4}[^\\s]{1,200}){3}[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    'http-basic.',
    `(\\shttp-basic\\.\\S{1,100}[ \\t]{1,4}\\S{1,64}[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  ['pypi-token.', `(\\spypi-token\\.\\S{1,100}[ \\t]{1,4}["']?)${valuePattern(8)}`],
  ['--secret-string', `(--secret-string(?:=|[ \\t]{1,4})["']?)(?!file:)${valuePattern()}`],
  [
    'SecureString',
    `(put-parameter${words('--value', 12)}--value(?:=|[ \\t]{1,4})["']?)(?!file:)${valuePattern()}`,
  ],
  // Values that are piped into a program that reads a password.
  [
    '|',
    `(\\becho[ \\t]{1,4}(?:-n[ \\t]{1,4})?["']?)${valuePattern()}(?=["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:(?:docker|podman)[ \\t]secret[ \\t]create|passwd[ \\t]--stdin|kinit|gcloud[ \\t]secrets|wrangler[ \\t]secret[ \\t]put)(?![a-z-]))`,
  ],
  [
    '<<<',
    `((?:--with-token|(?<![a-z])(?:kinit|passwd|wrangler[ \\t]secret[ \\t]put)[^<|;\\r\\n]{0,60})[ \\t]{0,4}<<<[ \\t]{0,4}["']?)${valuePattern()}`,
  ],
  // The passphrase of a client certificate.
  [
    ' -E',
    `((?<![a-z])curl${words('-E(?![a-zA-Z])|curl', 8)}-E[ \\t]{0,4}["']?${CERTIFICATE}:)(?!/)${WORD}+`,
  ],
  ['--cert', `((?<![^\\s"'])--cert[ \\t=]{1,4}["']?${CERTIFICATE}:)(?![/\\\\])${WORD}+`],
  [
    'nmcli',
    `((?<![a-z])nmcli(?=[ \\t]{1,4}(?:-|(?:d(?:e(?:v(?:i(?:ce?)?)?)?)?|c(?:o(?:n(?:n(?:e(?:c(?:t(?:i(?:on?)?)?)?)?)?)?)?)?)[ \\t]))${words('[^\\s]{0,40}(?:psk|password)(?![a-z])|nmcli', 10)}(?:[a-z0-9.-]{0,40}psk|password)[ \\t]{1,4}["']?)${valuePattern(4)}`,
  ],
  [
    'operator',
    `((?<![a-z])(?:vault|bao)[ \\t]{1,4}operator[ \\t]{1,4}(?:unseal|rekey)[ \\t]{1,4}(?:-[^\\s]{1,60}[ \\t]{1,4}){0,3}["']?)${valuePattern(16, { odd: true })}`,
  ],
  ['::add-mask::', '(::add-mask::)(?!\\[REDACTED|\\$)[^\\s"\'\\\\]+'],
  // The login of a driver URL, before its host.
  ['@tcp(', `((?<![^\\s"'\`=])[^\\s:/@"'\\\\(]{1,64}:)${VALUE}[^\\s@"'\\\\]{1,200}(?=@tcp\\()`],
  [
    '@//',
    `((?<![^\\s"'\`=])[^\\s:/@"'\\\\]{1,64}/)${VALUE}[^\\s@/"'\\\\]{1,100}(?=@//[A-Za-z0-9])`,
  ],
  [
    'sh-keygen',
    `((?<![a-z])ssh-keygen${words('-N(?![a-z])|ssh', 12)}-N[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    ' -p',
    `((?<![a-z])(?:cqlsh|twine|influx|snowsql|useradd|usermod)${words('-p(?![a-z])|cqlsh|twine|snowsql|user', 12)}-p[ \\t]{1,4}["']?)${valuePattern(1, { odd: true })}`,
  ],
  // Single-dash long options.
  ['pass ', `((?<![^\\s"'])-(?:[a-z]{1,10})?(?:store|key)pass[ \\t]{1,4}["']?)${valuePattern()}`],
  [
    ' -',
    `([ \\t]-(?:[a-z]{1,10}-)?(?:password|passphrase|token|secret|apikey)(?:=|[ \\t]{1,4})["']?)(?![($@])${valuePattern(6, { odd: true })}`,
    'i',
  ],
  [
    'net user ',
    `((?<![a-z])net[ \\t]user[ \\t]{1,4}[^\\s/]{1,64}[ \\t]{1,4}["']?)(?![/*])${valuePattern()}(?=["']?[ \\t]{1,4}/|[ \\t]{0,4}(?:[\\r\\n]|$))`,
  ],
  [
    'net use ',
    `((?<![a-z])net[ \\t]use[ \\t]{1,4}(?:[a-zA-Z*]:?[ \\t]{1,4})?\\\\{2,8}\\S{1,200}[ \\t]{1,4}["']?)(?![/*])${valuePattern()}(?=["']?[ \\t]{1,4}/[uU])`,
  ],
  [
    'sudo -',
    `(\\becho[ \\t]{1,4}["']?)${valuePattern()}(?=["']?[ \\t]{0,4}\\|[ \\t]{0,4}sudo[ \\t]{1,4}-[A-Za-z]{0,4}S)`,
  ],
  [
    '--',
    `(\\becho[ \\t]{1,4}(?:-n[ \\t]{1,4})?["']?)${valuePattern()}(?=["']?[ \\t]{0,4}\\|[^|;\\r\\n]{0,120}--(?:password-stdin|with-token|passphrase-fd)(?![a-z]))`,
  ],
  [
    'bitmqctl',
    `((?<![a-z])rabbitmqctl[ \\t]{1,4}(?:add_user|change_password)[ \\t]{1,4}[^\\s]{1,64}[ \\t]{1,4}["']?)${valuePattern()}`,
  ],
  [
    'user-secrets',
    `(user-secrets[ \\t]{1,4}set[ \\t]{1,4}["']?[^\\s"']{1,100}["']?[ \\t]{1,4}["']?)${valuePattern(4)}`,
  ],
  [
    ' kv p',
    `((?<![a-z])(?:vault|bao)[ \\t]{1,4}kv[ \\t]{1,4}(?:put|patch)${words('vault|bao', 4)}[^\\s=]{1,60}=["']?)(?!@)${valuePattern()}`,
  ],
  // Environment variables and settings that a command sets.
  ...['etx', 'ETX', 'etenv'].map((keyword): readonly [string, string, string] => [
    keyword,
    `((?<![a-z])set(?:x|env)[ \\t]{1,4}(?:/m[ \\t]{1,4})?["']?${GIVEN_TO})${valuePattern()}${LAST}`,
    'i',
  ]),
  [
    'ENV ',
    `((?-i:ENV)(?<=(?:^|[\\r\\n])[ \\t]{0,8}ENV)[ \\t]{1,4}(?-i:(?=[A-Z0-9_]{1,80}[ \\t]))${GIVEN_TO})${valuePattern()}${LAST}`,
    'i',
  ],
  [
    'set -',
    `((?<![a-z])set[ \\t]{1,4}-[a-zA-Z]{0,4}x[a-zA-Z]{0,4}[ \\t]{1,4}${GIVEN_TO})${valuePattern()}${LAST}`,
    'i',
  ],
  [
    ' set ',
    `((?<![a-z])(?:config|configure|secrets?|vars|variables?)[ \\t]{1,4}set[ \\t]{1,4}${GIVEN_TO})${valuePattern(4)}${LAST}`,
    'i',
  ],
  [
    'secret set ',
    `((?<![a-z])(?:gh|glab|keyvault)[ \\t]{1,4}secret[ \\t]{1,4}set${words('--?(?:body|b|value)(?![a-z])|secret', 8)}(?:--body|--value|-b)(?:[ \\t=]{1,4}["']?|["']))${valuePattern()}`,
  ],
  // A key derived from a password, and a raw key.
  [
    'penssl',
    `((?<![a-z])openssl[ \\t]{1,4}[a-z0-9-]{2,30}${words('-k(?![a-z])|openssl', 12)}-k[ \\t]{1,4}["']?)(?!(?:option|flag|switch|parameter|argument|and|or|to|is|for|with|uses?|now)(?![A-Za-z0-9]))${valuePattern()}`,
  ],
  [
    'penssl',
    `((?<![a-z])openssl[ \\t]{1,4}[a-z0-9-]{2,30}${words('-(?:K|psk|hmac)(?![a-z])|openssl', 12)}-(?:K|psk|hmac)[ \\t]{1,4}["']?)${valuePattern(4)}`,
  ],
  // Settings whose value follows a blank.
  ['pw', `((?<![a-z])(?:bind|root)pw[ \\t]{1,8}["']?)${valuePattern(4)}`],
  ['requirepass', `((?<![a-z])requirepass[ \\t]{1,8}["']?)${valuePattern(6, { odd: true })}`],
  ['masterauth', `((?<![a-z])masterauth[ \\t]{1,8}["']?)${valuePattern(6, { odd: true })}`],
  ['_auth', `((?<![A-Za-z0-9_])_auth[ \\t]{0,4}=[ \\t]{0,4}["']?)${VALUE}[A-Za-z0-9+/=_-]{8,}`],
  ['snmp', `((?<![a-z])snmp-server[ \\t]{1,4}community[ \\t]{1,4})${WORD}+`],
  ['snmp', `((?<![a-z])snmp[a-z]{3,10}${words('-c|snmp', 6)}-c[ \\t]{1,4}["']?)${valuePattern()}`],
  [
    'enable ',
    `((?<![a-z])enable[ \\t]{1,4}(?:secret|password)[ \\t]{1,4}(?:level[ \\t]\\d{1,2}[ \\t])?(?:\\d[ \\t]{1,4})?)${ODD_WORD}{6,}`,
  ],
  [
    'username ',
    `((?<![a-z])username[ \\t]{1,4}\\S{1,64}[ \\t]{1,4}(?:privilege[ \\t]\\d{1,2}[ \\t])?(?:secret|password)[ \\t]{1,4}(?:\\d[ \\t]{1,4})?)${ODD_WORD}{6,}`,
  ],
  [
    'SecureString',
    `(ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?["'])${VALUE}(?!\\$)[^\\r\\n"']+`,
  ],
  ['jdbc:oracle', `(jdbc:oracle:[a-z]{1,8}:[^\\s/@:"']{1,64}/)${VALUE}[^\\s@"'/]+(?=@)`],
  [
    'sqlplus',
    `((?<![a-z])sqlplus[ \\t]{1,4}(?:-[a-zA-Z]{1,8}[ \\t]{1,4}){0,3}["']?[^\\s/@"']{1,64}/)${VALUE}[^\\s@"'/]+`,
  ],
  // A .pgpass entry.
  [
    ':',
    `(:(?=[0-9]{4,5}:|\\*:)(?<=(?<![^\\s"'])[A-Za-z0-9.*-]{1,100}:)[0-9*]{1,5}:[^\\s:"']{1,64}:[^\\s:"']{1,64}:)(?=[^\\s:"']{6,100}(?![^\\s"'\\\\]))${ODD_WORD}+`,
  ],
];

export const COMMANDS: readonly CommandRule[] = commandRules(RULES);

/** The triggers of these rules, besides credential names; each begins with a punctuation character. */
export const COMMAND_SIGNS: readonly string[] = [
  '-u |--[a-z]|-(?:SecureString|secrets set|[a-z]{0,10}(?:store|key)pass)|:oracle|:(?:[0-9]{4,5}|\\*):[^\\s:]{1,64}:|_auth[ \\t]{0,4}=',
  '-[a-zA-Z]{0,4}x(?<=et -[a-zA-Z]{0,4}x)',
  '/(?:p|pass):|/(?:rp |user:)|-Pass|-[A-Z][A-Za-z]{1,20}Pass|-basic\\.|-token\\.|-(?:U |b[ "\'])|:(?<=(?:[Cc]reds|gsdaten|ntifiants?) ?:)|\\((?<=redentials \\()|_passphrase |<<<|::add-mask|@(?:tcp\\(|//)',
  '\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:(?:docker|podman|passwd|kinit|gcloud|wrangler)[ \\t\\r\\n]|chpasswd)|-(?:cli(?<=edis-cli)|[a-zA-Z](?<=tpasswd[ \\t]{1,4}-.))|-a (?<=https? -a )|-u(?<=curl[ \\t][^\\r\\n]{0,80}-u)',
];
export const COMMAND_TRIGGERS: readonly string[] = [
  ' -(?:[pPUSNkKwE]|h[pm]|ps)| kv p',
  // Keywords are searched by their rare last letter.
  'mcli[ \\t](?<=nmcli.)|(?:nseal|ekey)[ \\t](?<=operator (?:unseal|rekey).)',
  '[xX][ \\t](?<=etx.|ETX.)|[vV][ \\t](?<=etenv.|ENV.)|[Nn]et use|qctl[ \\t]',
  '[Ll]ogin:?[ \\t]|dpw[ \\t]|otpw[ \\t]|irepass[ \\t]|erauth[ \\t]|nmp(?:-server|[a-z]{3,10})[ \\t]|qlplus[ \\t]',
];
