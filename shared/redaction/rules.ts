// What counts as a credential, as data. Whoever changes a rule raises the version: rows that were redacted by an older
// one are redacted again on their way out.

export const REDACTION_VERSION = 5;

export const REDACTED = '[REDACTED]';
export const REDACTED_HEADERS = '[REDACTED_HEADERS]';

/** Keys whose value is a set of raw headers; folded (see `foldKey`). */
export const HEADER_KEYS: readonly string[] = [
  'headers',
  'request_headers',
  'response_headers',
  'http_headers',
  'raw_headers',
];

/** Keys that name a credential, whatever stands below them; folded, compared also without the underscores. */
export const CREDENTIAL_KEYS: readonly string[] = [
  'authorization',
  'proxy_authorization',
  'x_authorization',
  'x_auth_token',
  'x_goog_api_key',
  'x_amz_security_token',
  'x_amz_signature',
  'x_goog_signature',
  'x_functions_key',
  'x_vault_token',
  'private_token',
  'x_gw_log_export_key',
  'log_export_key',
  'all_apps_log_export_key',
  'tenant_log_export_key',
  'ocp_apim_subscription_key',
  'subscription_key',
  'api_key',
  'api_keys',
  'api_token',
  'api_secret',
  'access_key',
  'access_token',
  'access_tokens',
  'refresh_token',
  'refresh_tokens',
  'id_token',
  'auth_token',
  'bearer_token',
  'session_token',
  'security_token',
  'client_secret',
  'client_secrets',
  'app_secret',
  'webhook_secret',
  'signing_secret',
  'signing_key',
  'encryption_key',
  'master_key',
  'hmac_key',
  'ssh_key',
  'account_key',
  'shared_access_key',
  'storage_key',
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'passcode',
  'basic_auth',
  'recovery_code',
  'recovery_codes',
  'private_key',
  'private_keys',
  'private_key_id',
  'secret_key',
  'secret_access_key',
  'access_key_id',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_session_token',
  'aws_security_token',
  'service_account_json',
  'connection_string',
  'cookie',
  'cookies',
  'set_cookie',
];

/** Keys that name a credential where their value is text; below a list they are the name of a detection category. */
export const CREDENTIAL_TEXT_KEYS: readonly string[] = [
  'secret',
  'secrets',
  'credential',
  'credentials',
  'pwd',
  'webhook_url',
  '_auth',
  'pass',
  'sshpass',
  'bearer',
  'jwt',
  'otp',
  'secret_token',
  'secret_key_base',
  'auth_key',
  'x_auth_key',
  'app_key',
  'application_key',
  'license_key',
  'password_confirm',
  'password_confirmation',
  'rediscli_auth',
  ...['authkey', 'passkey', 'csrf_token', 'xsrf_token', 'x_csrf_token', 'x_xsrf_token'],
  ...['tls_key', 'ssl_key', 'key_pem'],
];

/** The shell's own `PWD` is a folder. */
export const FOLDER_KEY = 'pwd';
export const FOLDER_FORM = '^(?:[/~.]|[A-Za-z]:[\\\\/])';

/** The same for the end of a key. */
export const CREDENTIAL_TEXT_SUFFIXES: readonly string[] = [
  '_secret',
  '_secrets',
  '_credential',
  '_credentials',
  '_pwd',
  '_passcode',
  '_webhook_url',
  ...['bot', 'deploy', 'gh', 'github', 'gitlab', 'hf', 'jwt', 'npm', 'oauth', 'pypi', 'sas'].map(
    (of) => `${of}_token`,
  ),
  ...['slack', 'ssh', 'telegram', 'vault'].map((of) => `${of}_token`),
  ...['db', 'smtp', 'mail', 'imap', 'ftp', 'user', 'root', 'admin'].map((of) => `${of}_pass`),
  '_app_key',
  '_auth_key',
];

/** The same for a key without any sign between its words, as variables and fields of forms have them. */
export const CREDENTIAL_TEXT_ENDS: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'apikey', 'accesstoken', 'refreshtoken', 'authtoken'],
  ...['clientsecret', 'secretkey', 'privatekey'],
];

/** `DISCORD_TOKEN` and the like: variables of an environment, but for those that speak of a model's or a list's tokens. */
export const TOKEN_VARIABLE =
  '(?<=[A-Z0-9]_)(?<!(?:BOS|EOS|PAD|UNK|SEP|CLS|MASK|NEXT|PAGE|MAX|MIN|STOP|START|END|IMAGE|SPECIAL)_)TOKEN';

/** Keys whose value names what `value` beside them holds: `{"name": "DB_PASSWORD", "value": …}`. */
export const NAMING_KEYS: readonly string[] = ['name', 'key', 'field', 'Name', 'Key', 'Field'];

export const CREDENTIAL_KEY_SUFFIXES: readonly string[] = [
  '_api_key',
  '_apikey',
  '_access_token',
  '_refresh_token',
  '_client_secret',
  '_private_key',
  '_api_token',
  '_auth_token',
  '_bearer_token',
  '_session_token',
  '_security_token',
  '_secret_key',
  '_access_key',
  '_access_key_id',
  '_signing_key',
  '_encryption_key',
  '_webhook_secret',
  '_password',
  '_passwd',
  '_passphrase',
  '_authorization',
];

export interface TokenRule {
  placeholder: string;
  /** One regular expression's source. It must take time linear in the text however hostile that is. */
  pattern: string;
  /** What else must be true of a match; asked once for each, so that it needs no looking ahead. */
  only?: RegExp;
  /** What a text must hold for the rule to be tried: of those that could begin anywhere. */
  holding?: string;
}

/** Nothing before that would make it a part of a longer name. */
const START = '(?<![A-Za-z0-9])';
const END = '(?![A-Za-z0-9])';
/** A word of a product's own secrets, whole or cut. */
const own = (letter: string) => `${START}gw${letter}_[0-9A-Za-z]{16,}`;
const vendor = (pattern: string): TokenRule => ({
  placeholder: '[REDACTED_API_KEY]',
  pattern: START + pattern,
});

/** Beginnings that nothing but a vendor's secret has. */
const VENDOR_PREFIXES = [
  ...['ya29\\.', 'GOCSPX-', '1//0', 'AQ\\.', 'github_pat_', 'gh[pousr]_', 'ops_eyJ', 'hf_', 'xai-'],
  ...['gsk_', 'pplx-', 'nvapi-', 'tvly-', 'pcsk_', 'figd_', 'nfp_', 'HRKU-', 'dckr_[po]at_'],
  ...['ATATT3', 'ATCTT3', 'hv[sbr]\\.', 'sb_secret_', 'lin_(?:api|oauth)_', 'sntry[su]_', 'tskey-'],
  ...['dp\\.(?:pt|st|ct|sa)\\.', 'sq0(?:csp|atp)-', 'pscale_(?:tkn|pw|oauth)_', 'glsa_', 'glc_'],
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
];

/** Each as a regular expression's source, linear like all of them. */
const VENDOR_FORMS: readonly string[] = [
  `(?:${VENDOR_PREFIXES.join('|')})[A-Za-z0-9_=+/.-]{20,}`,
  `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}`,
  'ABSK[A-Za-z0-9+/]{40,}={0,2}',
  `LTAI[A-Za-z0-9]{12,24}${END}`,
  `AKID[A-Za-z0-9]{32}${END}`,
  'AIza[A-Za-z0-9_-]{30,}',
  'gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{10,}',
  '[prs]k_(?:test|live)_[A-Za-z0-9]{10,}',
  'sk_[a-f0-9]{40,}',
  `(?:AC|SK)[a-f0-9]{32}${END}`,
  `key-[a-f0-9]{32}${END}`,
  'whsec_[A-Za-z0-9+/]{16,}={0,2}',
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[A-Za-z0-9_-]{40,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
  'r8_[A-Za-z0-9]{30,}',
  'do[opr]_v1_[a-f0-9]{40,}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}',
  'ATBB[A-Za-z0-9]{24,}',
  'dapi[a-f0-9]{32}(?:-[0-9])?',
  '(?:ntn|secret)_[A-Za-z0-9]{40,}',
  'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
  'NRAK-[A-Z0-9]{27}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
  'EAA[A-Za-z0-9_-]{80,}',
  'EAAA[A-Za-z0-9_-]{56,}',
  `EZ[AT]K[A-Za-z0-9]{54}${END}`,
  `fw_[A-Za-z0-9]{22,40}${END}`,
  `e2b_[a-f0-9]{40}${END}`,
  `fc-[a-f0-9]{32}${END}`,
  'pa-[A-Za-z0-9_-]{43}',
  'pat-(?:na|eu)[0-9]-[a-f0-9-]{36}',
  // A bot's: its id in base64, a time, a signature.
  '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
];

/** Texts that are credentials by their form. */
export const TOKEN_RULES: readonly TokenRule[] = [
  { placeholder: '[REDACTED_GW_API_KEY]', pattern: own('k') },
  { placeholder: '[REDACTED_LOG_EXPORT_KEY]', pattern: own('l') },
  { placeholder: '[REDACTED_MANAGEMENT_KEY]', pattern: own('m') },
  { placeholder: '[REDACTED_MCP_TOKEN]', pattern: own('[td]') },
  { placeholder: '[REDACTED_AGENT_TOKEN]', pattern: own('a') },
  { placeholder: '[REDACTED_NODE_TOKEN]', pattern: own('n') },
  // Lower-case words with hyphens are names of styles and packages, not keys.
  { ...vendor('sk-[A-Za-z0-9_-]{16,}'), only: /[0-9A-Z]|[a-z]{20}/ },
  ...VENDOR_FORMS.map(vendor),
  { ...vendor(''), pattern: '[0-9]Q~[A-Za-z0-9_.~-]{31,}', holding: 'Q~' },
  { ...vendor(`[a-f0-9]{32}-us[0-9]{1,2}${END}`), holding: '-us' },
  { ...vendor('(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}'), holding: ':AA' },
  {
    // Of a Vault from before 1.10. Code has names of any length behind an `s.`, but hardly one like this.
    ...vendor(''),
    pattern: '(?<![A-Za-z0-9_.$])s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9_(])',
    only: /^(?=.*[0-9].*[0-9])(?=.*[A-Z])(?=.*[a-z].*[a-z])/,
  },
  { ...vendor(''), pattern: 'atlasv1\\.[A-Za-z0-9_=-]{40,}' },
  {
    placeholder: '[REDACTED_WEBHOOK_URL]',
    pattern: `${START}(?:outlook\\.office\\.com/webhook/|hooks\\.slack\\.com/(?:services|workflows|triggers)/|discord(?:app)?\\.com/api/webhooks/|webhook\\.office\\.com/webhookb2/)[A-Za-z0-9@/_-]{20,}`,
  },
  {
    placeholder: '[REDACTED_PRIVATE_KEY]',
    pattern: `${START}Private-Lines: ?[0-9]{1,4}[A-Za-z0-9+/=\\\\\\s]+`,
  },
  {
    // Signed (three parts), not signed (the third is empty) or encrypted (five, of which the second may be empty).
    placeholder: '[REDACTED_JWT]',
    pattern:
      '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\\.(?:eyJ[A-Za-z0-9_-]*\\.|[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{5,})[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}',
  },
];

/** Names before `=` or `:` in running text; what stands before them in the same word does not matter. */
export const CREDENTIAL_WORDS: readonly string[] = [
  'api[_-]?key',
  'access[_-]?token',
  'refresh[_-]?token',
  'auth[_-]?token',
  'bearer[_-]?token',
  'session[_-]?token',
  'security[_-]?token',
  'id[_-]?token',
  'client[_-]?secret',
  'secret[_-]?key',
  'access[_-]?key',
  'access[_-]?key[_-]?id',
  'account[_-]?key',
  'subscription[_-]?key',
  'shared[_-]?access[_-]?key',
  'private[_-]?key',
  'log[_-]?export[_-]?key',
  'functions[_-]?key',
  'master[_-]?key',
  'signing[_-]?key',
  'encryption[_-]?key',
  'oauth[_-]?token',
  'vault[_-]?token',
  'private[_-]?token',
  '(?:github|gitlab|slack|bot|sas|npm|jwt)[_-]?token',
  'x-(?:amz|goog)-signature',
  'secret',
  // The shell's own is a folder.
  'pwd(?!\\\\{0,8}["\']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["\']?[/~.])',
  'passcode',
  'passw(?:ord|ort|d)[0-9]{0,2}',
  'passphrase',
  'auth[_-]?key',
  'app(?:lication)?[_-]?key',
  'secret[_-]?token',
  'secret[_-]?key[_-]?base',
  '(?:db|smtp|mail|imap|ftp|user|root|admin)[_-]?pass',
  '(?<=["\'])pass(?=\\\\{0,8}["\'])',
  `(?-i:${TOKEN_VARIABLE})`,
];

/** What stands where a value would, and is none: a literal, code that fetches it, a variable, something to fill in. */
export const NO_VALUES: readonly string[] = [
  '\\[REDACTED',
  '(?:none|null|nil|true|false|undefined)(?![A-Za-z0-9_.-])',
  '(?:os\\.(?:environ|getenv)|process\\.env|import\\.meta\\.env|System\\.getenv|getenv\\(|ENV\\[)',
  '(?:self|this|config|settings|args|opts|options|req|request)\\.[a-z_]',
  // A call, by its name's several words without a digit.
  '(?-i:[a-z_][A-Za-z]{0,40}(?:[._][A-Za-z]{1,40}){1,6}\\(|[a-z]{1,30}[A-Z][A-Za-z]{0,40}\\()',
  '\\$\\{\\{?\\s?[a-z_]|\\$\\(|(?-i:\\$[A-Z_][A-Z0-9_]{0,60}(?![A-Za-z0-9_]))',
  '%[sd](?![A-Za-z0-9])|%\\(|\\{\\{|\\?(?![^\\s,;)&])',
  '\\*{3}|x{4,80}(?![A-Za-z0-9])|\\.{3}',
  'your[_-][a-z_-]{0,40}(?:key|token|secret|password|here)(?![a-z0-9_-])',
];
