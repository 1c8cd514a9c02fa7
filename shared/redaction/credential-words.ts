// Words that name credentials, and words that only resemble a value. Every change raises REDACTION_VERSION in `rule.ts`.

/** Vendors whose `openai_key` is an API key. */
export const VENDORS = [
  ...['openai', 'anthropic', 'claude', 'gemini', 'mistral', 'cohere', 'groq', 'openrouter'],
  ...['deepseek', 'huggingface', 'perplexity', 'replicate', 'pinecone', 'elevenlabs', 'tavily'],
  ...['stripe', 'sendgrid', 'mailgun', 'twilio', 'datadog', 'cloudflare', 'supabase', 'serpapi'],
];

/** Owners of a `_pass`; other passes (season, test) are no credentials. */
export const PASS_OF = [
  ...['db', 'smtp', 'mail', 'imap', 'ftp', 'user', 'root', 'admin', 'ssh', 'become', 'sudo'],
  ...['ansible', 'mysql', 'redis', 'ldap', 'proxy', 'mqtt', 'svn', 'vnc', 'wifi', 'bind'],
];

/** Owners of a `key` that make it a credential. */
const KEY_OF = [
  ...['api', 'secret', 'access', 'account', 'subscription', 'private', 'log[_-]?export', 'master'],
  ...VENDORS,
  ...['functions', 'admin', 'license', 'instrumentation', 'ingest', 'deploy', 'signing'],
  ...['encryption', 'session', 'auth', 'app', 'application', 'pre[_-]?shared'],
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

/** Environment variables such as `DISCORD_TOKEN`, except special tokens of models and page tokens. */
export const TOKEN_VARIABLE =
  '(?<=[A-Z0-9]_)(?<!(?:BOS|EOS|PAD|UNK|SEP|CLS|MASK|NEXT|PAGE|MAX|MIN|STOP|START|END|IMAGE|SPECIAL)_)TOKEN';

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
 * Credential words in German, French, Spanish and Portuguese, and short words that also occur in prose, each as it ends
 * before a colon. Letters and digits before a word are part of the name.
 */
export const LATIN_PASSWORD_WORDS: readonly string[] = [
  '(?<![a-z0-9])(?:pw|mdp)',
  '(?:wlan|netzwerk)-?schl(?:\u00fc|ue)ssel|(?:wlan|wi-?fi)[ -]key',
  '(?<![a-z0-9_])(?-i:[Pp]ass)',
  '(?:mot|code)[ _-]?de[ _-]?passe',
  'contrase(?:\u00f1|n)a',
  'senha',
  'kennwort',
  '(?<![a-z])clave',
];

/** Keywords of the names above. */
export const NAME_KEYWORDS: readonly string[] = [
  ...['key', 'token', 'secret', 'kennwort', 'signature', 'pwd', 'psk', 'pass', 'pw='],
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
