// Rules of tokens that their own format identifies, by vendor. Every change raises REDACTION_VERSION in `rule.ts`.
import { type Rule, START } from './rule.ts';

const API_KEY = '[REDACTED_API_KEY]';
const END = '(?![A-Za-z0-9])';
const UUID = '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}';
/**
 * After a vendor's prefix: no joined words and small numbers, as in the name of a package, a file or a branch
 * (`xai-image-tools-server`, `hf_transfer_bench_suite_2`).
 */
const NOT_WORDS =
  '(?![A-Za-z][a-z]{0,15}(?:[-_./](?:[A-Za-z][a-z]{0,15}|[0-9]{1,4})){1,12}(?![A-Za-z0-9_=+/.-]))';
/** The token contains a capital letter and a digit, which identifiers of words lack. */
const MIXED = '(?=[a-z0-9_=-]{0,64}[A-Z])(?=[A-Za-z_=-]{0,64}[0-9])';

const escapePattern = (text: string) => text.replaceAll(/[.|/$^+]/g, '\\$&');
/** A token that begins with the keyword, and is not part of a longer word. */
const prefixed = (prefix: string, rest: string, replacement = API_KEY): Rule => ({
  id: prefix,
  keywords: [prefix.toLowerCase()],
  pattern: `${START}${escapePattern(prefix)}${rest}${END}`,
  replacement,
});
/** A token whose keyword is inside. */
const containing = (keyword: string, pattern: string, replacement = API_KEY): Rule => ({
  id: keyword,
  keywords: [keyword.toLowerCase()],
  pattern: START + pattern + END,
  replacement,
});

/** Secrets of this product, complete or truncated. */
const OWN: readonly Rule[] = (
  [
    ['gwk_', 'GW_API_KEY'],
    ['gwl_', 'LOG_EXPORT_KEY'],
    ['gwm_', 'MANAGEMENT_KEY'],
    ['gwt_', 'MCP_TOKEN'],
    ['gwd_', 'MCP_TOKEN'],
    ['gwa_', 'AGENT_TOKEN'],
    ['gwn_', 'NODE_TOKEN'],
    ['gws_', 'SCIM_TOKEN'],
  ] as const
).map(([prefix, name]) => prefixed(prefix, '[0-9A-Za-z]{16,}', `[REDACTED_${name}]`));

/** Prefixes that only secrets of a vendor have. */
const VENDOR_PREFIXES: readonly string[] = [
  ...['ya29.', 'GOCSPX-', '1//0', 'AQ.', 'github_pat_', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
  ...['ops_eyJ', 'hf_', 'xai-', 'gsk_', 'pplx-', 'nvapi-', 'tvly-', 'pcsk_', 'figd_', 'figo_'],
  ...['figu_', 'figr_', 'nfp_', 'HRKU-', 'dckr_pat_', 'dckr_oat_', 'ATATT3', 'ATCTT3', 'hvs.'],
  ...['hvb.', 'hvr.', 'sb_secret_', 'lin_api_', 'lin_oauth_', 'lin_wh_', 'sntrys_', 'sntryu_'],
  ...['tskey-', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.', 'sq0csp-'],
  ...['sq0atp-', 'pscale_tkn_', 'pscale_pw_', 'pscale_oauth_', 'glsa_', 'glc_', 'lsv2_pt_'],
  ...['lsv2_sk_', 'sbp_', 'rubygems_', 'CFPAT-', 'fm1_', 'fm2_', 'fm1r_', 'bedrock-api-key-'],
  ...['FlyV1 ', 'tgp_v1_', 'phc_', 'phx_', 'rnd_', 'jina_', 'apify_api_', 'wandb_v1_', 'csb_v1_'],
  ...['GR1348941', 'FLWSECK-', 'FLWSECK_TEST-', 'SWMTKN-1-', 'vercel_blob_rw_', 'xkeysib-'],
  ...['xsmtpsib-', 'AKCp', 'AQVN', 'CCIPAT_', 'CCIPRJ_', 'snyk_uat.', 'snyk_sat.', 'sl.u.'],
  ...[
    'cmVmdGtu',
    'NRII-',
    'ddapp_',
    'ddpat_',
    'mdb_sa_sk_',
    'CCDB1_',
    'tmprl_',
    'nyk_v0_',
    'crsr_',
  ],
];

/** Prefixes that identifiers share, which consist of words. */
const MIXED_PREFIXES: readonly string[] = [
  ...['duffel_test_', 'duffel_live_', 'fo1_', 'fio-u-', 'tk-us-', 'tk-eu-', 'rpa_', 'y0_'],
  ...['esecret_', 'sk_org_', 'BSA', 'sess-', 'api_org_', 'unkey_', 'lsk_', 'retool_', 'tr_prod_'],
  ...['tr_dev_', 'polar_oat_', 'polar_pat_', 'secret-live-', 'secret-test-'],
];

/**
 * The prefix of a token and the pattern of the rest. A format with a fixed length excludes further characters of its
 * class; otherwise a long row of such characters would be shortened by each application.
 */
const FORMATS: readonly (readonly [prefix: string, rest: string])[] = [
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA'].map(
    (at) => [at, '[A-Z0-9]{16}'] as const,
  ),
  ['A3T', '[A-Z0-9]{17}'],
  ['ABSK', '[A-Za-z0-9+/]{40,}={0,2}'],
  ['LTAI', `[A-Za-z0-9]{12,24}`],
  [
    '00',
    '(?<![_-]00)(?=[a-z0-9_-]{0,39}[A-Z])(?=[A-Z0-9_-]{0,39}[a-z])[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])',
  ],
  ['AKID', `[A-Za-z0-9]{32}`],
  ['AIza', '[A-Za-z0-9_-]{30,}'],
  ...['xoxa', 'xoxb', 'xoxc', 'xoxd', 'xoxe', 'xoxo', 'xoxp', 'xoxr', 'xoxs'].map(
    (at) => [`${at}-`, `${NOT_WORDS}[A-Za-z0-9%-]{10,}`] as const,
  ),
  ['xoxe.xox', '[bp]-[A-Za-z0-9%-]{10,}'],
  ['xwfp-', `${NOT_WORDS}[A-Za-z0-9-]{20,}`],
  ['xapp-', `${NOT_WORDS}[A-Za-z0-9-]{10,}`],
  ...['pk_test_', 'pk_live_', 'rk_test_', 'rk_live_', 'sk_test_', 'sk_live_'].map(
    (at) => [at, '[A-Za-z0-9]{10,}'] as const,
  ),
  ['sk_', '[a-f0-9]{40,}'],
  ['AC', `[a-f0-9]{32}`],
  ['SK', `[a-f0-9]{32}`],
  ['key-', `[a-f0-9]{32}`],
  ['whsec_', '[A-Za-z0-9+/]{16,}={0,2}'],
  ['npm_', '[A-Za-z0-9]{30,}'],
  ['pypi-', `${NOT_WORDS}[A-Za-z0-9_-]{40,}`],
  ['SG.', '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['r8_', '[A-Za-z0-9]{30,}'],
  ...['doo_v1_', 'dop_v1_', 'dor_v1_'].map((at) => [at, '[a-f0-9]{40,}'] as const),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((at) => [at, '[A-Fa-f0-9]{20,}'] as const),
  ['ATBB', '[A-Za-z0-9]{24,}'],
  ...['dapi', 'dkea', 'dose'].map((at) => [at, `[a-f0-9]{32}(?:-[0-9])?`] as const),
  ...['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_', 'cfut_', 'cfat_', 'cfk_', 'n8n_api_', 'mlsn.'].map(
    (at) => [at, '[A-Za-z0-9]{20,}'] as const,
  ),
  ['cio', `(?=[a-z0-9]{0,31}[A-Z])(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}`],
  ...['NRJS-', 'NRIQ-', 'NRIU-', 'NRIA-'].map(
    (at) => [at, '(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,}'] as const,
  ),
  ['NRAK-', '[A-Za-z0-9]{27}'],
  ['PMAT-', `[A-Z0-9]{26}`],
  ['PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  ['api-', `${UUID}`],
  ['sdk-', `${UUID}`],
  ['API-', `[A-Z0-9]{26,36}`],
  ['IGQV', '[A-Za-z0-9_-]{80,}'],
  ['rzp_live_', '[A-Za-z0-9]{14}'],
  ['rzp_test_', '[A-Za-z0-9]{14}'],
  ['dnkey-', '[A-Za-z0-9-]{40,}'],
  ['signkey-', '(?:prod|test|branch)-[a-f0-9]{32,}'],
  ['rootly_', `[a-f0-9]{64}`],
  ['cr-', `[a-f0-9]{32}`],
  ['4b1d', `(?=[a-z0-9]{0,37}[A-Z])[A-Za-z0-9]{38}`],
  ['dG9rOj', '[A-Za-z0-9+/]{40,}={0,2}'],
  ['sl.', '(?:(?=[a-z0-9_-]{0,64}[A-Z])[A-Za-z0-9_-]{130,}|B[A-Za-z0-9_-]{100,})'],
  ['ntn_', '[A-Za-z0-9]{40,}'],
  ['secret_', '(?:[A-Za-z0-9]{40,}|[a-z0-9-]{1,40}_[a-f0-9]{32}\\.[A-Za-z0-9]{20,})'],
  ['AGE-SECRET-KEY-', '(?:PQ-)?1[A-Z0-9]{50,}'],
  ['EAA', '(?:[A-Za-z0-9_-]{80,}|A[A-Za-z0-9_-]{56,})'],
  ['EZAK', `[A-Za-z0-9]{54}`],
  ['EZTK', `[A-Za-z0-9]{54}`],
  ['fw_', `[A-Za-z0-9]{22,40}`],
  ['e2b_', `[a-f0-9]{40}`],
  ['fc-', `[a-f0-9]{32}`],
  ['pa-', '[A-Za-z0-9_-]{43}'],
  ['pat-na', '[0-9]-[a-f0-9-]{36}'],
  ['pat-eu', '[0-9]-[a-f0-9-]{36}'],
  ['sgp_', '(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}'],
  ...['bkua_', 'sqp_', 'squ_', 'sqa_', 'pul-'].map((at) => [at, '[a-f0-9]{40}'] as const),
  ['pnu_', '[A-Za-z0-9]{36}'],
  ['rdme_', '[a-z0-9]{70}'],
  ['napi_', '[a-z0-9]{60,}'],
  ['tfp_', '[A-Za-z0-9_.-]{40,}'],
  ['p8e-', `[a-z0-9]{32}`],
  ['ico-', `[A-Za-z0-9]{32}`],
  ['csk-', '[a-z0-9]{40,}'],
  ['key_', '(?<!_key_)[a-f0-9]{64}'],
  ['CLOJARS_', '[a-z0-9]{40,}'],
  ['hcaik_', '[a-z0-9]{40,}'],
  ...['shippo_live_', 'shippo_test_'].map((at) => [at, `[a-f0-9]{40}`] as const),
  ['live_', `(?<!_live_)[a-f0-9]{35}`],
  ['test_', `(?<!_test_)[a-f0-9]{35}`],
  ['v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'],
  ['ak-', `(?=[A-Za-z]{0,22}[0-9])(?=[a-z0-9]{0,22}[A-Z])[A-Za-z0-9]{22}`],
  ['as-', `(?=[A-Za-z]{0,22}[0-9])(?=[a-z0-9]{0,22}[A-Z])[A-Za-z0-9]{22}`],
  ['access-', `(?:sandbox|development|production)-${UUID}`],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  // Identifiers have no digit in this position.
  ['re_', `[A-Za-z0-9]{8}_(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}`],
  ['pat.', '[A-Za-z0-9_-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}'],
  ['sk.eyJ', '[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}'],
  ['tk.eyJ', '[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}'],
  ['t1.', '[A-Za-z0-9_-]{40,}={0,2}\\.[A-Za-z0-9_-]{80,}'],
  ['oy2', `[a-z0-9]{43}`],
  ['oauth:', `[a-z0-9]{30}`],
  ['00D', '[A-Za-z0-9]{12,15}![A-Za-z0-9._]{40,}'],
  ['1000.', `[a-f0-9]{32}\\.[a-f0-9]{32}`],
  ['amzn.mws.', '[a-f0-9-]{36}'],
  ['Atza|', '[A-Za-z0-9_/+=-]{20,}'],
  ['Atzr|', '[A-Za-z0-9_/+=-]{20,}'],
  ['ctx7sk-', '[a-f0-9-]{36}'],
  ['access_token$production$', '[a-z0-9]{16}\\$[a-f0-9]{32}'],
  ['base64url.bearer.authorization.k8s.io.', '[A-Za-z0-9_-]{20,}'],
  // A dashboard key from before service accounts.
  ['eyJrIjoi', '[A-Za-z0-9+/]{40,}={0,2}'],
  ['atlasv1.', '[A-Za-z0-9_=-]{40,}'],
  ...['dt0c01.', 'dt0s01.', 'dt0s16.'].map(
    (at) => [at, '[A-Z0-9]{20,}\\.[A-Za-z0-9]{40,}'] as const,
  ),
];

const GITLAB =
  'gl(?:pat|ptt|dt|rt|rtr|cbt|ft|soat|agent|ffct|imt|oas|wt)-' +
  `${NOT_WORDS}[A-Za-z0-9_-]{16,}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{7,9})?`;

/** Tokens without a prefix of their own. */
const OTHERS: readonly Rule[] = [
  {
    // Lower-case words with hyphens are names of styles and packages, not keys.
    ...prefixed('sk-', `${NOT_WORDS}[A-Za-z0-9_-]{16,}`),
    accepts: (value) => /[0-9A-Z]|[a-z]{20}/.test(value),
  },
  {
    id: 'gitlab',
    keywords: [
      'pat-',
      'ptt-',
      'gldt-',
      'rt-',
      'rtr-',
      'cbt-',
      'glft-',
      'oat-',
      'agent-',
      'ffct-',
      'imt-',
      'oas-',
      'glwt-',
    ],
    pattern: START + GITLAB + END,
    replacement: API_KEY,
  },
  { ...containing('q~', '[0-9]Q~[A-Za-z0-9_.~-]{31,}'), pattern: '[0-9]Q~[A-Za-z0-9_.~-]{31,}' },
  containing('-us', `[a-f0-9]{32}-us[0-9]{1,2}`),
  containing('JQQJ99', '(?<!\\\\)[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{8,}'),
  containing('+a', '[A-Za-z0-9+/]{60,80}\\+A(?:St|Sb|Eh|IoT|CDb)[A-Za-z0-9+/]{4,8}={0,2}'),
  containing(':APA91b', '[A-Za-z0-9_-]{7,40}:APA91b[A-Za-z0-9_-]{60,}'),
  containing(':AA', '(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}'),
  containing('3AAA', '(?:bot)?[0-9]{8,10}%(?:25){0,3}3AAA[A-Za-z0-9_-]{30,}'),
  containing(
    '|warning:-do',
    '_\\|WARNING:-DO-NOT-SHARE-THIS\\.--[^|\\s]{1,200}\\|_[A-F0-9a-f]{60,}',
  ),
  {
    id: 'deploy key of Convex',
    keywords: ['prod:', 'dev:', 'preview:'],
    pattern: `${START}(?:prod|dev|preview):[a-z]{2,20}-[a-z]{2,20}-[0-9]{1,4}\\|[A-Za-z0-9+/=]{40,}`,
    replacement: API_KEY,
  },
  {
    id: 'personal access token of Asana',
    keywords: ['1/', '2/'],
    pattern: `${START}[12]/[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}${END}`,
    replacement: API_KEY,
  },
  // Hexadecimal digits, and a separator in the middle.
  containing('.', `[a-f0-9]{32}\\.(?=[A-Za-z]{0,16}[0-9])[A-Za-z0-9]{16}`),
  containing('-', '(?<!-)[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])'),
  containing('NRAL', `(?:[a-f0-9]{36}|eu01xx[a-f0-9]{30})NRAL`),
  // A Vault token of an old release. Code has names of any length after `s.`, but few with this mixture.
  {
    ...containing('s.', '(?<![_.$])s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9_(])'),
    accepts: (value) => /^(?=.*[0-9].*[0-9])(?=.*[A-Z])(?=.*[a-z].*[a-z])/.test(value),
  },
  // The key of a storage account, 64 bytes. A digest of this length has a prefix that identifies it.
  containing('==', '(?<![+/=:-])[A-Za-z0-9+/]{86}==(?![A-Za-z0-9=])'),
  // The token of a bot: its id in base64, a time, a signature.
  containing('.', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}'),
  containing('pat', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  containing(
    'aaaaaaaaaaaaaaaa',
    '(?<![+/=%]|%(?:25){0,3}[0-9A-Fa-f]{1,2})A{16,24}(?!A|[A-Za-z0-9%]{101})[A-Za-z0-9%]{60,100}(?![+/=])',
  ),
  // The join token of a cluster.
  containing('token', '(?<=[Tt]oken[ \\t:="\'`]{1,4})[a-z0-9]{6}\\.[a-z0-9]{16}(?![A-Za-z0-9._-])'),
];

/** Password hashes in user files and databases, which permit offline guessing. */
const HASHES: readonly Rule[] = (
  [
    ['$2', '\\$2[abxy]?\\$[0-9]{2}\\$[A-Za-z0-9./]{50,53}'],
    ['1$', '\\$(?:1|apr1)\\$[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{20,22}'],
    ['$6$', '\\$6\\$(?:rounds=[0-9]{1,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{40,86}'],
    ['$5$', '\\$5\\$(?:rounds=[0-9]{1,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{40,86}'],
    ['y$', '\\$g?y\\$[A-Za-z0-9./]{1,20}\\$[A-Za-z0-9./]{1,86}\\$[A-Za-z0-9./]{30,86}'],
    [
      '$argon2',
      '\\$argon2(?:id|i|d)\\$(?:v=[0-9]{1,3}\\$)?[a-z0-9=,]{1,64}\\$[A-Za-z0-9+/=]{8,128}\\$[A-Za-z0-9+/=]{16,256}',
    ],
    ['$scrypt$', '\\$scrypt\\$[a-z0-9=,]{1,64}\\$[A-Za-z0-9+/=]{8,128}\\$[A-Za-z0-9+/=]{16,256}'],
    [
      'pbkdf2',
      '(?<![A-Za-z0-9])pbkdf2[_-]?(?:sha(?:1|256|512))?\\$[0-9]{1,9}\\$[A-Za-z0-9./+=_-]{4,128}\\$[A-Za-z0-9./+=_-]{20,256}',
    ],
    [
      'scram-',
      'SCRAM-SHA-256\\$[0-9]{1,8}:[A-Za-z0-9+/=]{8,64}\\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=',
    ],
    ['ha}', '\\{SS?HA(?:256|512)?\\}[A-Za-z0-9+/]{20,200}={0,2}'],
  ] as const
).map(([keyword, pattern]) => ({
  id: `hash ${keyword}`,
  keywords: [keyword],
  pattern: pattern + END,
  replacement: '[REDACTED_PASSWORD_HASH]',
}));

/** A slash, also escaped or percent-encoded. */
const SLASH = '(?:\\\\{0,4}/|%(?:25){0,3}2[Ff])';
/** URLs that accept posts from anybody who knows them. */
const WEBHOOKS: readonly (readonly [keyword: string, pattern: string])[] = [
  ['hooks.slack.com', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/'],
  ['discord', 'discord(?:app)?\\.com/api/webhooks/'],
  ['office.com', '(?:outlook|webhook)\\.office\\.com/webhook(?:b2)?/'],
  ['hooks.zapier.com', 'hooks\\.zapier\\.com/hooks/catch/[0-9]{1,12}/'],
  ['mcp.zapier.com', 'mcp\\.zapier\\.com/api/mcp/s/'],
  ['open-apis', 'open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/'],
  ['.make.com', 'hook\\.[a-z0-9]{2,10}\\.make\\.com/'],
  ['.n8n.cloud', '[a-z0-9-]{1,63}\\.app\\.n8n\\.cloud/webhook(?:-test)?/'],
];

/** All token rules. */
export const TOKEN_RULES: readonly Rule[] = [
  ...OWN,
  ...OTHERS,
  ...VENDOR_PREFIXES.map((prefix) => prefixed(prefix, `${NOT_WORDS}[A-Za-z0-9_=+/.-]{20,}`)),
  ...MIXED_PREFIXES.map((prefix) => prefixed(prefix, `${MIXED}[A-Za-z0-9_=-]{20,}`)),
  ...FORMATS.map(([prefix, rest]) => prefixed(prefix, rest)),
  ...HASHES,
  ...WEBHOOKS.map(([keyword, url]) =>
    containing(
      keyword,
      `${url.replaceAll('/', SLASH)}(?:[A-Za-z0-9@_-]|${SLASH}|%(?:25){0,3}40){20,}`,
      '[REDACTED_WEBHOOK_URL]',
    ),
  ),
  containing(
    'Private-Lines',
    'Private-Lines: ?[0-9]{1,4}[A-Za-z0-9+/=\\\\\\s]+',
    '[REDACTED_PRIVATE_KEY]',
  ),
  // Signed (three parts), unsigned (the third part is empty) or encrypted (five parts, the second may be empty).
  containing(
    'eyJ',
    '(?<!-|[A-Za-z0-9_-]_)eyJ[A-Za-z0-9_-]{5,}\\.(?:eyJ[A-Za-z0-9_-]*\\.|[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{5,})[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}',
    '[REDACTED_JWT]',
  ),
];
