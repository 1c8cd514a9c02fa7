// Keyword rules for credentials in program output, protocols and network configurations. A rule runs only on texts with
// its keyword. All patterns are linear.
import {
  type CommandRule,
  commandRules,
  ODD_WORD,
  valuePattern,
  WORD,
  words,
} from './keyword-rules.ts';

const NAME_END =
  '[A-Za-z0-9_]{0,40}(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRET|TOKEN|KEY|SALT)(?![A-Za-z0-9_])';

const RULES: readonly (readonly [keyword: string, pattern: string, flags?: string])[] = [
  // Variables with a generic last word: the value needs letters and digits, and is no path.
  ...['_AUTH', '_PAT', '_SK', '_CREDENTIAL'].map((keyword): readonly [string, string] => [
    keyword,
    `(${keyword}S?["']?[ \\t]{0,4}[=:][ \\t]{0,4}["']?)(?![A-Za-z0-9+]{1,12}:/)${valuePattern(10, { odd: true })}`,
  ]),
  ['REDISCLI_AUTH=', `((?<![A-Za-z0-9])REDISCLI_AUTH=["']?)${valuePattern()}`],
  // A login at the beginning of a line or alone, with a mixture that image and group names lack.
  ...['root:', 'admin:'].map((keyword): readonly [string, string] => [
    keyword,
    `((?:^|[\\r\\n"'\`( ])${keyword})(?=[a-z0-9]{0,64}[A-Z])(?=[A-Za-z]{1,64}[0-9])(?=[A-Za-z0-9]{1,64}[!@#$%^&*])${WORD}{8,64}(?=["'\`)]?(?:\\s|$))`,
  ]),
  // A login in a table about logins.
  [
    ' / ',
    `(\\|[ \\t]{1,4}[^\\s|/]{1,64}[ \\t]/[ \\t](?<=(?:[Cc]redential|[Ll]ogin|[Pp]assw|[Zz]ugangsdat)[^]{1,200}))(?=[a-z0-9]{0,64}[A-Z])(?=[A-Z0-9]{0,64}[a-z])${ODD_WORD}{8,64}(?=[ \\t]{0,8}\\|)`,
  ],
  ['.login=', `((?<![a-z])sonar\\.login=)${WORD}{10,}`],
  [
    'account.key.',
    '(account\\.key\\.[a-z0-9.-]{1,100}["\']?[ \\t]{0,4}[=:, \\t][ \\t]{0,4}["\']?)[A-Za-z0-9+/]{40,}={0,2}',
  ],
  // The new value of a credential in a plan, after the old value.
  ['" -> "', `(\\[REDACTED\\]"[ \\t]{1,4}->[ \\t]{1,4}")${WORD}+`],
  [
    '<<',
    `(${NAME_END}["']?[ \\t]{0,4}=[ \\t]{0,4}<<[-~]?["']?([A-Z_]{2,20})["']?\\r?\\n[ \\t]{0,40})${WORD}[^\\r\\n]*`,
    'i',
  ],
  // A program that takes a name and a password as options.
  [
    ' -p',
    `([ \\t](?:-u|--user(?:name)?)[ \\t=]{1,4}[^\\s:"'-][^\\s:"']{0,63}[ \\t]{1,4}-p[ \\t]{1,4}["']?)${valuePattern(6, { odd: true })}`,
  ],
  [
    ' passwd -',
    `((?<![a-z])openssl[ \\t]passwd(?:[ \\t]-[a-z0-9]{1,10}){0,4}[ \\t]{1,4}["']?)(?!-)${valuePattern(4, { odd: true })}`,
  ],
  [
    '--encrypt ',
    `((?<![a-z])qpdf[ \\t][^\\r\\n]{0,120}--encrypt[ \\t]{1,4}(?:\\[REDACTED\\][ \\t]{1,4})?["']?)${valuePattern()}(?=["']?[ \\t]{1,4}(?:\\S{1,64}[ \\t]{1,4})?(?:40|128|256)[ \\t])`,
  ],
  ['_pw ', `((?<![a-z])(?:user|owner|input)_pw[ \\t]{1,4}["']?)(?!PROMPT)${valuePattern()}`],
  ['lftp', `((?<![a-z])lftp${words('-u', 6)}-u[ \\t]{1,4}["']?[^\\s,"']{1,64},)${WORD}+`],
  ['snyk auth ', `((?<![a-z])snyk[ \\t]auth[ \\t]{1,4})${ODD_WORD}{20,}`],
  [
    'service install ',
    `((?<![a-z])cloudflared[ \\t][^\\r\\n]{0,60}install[ \\t]{1,4})eyJ[A-Za-z0-9_=-]{20,}`,
  ],
  [
    'nseal',
    `((?<![a-z])(?:Unseal Key(?: \\(hex\\))?(?: \\d{1,2})?:|Recovery Key(?: \\d{1,2})?:)[ \\t]{1,4})${WORD}{20,}`,
  ],
  // Passwords in SQL statements.
  [
    'FOR ',
    `((?-i:PASSWORD)[ \\t]FOR[ \\t]{1,4}[^\\s=]{1,100}[ \\t]{0,4}=[ \\t]{0,4}')${WORD}[^'\\r\\n]*`,
    'i',
  ],
  ...['BY ', 'by '].map((keyword): readonly [string, string, string] => [
    keyword,
    `((?:user|role)[ \\t]{1,4}[^\\s]{1,100}[ \\t]{1,4}identified[ \\t]{1,4}by[ \\t]{1,4}"?)(?!(?:values|the|an?|its?|this|their)(?![a-z]))(?:(?<=")${WORD}{4,}|${ODD_WORD}[^;]{0,63}(?=;|[ \\t]{0,4}(?:[\\r\\n]|$)))`,
    'i',
  ]),
  ['pgp_sym_', `(pgp_sym_(?:en|de)crypt\\([^()\\r\\n]{1,200},[ \\t]{0,4}')${WORD}[^'\\r\\n]*(?=')`],
  [
    ':1521',
    `((?<![^\\s"'=])[A-Za-z0-9_]{1,30}/)${WORD}[^\\s@/:]{3,64}(?=@[A-Za-z0-9.-]{1,100}:1521)`,
  ],
  // Passwords that servers print once.
  ['New value: ', `(?<=successfully reset\\.\\s{1,4})(New value: )${WORD}{6,}`],
  ['installation:', `(following password to proceed to installation:\\s{1,8})${WORD}{16,}`],
  [
    ' (reset with',
    `(assword for the [a-z_]{1,40} user \\(reset with [^()\\r\\n]{1,100}\\):\\s{1,8})${WORD}{6,}`,
  ],
  // Mail and file transfer protocols.
  ['AUTH PLAIN ', '(AUTH PLAIN )[A-Za-z0-9+/]{8,}={0,2}'],
  [
    '334 UGFz',
    '(334 UGFzc3dvcmQ6\\s{1,8}(?:[A-Za-z]:[ \\t]|[<>-]{1,3}[ \\t]{0,2})?)[A-Za-z0-9+/]{6,}={0,2}',
  ],
  [
    ' LOGIN ',
    `((?:^|[\\r\\n>:][ \\t]{0,2})[A-Za-z][0-9]{1,8} LOGIN [^\\s]{1,64} ["']?)${valuePattern(4, { odd: true })}`,
  ],
  [
    'PASS ',
    `((?<=USER [^\\r\\n]{1,64}\\r?\\n|(?:331|\\+OK)(?=[^\\r\\n]*assword|[^\\r\\n]*OK)[^\\r\\n]{0,80}\\r?\\n)[ \\t<>-]{0,4}PASS )${WORD}+`,
  ],
  ['WIFI:', `(WIFI:(?:[A-OQ-Z]:[^;\\r\\n]{0,64};){0,4}P:)${WORD}[^;\\r\\n]*`],
  // Network devices.
  [
    '-shared-key ',
    `(pre-shared-key[ \\t]{1,4}(?:(?:ascii-text|hexadecimal|address[ \\t]\\S{1,64}|local|remote|[0-9])[ \\t]{1,4}){0,3}["']?)(?!(?:must|is|for|and|or|in|with)(?![a-z]))${valuePattern(4, { odd: true })}`,
  ],
  [
    ' key ',
    `((?:isakmp|(?:tacacs|radius)-server(?:[ \\t]host[ \\t]\\S{1,64})?)[ \\t]key[ \\t]{1,4}(?:[0-9][ \\t]{1,4})?["']?)${valuePattern(4, { odd: true })}`,
  ],
  ['-password-value ', `(plain-text-password-value[ \\t]{1,4}["']?)${valuePattern()}`],
  // Browser cookies in the Netscape file format.
  [
    'E\t',
    `((?:TRUE|FALSE)\\t[0-9]{1,12}\\t[^\\t\\r\\n]{1,100}\\t)(?=[^\\s]{12})(?=[^\\s0-9]{0,64}[0-9])${WORD}+`,
  ],
  ['RSAKeyValue', '(<(?:P|Q|DP|DQ|InverseQ|D)>\\s{0,20})[A-Za-z0-9+/]{20,}={0,2}'],
];

export const OUTPUTS: readonly CommandRule[] = commandRules(RULES);

/** The triggers of these rules; each begins with a punctuation character or a capital letter. */
export const OUTPUT_SIGNS: readonly string[] = [
  ':(?<=[^A-Za-z0-9](?:root|admin):|^(?:root|admin):)[A-Za-z]|\\|[ \\t]{1,4}[^\\s|/]{1,64} / ',
  `_(?:AUTH|PAT|SK|CREDENTIALS?)["']?[ \\t]{0,4}[=:]|_pw (?<=(?:user|owner|input)_pw )|_sym_|\\.login=|-> "(?<=" -> ")|<<(?<=[=][ \\t]{0,4}<<)`,
  'Unseal Key|Recovery Key|FOR (?<=PASSWORD FOR )|New value: |:(?<=to installation:)|\\(reset with|AUTH PLAIN |334 UGFz|LOGIN |PASS |WIFI:|RSAKeyValue',
  '-shared-key |-server key |-server host |-password-value |\\t(?:TRUE|FALSE)\\t[0-9]|:1521|\\.(?<=account\\.key\\.)|-(?<=[ \\t]passwd -|snyk auth [0-9a-f]{8}-)',
];
