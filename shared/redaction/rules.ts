// What counts as a credential, as data. Whoever changes a rule raises the version: rows that were redacted by an older
// one are redacted again on their way out.

export const REDACTION_VERSION = 2;

export const REDACTED = '[REDACTED]';
export const REDACTED_HEADERS = '[REDACTED_HEADERS]';

/** Keys whose value is a set of raw headers; folded (see `foldKey`). */
export const HEADER_KEYS: readonly string[] = [
  'headers',
  'request_headers',
  'response_headers',
  'http_headers',
];

/** Keys that name a credential, whatever stands below them; folded, compared also without the underscores. */
export const CREDENTIAL_KEYS: readonly string[] = [
  'authorization',
  'proxy_authorization',
  'x_authorization',
  'x_auth_token',
  'x_goog_api_key',
  'x_amz_security_token',
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
  'account_key',
  'shared_access_key',
  'storage_key',
  'password',
  'passwords',
  'passwd',
  'passphrase',
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
  'credential',
  'credentials',
  'pwd',
];

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
  vendor(`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}`),
  vendor('AIza[A-Za-z0-9_-]{30,}'),
  vendor('ya29\\.[A-Za-z0-9_-]{20,}'),
  vendor('GOCSPX-[A-Za-z0-9_-]{20,}'),
  vendor('gh[pousr]_[A-Za-z0-9]{20,}'),
  vendor('github_pat_[A-Za-z0-9_]{20,}'),
  vendor('gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{16,}'),
  vendor('xox[abeoprs]-[A-Za-z0-9-]{10,}'),
  vendor('xapp-[A-Za-z0-9-]{10,}'),
  vendor('[sr]k_(?:test|live)_[A-Za-z0-9]{10,}'),
  vendor('whsec_[A-Za-z0-9+/]{16,}={0,2}'),
  vendor('npm_[A-Za-z0-9]{30,}'),
  vendor('hf_[A-Za-z0-9]{20,}'),
  vendor('pypi-[A-Za-z0-9_-]{40,}'),
  vendor('SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  vendor('xai-[A-Za-z0-9]{20,}'),
  vendor('gsk_[A-Za-z0-9]{20,}'),
  vendor('pplx-[A-Za-z0-9]{20,}'),
  vendor('r8_[A-Za-z0-9]{30,}'),
  vendor('dop_v1_[a-f0-9]{40,}'),
  vendor('shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}'),
  {
    placeholder: '[REDACTED_JWT]',
    pattern: '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]*',
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
  'password',
  'passwd',
  'passphrase',
];
