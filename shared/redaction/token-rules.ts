// Token rules as data. Every change raises REDACTION_VERSION in `rules.ts`.

export interface TokenRule {
  placeholder: string;
  /** The source of a regular expression, linear for hostile texts. No letter or digit precedes a match. */
  pattern: string;
  /** A further condition that is checked once per match, so that the pattern needs no look-ahead. */
  accepts?: RegExp;
  /** A keyword that a text must contain, for tokens that could begin anywhere. */
  keyword?: string;
  /** Whether the token may be inside a longer word. */
  inside?: true;
}

const END = '(?![A-Za-z0-9])';
/**
 * After a vendor's prefix: no joined words and small numbers, as in the name of a package, a file or a branch
 * (`xai-image-tools-server`, `hf_transfer_bench_suite_2`).
 */
const NOT_WORDS =
  '(?![A-Za-z][a-z]{0,15}(?:[-_./](?:[A-Za-z][a-z]{0,15}|[0-9]{1,4})){1,12}(?![A-Za-z0-9_=+/.-]))';
/** A secret of this product, complete or truncated. */
const own = (letter: string) => `gw${letter}_[0-9A-Za-z]{16,}`;
const vendor = (pattern: string): TokenRule => ({
  placeholder: '[REDACTED_API_KEY]',
  pattern,
});

/** Prefixes that only secrets of a vendor have. */
const VENDOR_PREFIXES = [
  ...['ya29\\.', 'GOCSPX-', '1//0', 'AQ\\.', 'github_pat_', 'gh[pousr]_', 'ops_eyJ', 'hf_', 'xai-'],
  ...['gsk_', 'pplx-', 'nvapi-', 'tvly-', 'pcsk_', 'fig[dour]_', 'nfp_', 'HRKU-', 'dckr_[po]at_'],
  ...[
    'ATATT3',
    'ATCTT3',
    'hv[sbr]\\.',
    'sb_secret_',
    'lin_(?:api|oauth|wh)_',
    'sntry[su]_',
    'tskey-',
  ],
  ...[
    'dp\\.(?:pt|st|ct|sa|scim|audit)\\.',
    'sq0(?:csp|atp)-',
    'pscale_(?:tkn|pw|oauth)_',
    'glsa_',
    'glc_',
  ],
  ...[
    'lsv2_(?:pt|sk)_',
    'sbp_',
    'rubygems_',
    'CFPAT-',
    'fm[12][a-z]?_',
    'bedrock-api-key-',
    'FlyV1 ',
    'tgp_v1_',
    'ph[cx]_',
    'rnd_',
    'jina_',
    'apify_api_',
    'wandb_v1_',
    'csb_v1_',
    'GR1348941',
    'FLWSECK(?:_TEST)?-',
    'SWMTKN-1-',
  ],
  ...['vercel_blob_rw_', 'xkeysib-', 'xsmtpsib-', 'AKCp', 'AQVN', 'CCIP(?:AT|RJ)_'],
  ...['dt0[a-z][0-9]{2}\\.', 'snyk_[su]at\\.', 'sl\\.u\\.', 'cmVmdGtu', 'NRII-'],
  ...['dd(?:app|pat)_', 'mdb_sa_sk_', 'CCDB1_', 'tmprl_', 'nyk_v0_', 'crsr_', 'polar_[a-z]{2,10}_'],
];

/**
 * Sources of linear regular expressions. A format with a fixed length excludes further characters of its class on both
 * sides; otherwise a long row of such characters would be shortened by each application.
 */
const VENDOR_FORMS: readonly string[] = [
  `(?:${VENDOR_PREFIXES.join('|')})${NOT_WORDS}[A-Za-z0-9_=+/.-]{20,}`,
  // Identifiers share these prefixes, and consist of words, or have no capital letter and digit.
  '(?:vc[piark]_|cf(?:ut|at|k)_|n8n_api_|mlsn\\.)[A-Za-z0-9]{20,}',
  '(?:duffel_(?:test|live)_|fo1_|fio-u-|tk-(?:us|eu)-|rpa_|y0_|esecret_|sk_org_|BSA)(?=[a-z0-9_-]{0,64}[A-Z])(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}',
  `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}`,
  'ABSK[A-Za-z0-9+/]{40,}={0,2}',
  `LTAI[A-Za-z0-9]{12,24}${END}`,
  `AKID[A-Za-z0-9]{32}${END}`,
  'AIza[A-Za-z0-9_-]{30,}',
  `gl(?:pat|ptt|dt|rt|rtr|cbt|ft|soat|agent|ffct|imt|oas|wt)-${NOT_WORDS}[A-Za-z0-9_-]{16,}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{7,9})?`,
  `xox[a-eoprs]-${NOT_WORDS}[A-Za-z0-9%-]{10,}`,
  `xwfp-${NOT_WORDS}[A-Za-z0-9-]{20,}`,
  `xapp-${NOT_WORDS}[A-Za-z0-9-]{10,}`,
  '[prs]k_(?:test|live)_[A-Za-z0-9]{10,}',
  'sk_[a-f0-9]{40,}',
  `(?:AC|SK)[a-f0-9]{32}${END}`,
  `key-[a-f0-9]{32}${END}`,
  'whsec_[A-Za-z0-9+/]{16,}={0,2}',
  'npm_[A-Za-z0-9]{30,}',
  `pypi-${NOT_WORDS}[A-Za-z0-9_-]{40,}`,
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
  'r8_[A-Za-z0-9]{30,}',
  'do[opr]_v1_[a-f0-9]{40,}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}',
  'ATBB[A-Za-z0-9]{24,}',
  `d(?:api|kea|ose)[a-f0-9]{32}(?:-[0-9])?${END}`,
  `(?:sess-|api_org_|unkey_|lsk_|retool_|tr_(?:prod|dev)_)(?=[a-z0-9_-]{0,64}[A-Z])(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}`,
  `cio(?=[a-z0-9]{0,31}[A-Z])(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}${END}`,
  `(?<!-)[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])`,
  `(?:[a-f0-9]{36}|eu01xx[a-f0-9]{30})NRAL${END}`,
  'NR(?:JS|IQ|IU|II)-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,}',
  `(?:PMAT-[A-Z0-9]{26}|api-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})${END}`,
  'IGQV[A-Za-z0-9_-]{80,}',
  '(?<![+/=%]|%(?:25){0,3}[0-9A-Fa-f]{1,2})A{16,24}(?!A|[A-Za-z0-9%]{101})[A-Za-z0-9%]{60,100}(?![+/=])',
  'rzp_(?:live|test)_[A-Za-z0-9]{14}',
  'dnkey-[A-Z0-9a-z-]{40,}',
  'signkey-(?:prod|test|branch)-[a-f0-9]{32,}',
  'secret-(?:live|test)-(?=[a-z0-9_=-]{0,64}[A-Z])(?=[A-Za-z_=-]{0,64}[0-9])[A-Za-z0-9_=-]{30,}',
  `rootly_[a-f0-9]{64}${END}`,
  `cr-[a-f0-9]{32}${END}`,
  `4b1d(?=[a-z0-9]{0,37}[A-Z])[A-Za-z0-9]{38}${END}`,
  'dG9rOj[A-Za-z0-9+/]{40,}={0,2}',
  'sl\\.(?=[a-z0-9_-]{0,64}[A-Z])[A-Za-z0-9_-]{130,}',
  `(?<![_-])00(?=[a-z0-9_-]{0,39}[A-Z])(?=[A-Z0-9_-]{0,39}[a-z])[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])`,
  '(?:prod|dev|preview):[a-z]{2,20}-[a-z]{2,20}-[0-9]{1,4}\\|[A-Za-z0-9+/=]{40,}',
  // The join token of a cluster. A hash of this length after a short name has a file extension.
  '(?<![._-])[a-z0-9]{6}\\.(?:(?<=[0-9][a-z]{0,5}\\.)|(?<=[Tt]oken[^\\r\\n]{0,40}[^A-Za-z0-9.].{6}\\.))(?=[a-z]{0,15}[0-9])(?=[0-9]{0,15}[a-z])[a-z0-9]{16}(?![A-Za-z0-9._-])',
  // The key of a storage account, 64 bytes. A digest of this length has a prefix that identifies it.
  '(?<![+/=:-])[A-Za-z0-9+/]{86}==(?![A-Za-z0-9=])',
  '(?:ntn|secret)_[A-Za-z0-9]{40,}',
  'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
  'NRAK-[A-Za-z0-9]{27}',
  'AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}',
  'EAA[A-Za-z0-9_-]{80,}',
  'EAAA[A-Za-z0-9_-]{56,}',
  `EZ[AT]K[A-Za-z0-9]{54}${END}`,
  `fw_[A-Za-z0-9]{22,40}${END}`,
  `e2b_[a-f0-9]{40}${END}`,
  `fc-[a-f0-9]{32}${END}`,
  'pa-[A-Za-z0-9_-]{43}',
  'pat-(?:na|eu)[0-9]-[a-f0-9-]{36}',
  'sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}',
  'bkua_[a-f0-9]{40}',
  'sq[pua]_[a-f0-9]{40}',
  'pul-[a-f0-9]{40}',
  'pnu_[A-Za-z0-9]{36}',
  'rdme_[a-z0-9]{70}',
  'napi_[a-z0-9]{60,}',
  'tfp_[A-Za-z0-9_.-]{40,}',
  `p8e-[a-z0-9]{32}${END}`,
  `ico-[A-Za-z0-9]{32}${END}`,
  'csk-[a-z0-9]{40,}',
  '(?<!_)key_[a-f0-9]{64}',
  '(?:hca[a-z]k|CLOJARS)_[a-z0-9]{40,}',
  'sl\\.B[A-Za-z0-9_-]{100,}',
  `(?:shippo_(?:live|test)_[a-f0-9]{40}|(?<!_)(?:live|test)_[a-f0-9]{35})${END}`,
  `API-[A-Z0-9]{26,36}${END}`,
  `sdk-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}${END}`,
  'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}',
  `[0-9]/[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}${END}`,
  `a[ks]-(?=[A-Za-z]{0,22}[0-9])(?=[a-z0-9]{0,22}[A-Z])[A-Za-z0-9]{22}${END}`,
  `[a-f0-9]{32}\\.(?=[A-Za-z]{0,16}[0-9])[A-Za-z0-9]{16}${END}`,
  'secret_[a-z0-9-]{1,40}_[a-f0-9]{32}\\.[A-Za-z0-9]{20,}',
  'access-(?:sandbox|development|production)-[a-f0-9-]{36}',
  'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  // Identifiers have no digit in this position.
  `re_[A-Za-z0-9]{8}_(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}${END}`,
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}',
  'pat\\.[A-Za-z0-9_-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}',
  '[st]k\\.eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}',
  't1\\.[A-Za-z0-9_-]{40,}={0,2}\\.[A-Za-z0-9_-]{80,}',
  `oy2[a-z0-9]{43}${END}`,
  `oauth:[a-z0-9]{30}${END}`,
  '00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{40,}',
  `1000\\.[a-f0-9]{32}\\.[a-f0-9]{32}${END}`,
  'amzn\\.mws\\.[a-f0-9-]{36}',
  'Atz[ar]\\|[A-Za-z0-9_/+=-]{20,}',
  'ctx7sk-[a-f0-9-]{36}',
  'access_token\\$production\\$[a-z0-9]{16}\\$[a-f0-9]{32}',
  '(?<!\\.)base64url\\.bearer\\.authorization\\.k8s\\.io\\.[A-Za-z0-9_-]{20,}',
  // A dashboard key from before service accounts.
  'eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}',
  // The token of a bot: its id in base64, a time, a signature.
  '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
];

/** Password hashes in user files and databases, which permit offline guessing. */
const HASH_FORMS: readonly (readonly [keyword: string, pattern: string])[] = [
  ['$2', '\\$2[abxy]?\\$[0-9]{2}\\$[A-Za-z0-9./]{50,53}'],
  ['1$', '\\$(?:1|apr1)\\$[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{20,22}'],
  ['$', '\\$[56]\\$(?:rounds=[0-9]{1,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{40,86}'],
  ['y$', '\\$g?y\\$[A-Za-z0-9./]{1,20}\\$[A-Za-z0-9./]{1,86}\\$[A-Za-z0-9./]{30,86}'],
  ['$7$', '\\$7\\$[A-Za-z0-9./$]{40,128}'],
  [
    '$argon2',
    '\\$argon2(?:id|i|d)\\$(?:v=[0-9]{1,3}\\$)?[a-z0-9=,]{1,64}\\$[A-Za-z0-9+/=]{8,128}\\$[A-Za-z0-9+/=]{16,256}',
  ],
  ['$scrypt$', '\\$scrypt\\$[a-z0-9=,]{1,64}\\$[A-Za-z0-9+/=]{8,128}\\$[A-Za-z0-9+/=]{16,256}'],
  [
    'pbkdf2',
    '(?<![A-Za-z0-9])pbkdf2[_-]?(?:sha(?:1|256|512))?\\$[0-9]{1,9}\\$[A-Za-z0-9./+=_-]{4,128}\\$[A-Za-z0-9./+=_-]{20,256}',
  ],
  // Hashes of Werkzeug, PostgreSQL and Windows.
  [
    '$',
    '(?<![A-Za-z0-9])(?:pbkdf2:sha(?:1|256|512)(?::[0-9]{1,9})?|scrypt(?::[0-9]{1,8}){3})\\$[A-Za-z0-9]{4,64}\\$[a-f0-9]{32,128}',
  ],
  [
    'SCRAM-',
    'SCRAM-SHA-256\\$[0-9]{1,8}:[A-Za-z0-9+/=]{8,64}\\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=',
  ],
  [':::', '(?<![a-f0-9])[a-f0-9]{32}:[a-f0-9]{32}(?=:::)'],
  ['}', '\\{SS?HA(?:256|512)?\\}[A-Za-z0-9+/]{20,200}={0,2}'],
];

/** A slash, also escaped or percent-encoded. */
const SLASH = '(?:\\\\{0,4}/|%(?:25){0,3}2[Ff])';
/** URLs that accept posts from anybody who knows them. */
const WEBHOOKS: readonly string[] = [
  'outlook\\.office\\.com/webhook/',
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/',
  'discord(?:app)?\\.com/api/webhooks/',
  'webhook\\.office\\.com/webhookb2/',
  'hooks\\.zapier\\.com/hooks/catch/[0-9]{1,12}/',
  'open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/',
  'mcp\\.zapier\\.com/api/mcp/s/',
  'hook\\.[a-z0-9]{2,10}\\.make\\.com/',
  '[a-z0-9-]{1,63}\\.app\\.n8n\\.cloud/webhook(?:-test)?/',
  'maker\\.ifttt\\.com/trigger/[A-Za-z0-9_-]{1,100}/(?:json/)?with/key/',
];

/** All token rules. */
export const TOKEN_RULES: readonly TokenRule[] = [
  { placeholder: '[REDACTED_GW_API_KEY]', pattern: own('k') },
  { placeholder: '[REDACTED_LOG_EXPORT_KEY]', pattern: own('l') },
  { placeholder: '[REDACTED_MANAGEMENT_KEY]', pattern: own('m') },
  { placeholder: '[REDACTED_MCP_TOKEN]', pattern: own('[td]') },
  { placeholder: '[REDACTED_AGENT_TOKEN]', pattern: own('a') },
  { placeholder: '[REDACTED_NODE_TOKEN]', pattern: own('n') },
  { placeholder: '[REDACTED_SCIM_TOKEN]', pattern: own('s') },
  // Lower-case words with hyphens are names of styles and packages, not keys.
  { ...vendor(`sk-${NOT_WORDS}[A-Za-z0-9_-]{16,}`), accepts: /[0-9A-Z]|[a-z]{20}/ },
  vendor(VENDOR_FORMS.join('|')),
  { ...vendor('[0-9]Q~[A-Za-z0-9_.~-]{31,}'), keyword: 'Q~', inside: true },
  { ...vendor(`[a-f0-9]{32}-us[0-9]{1,2}${END}`), keyword: '-us' },
  {
    ...vendor('_\\|WARNING:-DO-NOT-SHARE-THIS\\.--[^|\\s]{1,200}\\|_[A-F0-9a-f]{60,}'),
    keyword: '|WARNING:-DO',
    inside: true,
  },
  // Cloud keys with a mark in the middle.
  { ...vendor('(?<!\\\\)[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{8,}'), keyword: 'JQQJ99' },
  {
    ...vendor('[A-Za-z0-9+/]{60,80}\\+A(?:St|Sb|Eh|IoT|CDb)[A-Za-z0-9+/]{4,8}={0,2}'),
    keyword: '+A',
  },
  { ...vendor('[A-Za-z0-9_-]{7,40}:APA91b[A-Za-z0-9_-]{60,}'), keyword: ':APA91b' },
  { ...vendor('v\\^1\\.1#i\\^1#[A-Za-z0-9#^]{1,60}#t\\^[A-Za-z0-9+/=_-]{20,}'), keyword: '#t^' },
  { ...vendor('(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}'), keyword: ':AA' },
  { ...vendor('(?:bot)?[0-9]{8,10}%(?:25){0,3}3AAA[A-Za-z0-9_-]{30,}'), keyword: '3AAA' },
  {
    // Vault tokens before version 1.10. Code has names of any length after `s.`, but few with this mixture.
    ...vendor('(?<![_.$])s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9_(])'),
    accepts: /^(?=.*[0-9].*[0-9])(?=.*[A-Z])(?=.*[a-z].*[a-z])/,
  },
  vendor('atlasv1\\.[A-Za-z0-9_=-]{40,}'),
  ...HASH_FORMS.map(([keyword, pattern]) => ({
    placeholder: '[REDACTED_PASSWORD_HASH]',
    pattern,
    keyword,
    inside: true as const,
  })),
  {
    placeholder: '[REDACTED_WEBHOOK_URL]',
    pattern: `(?:${WEBHOOKS.join('|').replaceAll('/', SLASH)})(?:[A-Za-z0-9@_-]|${SLASH}|%(?:25){0,3}40){20,}`,
  },
  {
    placeholder: '[REDACTED_PRIVATE_KEY]',
    pattern: `Private-Lines: ?[0-9]{1,4}[A-Za-z0-9+/=\\\\\\s]+`,
  },
  {
    // Signed (three parts), unsigned (the third part is empty) or encrypted (five parts, the second may be empty).
    placeholder: '[REDACTED_JWT]',
    pattern:
      '(?<!-|[A-Za-z0-9_-]_)eyJ[A-Za-z0-9_-]{5,}\\.(?:eyJ[A-Za-z0-9_-]*\\.|[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{5,})[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}',
  },
];
