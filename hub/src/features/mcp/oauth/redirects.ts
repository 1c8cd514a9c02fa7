// Allowed redirect URIs: loopback, https targets on an allow-list of host and path, and private-use schemes of known apps
// (RFC 8252). All clients share a public client id, so this list decides, not the client. Pure.

export interface RedirectRules {
  /** host/path, such as `claude.ai/api/mcp/auth_callback`; a path that ends with `*` means any below it. */
  https: readonly string[];
  /** Without the colon. */
  schemes: readonly string[];
}

/** The well-known MCP clients, by who they are: today's redirect URIs, and those of before that are still in use. */
const WELL_KNOWN: readonly (RedirectRules & { client: string })[] = [
  {
    client: 'Claude',
    https: ['claude.ai/api/mcp/auth_callback', 'claude.com/api/mcp/auth_callback'],
    schemes: [],
  },
  {
    client: 'ChatGPT',
    // Each connector has its own path; the others are an earlier path and the path of app review.
    https: [
      'chatgpt.com/connector/oauth/*',
      'chatgpt.com/connector_platform_oauth_redirect',
      'platform.openai.com/apps-manage/oauth',
    ],
    schemes: [],
  },
  {
    client: 'Copilot Studio',
    // Each connection has a path of its own below it.
    https: ['global.consent.azure-apim.net/redirect', 'global.consent.azure-apim.net/redirect/*'],
    schemes: [],
  },
  {
    client: 'Mistral',
    https: ['callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
    schemes: [],
  },
  // An n8n that a company runs itself has its own host: that is for the tenant's list.
  { client: 'n8n Cloud', https: ['oauth.n8n.cloud/oauth2/callback'], schemes: [] },
  {
    client: 'Visual Studio Code',
    https: ['vscode.dev/redirect', 'insiders.vscode.dev/redirect'],
    schemes: ['vscode', 'vscode-insiders', 'vscodium', 'code-oss'],
  },
  {
    client: 'Cursor',
    // The client registers all of these at once, so all must be allowed.
    https: ['www.cursor.com/agents/mcp/oauth/callback', 'www.cursor.com/bot/mcp/oauth/callback'],
    schemes: ['cursor', 'grokbot'],
  },
  { client: 'other editors', https: [], schemes: ['windsurf', 'zed', 'kiro', 'trae', 'raycast'] },
];

export const DEFAULT_REDIRECTS: RedirectRules = {
  https: WELL_KNOWN.flatMap((rules) => rules.https),
  schemes: WELL_KNOWN.flatMap((rules) => rules.schemes),
};

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Never an application's own: what a browser or the system gives a meaning to. */
const NEVER = new Set(
  `http https ws wss ftp sftp ssh telnet file filesystem data blob javascript vbscript about view-source jar resource
  intent content android-app market itms-apps mailto tel sms facetime webcal geo magnet news nntp irc ldap smb nfs urn
  cid mid search-ms shell`.split(/\s+/),
);
const NEVER_BEGINS = /^(chrome|moz|edge|ms)(-|$)/;
/** Parameters that `redirectTo` adds, which a redirect URI must not contain. */
const ANSWERED = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];
export const SCHEME = /^[a-z][a-z0-9+.-]{1,62}$/;

export function mayBeScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !NEVER.has(scheme) && !NEVER_BEGINS.test(scheme);
}

const SETTINGS = 'in the MCP gateway settings';
const NOT_LISTED = `is not on the list of allowed redirect targets (redirect_uris.https or redirect_uris.clients ${SETTINGS})`;
const SCHEME_NOT_LISTED = `has a scheme that is not allowed (redirect_uris.schemes ${SETTINGS})`;

/** Why this URI is not taken, in words that fit behind it; null where it is. */
export function refusalOf(uri: string, rules: readonly RedirectRules[]): string | null {
  if (uri.length > 2_000 || !/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) {
    return 'is not a valid URI';
  }
  const url = new URL(uri);
  if (uri.includes('#')) return 'must not contain a fragment';
  if (url.username !== '' || url.password !== '' || uri.includes('\\')) {
    return 'must not contain a user name, a password or a backslash';
  }
  if (ANSWERED.some((name) => url.searchParams.has(name))) {
    return 'must not contain response parameters';
  }
  const scheme = url.protocol.slice(0, -1);
  if ((scheme === 'http' || scheme === 'https') && !isAsRead(uri, url)) {
    return 'must be in normalized form';
  }
  if (scheme === 'http') {
    return LOOPBACK.has(url.hostname) ? null : 'must be https: http is for loopback only';
  }
  if (scheme === 'https') {
    const isListed = rules.some((rule) => rule.https.some((listed) => isAt(url, listed)));
    return isListed ? null : NOT_LISTED;
  }
  const isNamed = rules.some((rule) => rule.schemes.includes(scheme));
  return isNamed && mayBeScheme(scheme) ? null : SCHEME_NOT_LISTED;
}

/** Requires the canonical spelling, because URL parsers differ for others, such as `http:127.1/x/../y`. */
function isAsRead(uri: string, url: URL): boolean {
  const [, host, path] = /^https?:\/\/([^/?]*?)(?::\d+)?(?=[/?]|$)([^?]*)/.exec(uri) ?? [];
  return host === url.hostname && (path === '' ? '/' : path) === url.pathname;
}

/** Whether there is any address that this entry of an allow-list lets pass: else it means nothing. */
export function mayBeTarget(listed: string): boolean {
  if (listed.includes('*') && !/^[^*]*\/\*$/.test(listed)) return false;
  const any = `https://${listed.replace(/\*$/, 'any')}`;
  return refusalOf(any, [{ https: [listed], schemes: [] }]) === null;
}

function isAt(url: URL, listed: string): boolean {
  if (url.search !== '') return false;
  const place = `${url.host}${url.pathname}`;
  // No path can climb out of what is listed: the parser has resolved its dots, and escapes are not taken.
  if (url.pathname.includes('%')) return false;
  return listed.endsWith('/*') ? place.startsWith(listed.slice(0, -1)) : place === listed;
}

/** The form in which URIs are kept and compared, to the letter: a loopback's port is the client's of that moment. */
export function registeredForm(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=\/|$|\?)/, '$1');
}
