// Redaction rules as data: names of keys are here, patterns of tokens in token-rules.ts, command lines in command-lines.ts.
// Every change of a rule raises REDACTION_VERSION: rows with an older version are redacted
// again when they are read.

export const REDACTION_VERSION = 18;

/**
 * The start of a word: no letter or digit before it, except the end of an escape sequence (`\\n`, `\\u003d`, `%20`, a
 * terminal color), which is frequent in escaped and truncated texts.
 */
export const START =
  '(?<!(?<!\\\\|\\\\x[0-9A-Fa-f]|\\\\u[0-9A-Fa-f]{3}|%(?:25){0,3}[0-9A-Fa-f]|\\[[0-9;]{1,12})[A-Za-z0-9])';

export const REDACTED = '[REDACTED]';
export const REDACTED_HEADERS = '[REDACTED_HEADERS]';

/** Keys whose value is a set of raw headers; folded by `foldKey`. */
export const HEADER_KEYS: readonly string[] = [
  'headers',
  'request_headers',
  'response_headers',
  'http_headers',
  'raw_headers',
];

/** Keys that name a credential regardless of the type of their value; folded, and compared without underscores, too. */
export const CREDENTIAL_KEYS: readonly string[] = [
  'authorization',
  'proxy_authorization',
  'x_authorization',
  'authorization_header',
  'auth_header',
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
  'vendorg_external_id',
  'shared_access_key',
  'storage_key',
  'password',
  'passwords',
  'passwd',
  'passwort',
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

/** Keys that name a credential if their value is text; above a list they are the name of a detection category. */
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
  ...['client_assertion', 'authorization_code', 'code_verifier', 'device_code', 'saml_response'],
  ...['samlresponse', 'seed_phrase', 'recovery_phrase', 'mnemonic', 'password_hash'],
  'shared_access_signature',
  ...['creds', 'credentials_json', 'client_secret_value', 'deploy_key'],
  ...['secret_string', 'secretstring', 'secret_value', 'secretvalue', 'session_key'],
  ...[
    'client_key_data',
    'job_token',
    'x_auth',
    'x_cookie',
    'x_session_id',
    'x_sentry_auth',
    'x_honeycomb_team',
  ],
  ...['x_jfrog_art_api', 'x_insert_key', 'x_license_key', 'circle_token', 'instrumentation_key'],
  ...['x_goog_iap_jwt_assertion', 'x_amzn_oidc_data', 'x_ms_authorization_auxiliary'],
  ...['stripe_signature', 'svix_signature', 'paddle_signature', 'webhook_signature'],
  ...['tls_key', 'ssl_key', 'key_pem', 'psk', 'wpa_psk', 'pre_shared_key'],
];

/** Vendors whose `openai_key` is an API key. */
const VENDORS = [
  ...['openai', 'anthropic', 'claude', 'gemini', 'mistral', 'cohere', 'groq', 'openrouter'],
  ...['deepseek', 'huggingface', 'perplexity', 'replicate', 'pinecone', 'elevenlabs', 'tavily'],
  ...['stripe', 'sendgrid', 'mailgun', 'twilio', 'datadog', 'cloudflare', 'supabase', 'serpapi'],
];

/** Owners of a `_pass`; other passes (season, test) are no credentials. */
const PASS_OF = [
  ...['db', 'smtp', 'mail', 'imap', 'ftp', 'user', 'root', 'admin', 'ssh', 'become', 'sudo'],
  ...['ansible', 'mysql', 'redis', 'ldap', 'proxy', 'mqtt', 'svn', 'vnc', 'wifi', 'bind'],
];

/** Names of credential headers by prefix and suffix, folded. Page tokens and token counts of models are excluded. */
export const CREDENTIAL_HEADERS =
  '^x_(?!.*(?:next|page|max|min|prompt|completion|total|input|output|count))(?:[a-z0-9_]{1,40}_)?(?:token|signature(?:_(?:sha)?[0-9]{1,3}|_v[0-9])?)$';

/**
 * Values of a credential key that are harmless: the shell's `PWD` is a folder, a short mnemonic is no wallet phrase.
 */
export const HARMLESS: Readonly<Record<string, string>> = {
  pwd: '^(?:[/~.]|[A-Za-z]:[\\\\/])',
  // The credentials mode of the Fetch API.
  credentials: '^(?:include|omit|same-origin)$',
  mnemonic: '^\\S{0,32}(?:\\s\\S{0,32}){0,5}$',
};

/** Suffixes of keys that name a credential if their value is text. */
export const CREDENTIAL_TEXT_SUFFIXES: readonly string[] = [
  '_secret',
  '_secrets',
  '_credential',
  '_credentials',
  '_creds',
  '_credentials_json',
  '_pwd',
  '_passcode',
  '_webhook_url',
  ...[
    'bot',
    'deploy',
    'discord',
    'gh',
    'github',
    'gitlab',
    'hf',
    'jwt',
    'npm',
    'oauth',
    'pypi',
    'sas',
  ].map((of) => `${of}_token`),
  ...['slack', 'ssh', 'telegram', 'vault', 'job', 'service', 'device', 'runner', 'registry'].map(
    (of) => `${of}_token`,
  ),
  ...PASS_OF.map((of) => `${of}_pass`),
  '_app_key',
  '_master_key',
  '_server_token',
  '_auth_key',
  ...VENDORS.map((of) => `${of}_key`),
];

/** Suffixes of keys without separators, as in variables and form fields. */
export const CREDENTIAL_TEXT_ENDS: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'apikey', 'accesstoken', 'refreshtoken', 'authtoken'],
  ...['clientsecret', 'secretkey', 'privatekey'],
];

/** Environment variables such as `DISCORD_TOKEN`, except special tokens of models and page tokens. */
export const TOKEN_VARIABLE =
  '(?<=[A-Z0-9]_)(?<!(?:BOS|EOS|PAD|UNK|SEP|CLS|MASK|NEXT|PAGE|MAX|MIN|STOP|START|END|IMAGE|SPECIAL)_)TOKEN';

/** Keys whose value names the content of a sibling `value`: `{"name": "DB_PASSWORD", "value": …}`. */
export const NAMING_KEYS: readonly string[] = [
  ...['name', 'key', 'field', 'Name', 'Key', 'Field'],
  ...['header', 'Header', 'header_name', 'headerName', 'param', 'parameter', 'variable'],
];
/** Keys of the value beside a naming key. */
export const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...['value', 'Value', 'values', 'Values', 'new_value', 'old_value', 'newValue', 'oldValue'],
]);
/** Naming keys of form fields; lists of choices contain them, too. */
export const LABEL_KEYS: readonly string[] = ['label', 'type', 'id', 'Label', 'Type', 'Id'];

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
  '_account_key',
  '_access_key_id',
  '_signing_key',
  '_encryption_key',
  '_webhook_secret',
  '_password',
  '_passwd',
  '_passphrase',
  '_authorization',
];

/** Owners of a `key` that make it a credential. */
const KEY_OF = [
  ...['api', 'secret', 'access', 'account', 'subscription', 'private', 'log[_-]?export', 'master'],
  ...VENDORS,
  ...[
    'functions',
    'admin',
    'license',
    'instrumentation',
    'ingest',
    'deploy',
    'signing',
    'encryption',
    'session',
    'auth',
    'app',
    'application',
    'pre[_-]?shared',
  ],
];
const TOKEN_OF = [
  ...['access', 'refresh', 'auth', 'bearer', 'session', 'github', 'gitlab', 'slack', 'bot'].map(
    (of) => `${of}[ _-]?`,
  ),
  // After a blank, these are the ends of other words.
  ...['security', 'id', 'vault', 'private', 'secret', 'sas', 'npm', 'jwt'].map(
    (of) => `${of}[_-]?`,
  ),
];

/**
 * Credential names before `=` or `:` in running text; any prefix within the same word is permitted. Each pattern begins
 * with its last word and looks behind for the rest: the fewer letters a pattern can begin with, the faster the search.
 */
export const CREDENTIAL_WORDS: readonly string[] = [
  `key(?<=(?:${KEY_OF.join('|')})[ ._-]?key)(?:[_-]?id(?<=access[_-]?key[_-]?id)|[_-]?base(?<=secret[_-]?key[_-]?base))?`,
  'key(?<=client[_-]key)[_-]data',
  'kennwort',
  `token(?<=(?:${TOKEN_OF.join('|')})token)`,
  'token(?<=(?:(?<![a-z0-9])x(?:-[a-z]{1,20}){0,3}|(?:job|circle|deploy))-token)(?<!(?:page|next|max)-token)',
  'secret(?:[_-]?(?:string|value)(?=\\\\{0,8}["\']?\\s{0,4}[:=]))?',
  'signature(?<=x-(?:amz|goog)-signature)',
  // The `PWD` variable of a shell is a folder.
  'pwd(?!\\\\{0,8}["\']?\\s{0,4}[=:]\\s{0,4}\\\\{0,8}["\']?[/~.])',
  'psk(?<=(?<![a-z0-9])(?:wpa2?[_ -]?)?psk)(?=["\']?(?:\\s{0,4}=| is |[ \\t]{0,4}:[ \\t]{0,4}[^\\s0-9]{0,32}[0-9]))',
  'passw(?:ord|ort|d)[0-9]{0,2}',
  'pass[_-]?(?:code|phrase)',
  `pass(?<=(?:${PASS_OF.join('|')})[_-]?pass|(?<=["'])pass(?=\\\\{0,8}["']))`,
  '(?-i:(?<![A-Za-z0-9])PW|SSHPASS)(?==)',
  `(?-i:${TOKEN_VARIABLE})`,
];

/** Words after a setting's name that describe it instead of being its value. */
export const DESCRIPTIONS: readonly string[] = [
  'str|string|text|int|integer|number|bool|boolean|object|array|list|map|bytes|any|unknown|type|enum',
  'required|optional|missing|invalid|valid|incorrect|correct|wrong|empty|blank|hidden|masked|redacted|removed',
  'read|write|admin|inherit|enabled|disabled|yes|no|on|off|set|unset|default|changed|unchanged|expired|accepted|rejected|denied|failed',
  'ok|okay|weak|strong|good|bad|same|never|always|here|below|above|omitted|encrypted|hashed|plain|plaintext',
  'password|passwd|passphrase|secret|token|key|apikey|value|example|generated|forgotten|lost|random|auto|bcrypt|argon|scrypt',
];

/**
 * Texts at the position of a value that are no value: a literal, code that loads it, a variable, a template
 * placeholder. Every rule checks these, several rules repeatedly, so that the patterns fold case only where needed.
 */
export const NO_VALUES: readonly string[] = [
  '\\[(?:REDACTED|[Rr]edacted)',
  '(?:[Nn]one|NONE|[Nn]ull|NULL|[Nn]il|NIL|[Tt]rue|TRUE|[Ff]alse|FALSE|[Uu]ndefined|UNDEFINED)(?![A-Za-z0-9_.-])',
  '(?:os\\.(?:environ|[Gg]etenv)|process\\.env|import\\.meta\\.env|System\\.getenv|getenv\\(|ENV\\[)',
  '(?:[Ss]elf|[Tt]his|[Cc]onfig|[Ss]ettings|[Aa]rgs|[Oo]pts|[Oo]ptions|[Rr]eq|[Rr]equest)\\.[A-Za-z_]',
  // A call: several words without a digit.
  '[A-Za-z_][A-Za-z]{0,40}(?:[._][A-Za-z]{1,40}){1,6}\\(|[a-z]{1,30}[A-Z][A-Za-z]{0,40}\\(',
  // A variable in infrastructure code or in call arguments.
  '(?:var|local|data|module|random_[a-z]{2,20}|(?:aws|azurerm|google)_[a-z_]{2,60})\\.[A-Za-z_]{2}',
  '[a-z]{1,20}_(?:password|passwd|pwd|secret|token|key)(?=[,)])',
  '\\$\\{\\{?\\s?[A-Za-z_]|\\$\\(|\\$[A-Z_][A-Z0-9_]{0,60}(?![A-Za-z0-9_])',
  '%[sdSD](?![A-Za-z0-9])|%\\(|\\{\\{|\\?(?![^\\s,;)&])',
  '\\{[A-Za-z_][A-Za-z0-9_.]{0,40}\\}|<[A-Za-z][A-Za-z0-9 _.-]{0,40}>',
  '(?:sk-)?(?:\\*{3}|[xX]{4,80}(?![A-Za-z0-9])|\\.{3})',
  // The label of a field or a button.
  '(?:(?:Your|New|Old|Current|Forgot|Confirm|Enter|Reset|Change|Repeat|Show|Hide) (?:your |new )?[Pp]assword|Password)\\??(?=["\'<\\r\\n]|$)',
  '(?:[Yy]our|YOUR)[_-][A-Za-z_-]{0,40}(?:[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assword|PASSWORD|[Hh]ere|HERE)(?![A-Za-z0-9_-])',
];
/**
 * Excludes placeholders of earlier rules and texts that are no value. The exclusion is part of the pattern, because a
 * callback for each of a hundred thousand matches takes ten times as long.
 */
export const VALUE = `(?!(?-i:${NO_VALUES.join('|')}))`;

/**
 * Credential words in German, French, Spanish and Portuguese, and short words that also occur in prose, each as it ends
 * before a colon. Letters and digits before a word are part of the name.
 */
export const OTHER_WORDS: readonly string[] = [
  '(?<![a-z0-9])(?:pw|mdp)',
  '(?:wlan|netzwerk)-?schl(?:\u00fc|ue)ssel|(?:wlan|wi-?fi)[ -]key',
  '(?<![a-z0-9_])(?-i:[Pp]ass)',
  '(?:mot|code)[ _-]?de[ _-]?passe',
  'contrase(?:\u00f1|n)a',
  'senha',
  'kennwort',
  '(?<![a-z])clave',
];

/** Texts with letters and digits that are no secrets, in prose, tables or code. */
export const NO_SECRETS: readonly string[] = [
  // Variables, paths, version numbers, dates, e-mail addresses, files.
  '[$@/~.%-]|v?[0-9]{1,4}[.-][0-9]|\\S{1,64}@[a-z0-9-]{1,63}\\.[a-z]|[a-z0-9_.]{1,64}\\.[a-z]{2,4}(?![^\\s,;)|])',
  // Identifiers of code.
  '[a-z_]{0,40}(?:passw|secret|token|key|hash|encod|encrypt|field|param)[a-z_]{0,20}[0-9]?(?![^\\s,;.)|])',
  '(?-i:(?:[A-Z][a-z]{2,20}){2,6}[0-9]{0,2}(?:[A-Z][a-z]{2,20}){1,6}(?![A-Za-z0-9]))',
  // Algorithms, types and products.
  '(?:n?var(?:char|binary)|u?int|float|utf|base|md|sha|hmac|rsa|aes|argon|pbkdf|oauth|secp|prime|curve|x25|ed25|pkcs)[0-9]',
  '(?:windows|office|iphone|android|python|java|node|http|ipv|log)[0-9]',
];

/** Words that describe a password. */
export const NO_PASSWORD =
  '(?:wrong|incorrect|correct|invalid|valid|expired?|required?|optional|empty|missing|long|short|safe|secure|insecure|gone|lost|bad|good|strong|weak|simple|complex|hard|easy|broken|not|too|very|so|the|an|on|in|at|still|no|being|my|your|our|his|her|what|how|where|when|why|written|known|unknown|public|private|old|new|right|fine|okay|unique|different|same|unsafe|there|here|important|personal|confidential|secret|sensitive|visible|hidden|case|used|only|never|always|also|now|already|just|both|either|either|about|that|this|it|one|all|always|sent|set|shown|kept|to|by|for|from|of|up|out|ready|weird|stupid|long|null|none|unset|default|blank|plain|random|sound|mandatory|necessary|compulsory|temporary|alphanumeric|numeric|identical|obsolete|stale|fresh|text|plaintext|english|yesterday|static|dynamic|falsch|richtig|sicher|nicht|sehr|zu|abgelaufen|ung\\u00fcltig|lang|kurz|leer|erforderlich|schwach|stark|noch|mindestens|vergessen|geheim|bereits|leider|jetzt|das|der|die|ein|eine|im|hier|gleich|anders|bekannt|weg)';
