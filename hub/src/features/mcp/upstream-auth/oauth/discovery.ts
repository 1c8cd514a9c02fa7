// Discovery of a server's login: protected resource metadata (RFC 9728) and authorization server metadata (RFC 8414).
import { isObject } from '../../../../platform/http/json/parse-json.ts';
import { type Outbound, OutboundRefused } from '../../../../platform/http/outbound/outbound.ts';
import { ask } from './http.ts';

/** The metadata of an authorization server that the gateway uses. */
export interface LoginServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  registration_endpoint?: string;
  token_endpoint_auth_methods_supported?: string[];
  code_challenge_methods_supported?: string[];
  authorization_response_iss_parameter_supported?: boolean;
  [more: string]: unknown;
}

export interface Resource {
  resource: string;
  authorization_servers: string[];
  scopes: string[];
}

/** The metadata is invalid. The message is for administrators and users, and contains nothing of the response. */
export class DiscoveryError extends Error {}

/** Returns the protected resource metadata, or null. Throws DiscoveryError. */
export async function protectedResource(
  outbound: Outbound,
  mcpUrl: string,
): Promise<Resource | null> {
  const url = new URL(mcpUrl);
  const path = url.pathname === '/' ? '' : url.pathname;
  const hinted = await hintOf(outbound, mcpUrl);
  const places = [
    ...(hinted.metadata === null ? [] : [hinted.metadata]),
    `${url.origin}/.well-known/oauth-protected-resource${path}`,
    `${url.origin}/.well-known/oauth-protected-resource`,
  ];
  for (const place of new Set(places)) {
    const found = await documentAt(outbound, place);
    if (found === null) continue;
    const { resource, authorization_servers: servers, scopes_supported: scopes } = found;
    // Another's metadata would send people's tokens for this server to somebody else's login.
    if (typeof resource !== 'string' || !isWithin(mcpUrl, resource)) {
      throw new DiscoveryError('its metadata belong to another resource');
    }
    if (!isTexts(servers) || servers.length === 0) return null;
    const named = hinted.scopes.length > 0 ? hinted.scopes : isTexts(scopes) ? scopes : [];
    return { resource, authorization_servers: servers, scopes: named };
  }
  return null;
}

/** Returns the metadata URL of the challenge (RFC 9728 §5.1), or null. */
async function hintOf(
  outbound: Outbound,
  mcpUrl: string,
): Promise<{ metadata: string | null; scopes: string[] }> {
  const answer = await asked(outbound, mcpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const header = answer.status === 401 ? answer.headers['www-authenticate'] : undefined;
  const challenge = [header ?? ''].flat().join(', ');
  const parameter = (name: string) =>
    new RegExp(`(?:^|[\\s,])${name}="([^"]{1,2000})"`, 'i').exec(challenge)?.[1] ?? null;
  const scope = parameter('scope');
  return {
    metadata: parameter('resource_metadata'),
    scopes: scope?.split(' ').filter(Boolean) ?? [],
  };
}

/** Returns the metadata of an issuer, from the three well-known URLs (RFC 8414 §3). Throws DiscoveryError. */
export async function loginServer(outbound: Outbound, issuer: string): Promise<LoginServer> {
  if (!URL.canParse(issuer)) throw new DiscoveryError("its login isn't a valid URL");
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    `${url.origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of new Set(places)) {
    const found = await documentAt(outbound, place);
    if (found !== null) return usable(outbound, found, issuer);
  }
  throw new DiscoveryError('its login publishes no metadata');
}

function usable(outbound: Outbound, found: Record<string, unknown>, issuer: string): LoginServer {
  const sameAs = (text: unknown) => String(text).replace(/\/$/, '') === issuer.replace(/\/$/, '');
  if (!sameAs(found.issuer)) throw new DiscoveryError('its login reports another issuer');
  for (const name of ['authorization_endpoint', 'token_endpoint']) {
    const value = found[name];
    if (typeof value !== 'string') throw new DiscoveryError(`its login has no ${name}`);
    try {
      // Browsers of users are redirected to the authorization endpoint, so it must be https.
      outbound.check(value);
    } catch (error) {
      throw new DiscoveryError(`the ${name} of its login ${(error as Error).message}`);
    }
  }
  const methods = found.code_challenge_methods_supported;
  if (isTexts(methods) && !methods.includes('S256')) {
    throw new DiscoveryError("its login doesn't support PKCE with S256");
  }
  return found as LoginServer;
}

/** Null where there is none. Throws DiscoveryFailed where nobody answers. */
async function documentAt(
  outbound: Outbound,
  url: string,
): Promise<Record<string, unknown> | null> {
  const answer = await asked(outbound, url, {
    method: 'GET',
    headers: { accept: 'application/json' },
  });
  if (answer.status >= 500) throw new DiscoveryError(`it responded with ${answer.status}`);
  if (answer.status !== 200) return null;
  try {
    const parsed: unknown = JSON.parse(answer.text);
    return isObject(parsed) ? parsed : null;
  } catch {
    // The URL returned an HTML page instead of the document.
    return null;
  }
}

async function asked(outbound: Outbound, url: string, send: Parameters<typeof ask>[2]) {
  try {
    return await ask(outbound, url, send);
  } catch (error) {
    throw new DiscoveryError(
      error instanceof OutboundRefused ? `its address ${error.message}` : "it can't be reached",
      { cause: error },
    );
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** RFC 9728 by the letter, or the part of the server that the URL lies in. */
function isWithin(mcpUrl: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [url, whole] = [new URL(mcpUrl), new URL(resource)];
  const base = whole.pathname.endsWith('/') ? whole.pathname : `${whole.pathname}/`;
  return url.origin === whole.origin && `${url.pathname}/`.startsWith(base);
}
