// Decides by its name whether a member of an object is a credential. Every change raises REDACTION_VERSION in `rule.ts`.
import { LATIN_PASSWORD_WORDS, PASS_OF, TOKEN_VARIABLE, VENDORS } from './credential-words.ts';
import { normalizeHiddenText } from './decoding.ts';
import { foldKey } from './fold-key.ts';
import { compilePattern } from './regular-expressions.ts';

/** Keys whose value is a set of raw headers; folded by `foldKey`. */
const HEADER_KEYS: readonly string[] = [
  ...['headers', 'request_headers', 'response_headers', 'http_headers', 'raw_headers'],
];

/** Keys that name a credential regardless of the type of their value; folded, and compared without underscores, too. */
export const CREDENTIAL_KEYS: readonly string[] = [
  ...['authorization', 'proxy_authorization', 'x_authorization', 'authorization_header'],
  ...['auth_header', 'x_auth_token', 'x_goog_api_key', 'x_amz_security_token', 'x_amz_signature'],
  ...['x_goog_signature', 'x_functions_key', 'x_vault_token', 'private_token'],
  ...['x_gw_log_export_key', 'log_export_key', 'all_apps_log_export_key', 'tenant_log_export_key'],
  ...['ocp_apim_subscription_key', 'subscription_key', 'api_key', 'api_keys', 'api_token'],
  ...['api_secret', 'access_key', 'access_token', 'access_tokens', 'refresh_token'],
  ...['refresh_tokens', 'id_token', 'auth_token', 'bearer_token', 'session_token'],
  ...['security_token', 'client_secret', 'client_secrets', 'app_secret', 'webhook_secret'],
  ...['signing_secret', 'signing_key', 'encryption_key', 'master_key', 'hmac_key', 'ssh_key'],
  ...['account_key', 'vendorg_external_id', 'shared_access_key', 'storage_key', 'password'],
  ...['passwords', 'passwd', 'passwort', 'passphrase', 'passcode', 'basic_auth', 'recovery_code'],
  ...['recovery_codes', 'private_key', 'private_keys', 'private_key_id', 'secret_key'],
  ...['secret_access_key', 'access_key_id', 'aws_access_key_id', 'aws_secret_access_key'],
  ...['aws_session_token', 'aws_security_token', 'service_account_json', 'connection_string'],
  ...['cookie', 'cookies', 'set_cookie'],
];

/** Suffixes of such keys. */
const CREDENTIAL_KEY_SUFFIXES: readonly string[] = [
  ...['_api_key', '_apikey', '_access_token', '_refresh_token', '_client_secret', '_private_key'],
  ...['_api_token', '_auth_token', '_bearer_token', '_session_token', '_security_token'],
  ...['_secret_key', '_access_key', '_account_key', '_access_key_id', '_signing_key'],
  ...['_encryption_key', '_webhook_secret', '_password', '_passwd', '_passphrase'],
  '_authorization',
];

/** Keys that name a credential if their value is text; above a list they are the name of a detection category. */
const CREDENTIAL_TEXT_KEYS: readonly string[] = [
  ...['secret', 'secrets', 'credential', 'credentials', 'pwd', 'webhook_url', '_auth', 'pass'],
  ...['sshpass', 'bearer', 'jwt', 'otp', 'secret_token', 'secret_key_base', 'auth_key'],
  ...['x_auth_key', 'app_key', 'application_key', 'license_key', 'password_confirm'],
  ...['password_confirmation', 'rediscli_auth', 'authkey', 'passkey', 'csrf_token', 'xsrf_token'],
  ...['x_csrf_token', 'x_xsrf_token', 'client_assertion', 'authorization_code', 'code_verifier'],
  ...['device_code', 'saml_response', 'samlresponse', 'seed_phrase', 'recovery_phrase'],
  ...['mnemonic', 'password_hash', 'shared_access_signature', 'creds', 'credentials_json'],
  ...['client_secret_value', 'deploy_key', 'secret_string', 'secretstring', 'secret_value'],
  ...['secretvalue', 'session_key', 'client_key_data', 'job_token', 'x_auth', 'x_cookie'],
  ...['x_session_id', 'x_sentry_auth', 'x_honeycomb_team', 'x_jfrog_art_api', 'x_insert_key'],
  ...['x_license_key', 'circle_token', 'instrumentation_key', 'x_goog_iap_jwt_assertion'],
  ...['x_amzn_oidc_data', 'x_ms_authorization_auxiliary', 'stripe_signature', 'svix_signature'],
  ...['paddle_signature', 'webhook_signature', 'tls_key', 'ssl_key', 'key_pem', 'psk', 'wpa_psk'],
  'pre_shared_key',
];

/** Owners of a token. */
const TOKEN_OF: readonly string[] = [
  ...['bot', 'deploy', 'discord', 'gh', 'github', 'gitlab', 'hf', 'jwt', 'npm', 'oauth', 'pypi'],
  ...['sas', 'slack', 'ssh', 'telegram', 'vault', 'job', 'service', 'device', 'runner', 'registry'],
  'server',
];
/** Suffixes of keys that name a credential if their value is text. */
const CREDENTIAL_TEXT_SUFFIXES: readonly string[] = [
  ...['_secret', '_secrets', '_credential', '_credentials', '_creds', '_credentials_json', '_pwd'],
  ...['_passcode', '_webhook_url', '_app_key', '_master_key', '_auth_key'],
  ...TOKEN_OF.map((of) => `${of}_token`),
  ...PASS_OF.map((of) => `${of}_pass`),
  ...VENDORS.map((of) => `${of}_key`),
];
/** Suffixes of keys without separators, as in variables and form fields. */
const JOINED_SUFFIXES =
  /(?:password|passwd|passphrase|apikey|accesstoken|refreshtoken|authtoken|clientsecret|secretkey|privatekey)[0-9]{0,2}$/;
/** Names of credential headers, folded. Page tokens and token counts of models are excluded. */
const CREDENTIAL_HEADERS =
  /^x_(?!.*(?:next|page|max|min|prompt|completion|total|input|output|count))(?:[a-z0-9_]{1,40}_)?(?:token|signature(?:_(?:sha)?[0-9]{1,3}|_v[0-9])?)$/;
const VARIABLE = compilePattern(`^[A-Z][A-Z0-9_]*${TOKEN_VARIABLE}$`);
const LATIN_NAMES = compilePattern(`(?:${LATIN_PASSWORD_WORDS.join('|')})$`, 'i');

/** Values of a credential key that are harmless. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map([
  // The `PWD` variable of a shell is a folder.
  ['pwd', /^(?:[/~.]|[A-Za-z]:[\\/])/],
  // The credentials mode of the Fetch API.
  ['credentials', /^(?:include|omit|same-origin)$/],
  // A short mnemonic is an instruction and no wallet phrase.
  ['mnemonic', /^\S{0,32}(?:\s\S{0,32}){0,5}$/],
]);

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

/** Names of detection categories do not name a value beside them. */
const CATEGORIES = new Set(['secret', 'secrets', 'credential', 'credentials']);

/** Text credentials are credentials only if their value is text. */
export type KeyKind = 'headers' | 'credential' | 'credential_text' | null;

const squash = (name: string) => name.replaceAll('_', '');
const HEADERS = new Set(HEADER_KEYS.flatMap((name) => [name, squash(name)]));
const CREDENTIALS = new Set(CREDENTIAL_KEYS.flatMap((name) => [name, squash(name)]));
const TEXT_CREDENTIALS = new Set(CREDENTIAL_TEXT_KEYS);

/** Classifies a key by its name. */
export function classifyKey(key: string): KeyKind {
  const name = normalizeHiddenText(key);
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
  const folded = foldKey(name);
  if (HEADERS.has(plain) || HEADERS.has(folded)) return 'headers';
  const isCredential =
    [plain, folded, squash(folded)].some((variant) => CREDENTIALS.has(variant)) ||
    CREDENTIAL_KEY_SUFFIXES.some((end) => folded.endsWith(end) || plain.endsWith(end));
  if (isCredential) return 'credential';
  const isText =
    TEXT_CREDENTIALS.has(folded) ||
    CREDENTIAL_TEXT_SUFFIXES.some((end) => folded.endsWith(end)) ||
    // A placeholder is a redacted name, not the name of a credential.
    (JOINED_SUFFIXES.test(squash(folded)) && !name.includes('[REDACTED_')) ||
    CREDENTIAL_HEADERS.test(folded) ||
    VARIABLE.test(name) ||
    LATIN_NAMES.test(name.trim());
  return isText ? 'credential_text' : null;
}

/** Returns whether a text names a credential, and no detection category. */
export function namesCredential(name: string): boolean {
  if (CATEGORIES.has(name.toLowerCase())) return false;
  const kind = classifyKey(name);
  return kind === 'credential' || kind === 'credential_text';
}

/** Returns whether the value of a credential key is harmless. */
export const isHarmless = (name: string, value: string): boolean =>
  HARMLESS.get(name.toLowerCase())?.test(value) === true;
