// Where a code may be sent: loopback, https targets on an allow-list of host and path, and named applications' schemes.
// One public client id for everybody means that this list, not the client, decides. Pure.

export interface RedirectRules {
  /** host/path, such as `claude.ai/api/mcp/auth_callback`; a path that ends with `*` means any below it. */
  https: readonly string[];
  /** Without the colon. */
  schemes: readonly string[];
}

/** The well-known MCP clients. */
export const DEFAULT_REDIRECTS: RedirectRules = {
  https: [
    'claude.ai/api/mcp/auth_callback',
    'claude.com/api/mcp/auth_callback',
    'chatgpt.com/connector_platform_oauth_redirect',
    'vscode.dev/redirect',
    'insiders.vscode.dev/redirect',
    'www.cursor.com/agents/mcp/oauth/callback',
  ],
  schemes: ['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed', 'raycast'],
};

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Never an application's own: what a browser or the system gives a meaning to. */
const NEVER =
  /^(https?|ws|wss|ftp|file|data|blob|javascript|vbscript|about|mailto|tel|sms|chrome|ms-.*)$/;
export const SCHEME = /^[a-z][a-z0-9+.-]{1,62}$/;

export function mayBeScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !NEVER.test(scheme);
}

/** Why this URI is not taken, in words that fit behind it; null where it is. */
export function refusalOf(uri: string, rules: readonly RedirectRules[]): string | null {
  if (uri.length > 2_000 || !/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) {
    return 'is not a URI that can be used';
  }
  const url = new URL(uri);
  if (uri.includes('#')) return 'must not hold a fragment';
  if (url.username !== '' || url.password !== '' || uri.includes('\\')) {
    return 'must not hold a user name, a password or a backslash';
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'http') {
    return LOOPBACK.has(url.hostname) ? null : 'must be https: http is for loopback only';
  }
  if (scheme === 'https') {
    const isListed = rules.some((one) => one.https.some((listed) => isAt(url, listed)));
    return isListed ? null : 'is not on the list of allowed redirect targets';
  }
  const isNamed = rules.some((one) => one.schemes.includes(scheme));
  return isNamed && mayBeScheme(scheme) ? null : 'has a scheme that is not allowed';
}

function isAt(url: URL, listed: string): boolean {
  if (url.port !== '' || url.search !== '') return false;
  const place = `${url.host}${url.pathname}`;
  // No path can climb out of what is listed: the parser has resolved its dots, and escapes are not taken.
  if (url.pathname.includes('%')) return false;
  return listed.endsWith('/*') ? place.startsWith(listed.slice(0, -1)) : place === listed;
}

/** The form in which URIs are kept and compared, to the letter: a loopback's port is the client's of that moment. */
export function registeredForm(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=\/|$|\?)/, '$1');
}
