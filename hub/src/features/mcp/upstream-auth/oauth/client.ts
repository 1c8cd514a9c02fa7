// The gateway as an OAuth client of a server's login: configured by an administrator, or registered dynamically (RFC 7591).
import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import type { Sealer } from '../../../../platform/crypto/seal.ts';
import { locationOf } from '../../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { isObject } from '../../../../platform/http/json/parse-json.ts';
import type { Outbound } from '../../../../platform/http/outbound/outbound.ts';
import { type BackendRow, type OAuthLogin, SEALED_AUTH } from '../../backends/index.ts';
import { DiscoveryError, type LoginServer, loginServer, protectedResource } from './discovery.ts';
import { ask, guardedFetch } from './http.ts';
import {
  type AuthMethod,
  SEALED_CLIENTS,
  type Source,
  selectClient,
  storeClient,
  type UpstreamClient,
} from './store.ts';

export interface ClientDeps {
  db: Db;
  sealer: Sealer;
  outbound: Outbound;
  origin: string;
}

export interface OAuthBackend extends Pick<BackendRow, 'backend_id' | 'url' | 'sealed_auth'> {
  tenantId: string;
  auth: { kind: 'oauth' } & OAuthLogin;
}

/** Returns the redirect URI of the gateway, which administrators of servers register. */
export const callbackUrl = (origin: string) => `${origin}/oauth/callback`;

/**
 * RFC 9700, 4.4.2: if a login's answer does not name its issuer, the redirect address identifies it. It is
 * the server's own wherever the gateway registers itself; what an administrator entered stays as it is.
 */
function callbackFor(
  { origin }: ClientDeps,
  { auth, backend_id: id }: OAuthBackend,
  { authorization_response_iss_parameter_supported: hasIss }: LoginServer,
): string {
  const isShared = auth.client_id !== undefined || hasIss === true;
  return isShared ? callbackUrl(origin) : `${callbackUrl(origin)}/${id}`;
}

export interface Connector {
  server: LoginServer;
  source: Source;
  scopes: string[];
  /** The redirect URI. */
  callback: string;
  configuration: oidc.Configuration;
}

/** Everything that a person's way to the server's login needs. Throws DiscoveryFailed. */
export async function connectorOf(deps: ClientDeps, backend: OAuthBackend): Promise<Connector> {
  const { auth } = backend;
  const { server, resource, scopes } = await serverOf(deps.outbound, backend);
  const client = await clientOf(deps, backend, server);
  const source: Source = {
    url: backend.url,
    issuer: server.issuer,
    token_endpoint: server.token_endpoint,
    revocation_endpoint: server.revocation_endpoint ?? null,
    client_id: client.client_id,
    auth_method: client.auth_method,
    resource: auth.send_resource === false ? null : resource,
  };
  return {
    server,
    source,
    scopes: auth.scopes ?? scopes,
    callback: callbackFor(deps, backend, server),
    configuration: configured(
      deps.outbound,
      server,
      client.client_id,
      client.auth_method,
      client.secret,
    ),
  };
}

/** For refreshing and revoking: with what was stored when the person connected. Null where the client is another now. */
export async function configurationFor(
  deps: ClientDeps,
  backend: OAuthBackend,
  source: Source,
  withinMs?: number,
): Promise<oidc.Configuration | null> {
  const secret = await secretFor(deps, backend, source);
  if (secret === undefined) return null;
  const server: LoginServer = {
    issuer: source.issuer,
    authorization_endpoint: source.token_endpoint,
    token_endpoint: source.token_endpoint,
    ...(source.revocation_endpoint === null
      ? {}
      : { revocation_endpoint: source.revocation_endpoint }),
  };
  return configured(deps.outbound, server, source.client_id, source.auth_method, secret, withinMs);
}

async function secretFor(
  deps: ClientDeps,
  backend: OAuthBackend,
  source: Source,
): Promise<string | null | undefined> {
  if (backend.auth.client_id !== undefined) {
    return backend.auth.client_id === source.client_id ? ownSecret(deps, backend) : undefined;
  }
  const client = await selectClient(deps.db, backend.tenantId, backend.backend_id);
  return client?.client_id === source.client_id
    ? registeredSecret(deps, backend, client)
    : undefined;
}

function configured(
  outbound: Outbound,
  server: LoginServer,
  clientId: string,
  method: AuthMethod,
  secret: string | null,
  withinMs?: number,
): oidc.Configuration {
  const auth =
    secret === null || method === 'none'
      ? oidc.None()
      : method === 'client_secret_post'
        ? oidc.ClientSecretPost(secret)
        : oidc.ClientSecretBasic(secret);
  const made = new oidc.Configuration(server as oidc.ServerMetadata, clientId, {}, auth);
  // The caller decides which addresses may be reached by http.
  oidc.allowInsecureRequests(made);
  made[oidc.customFetch] = guardedFetch(outbound, withinMs);
  return made;
}

async function serverOf(
  outbound: Outbound,
  { url, auth }: OAuthBackend,
): Promise<{ server: LoginServer; resource: string; scopes: string[] }> {
  if (auth.authorization_endpoint !== undefined && auth.token_endpoint !== undefined) {
    const server = {
      issuer: auth.issuer ?? new URL(auth.authorization_endpoint).origin,
      authorization_endpoint: auth.authorization_endpoint,
      token_endpoint: auth.token_endpoint,
      ...(auth.revocation_endpoint === undefined
        ? {}
        : { revocation_endpoint: auth.revocation_endpoint }),
    };
    return { server, resource: url, scopes: [] };
  }
  const found = await protectedResource(outbound, url);
  // Servers of before RFC 9728 are their own login.
  const issuer = auth.issuer ?? found?.authorization_servers[0] ?? new URL(url).origin;
  if (auth.issuer !== undefined && found !== null) {
    const isNamed = found.authorization_servers.some((authorization_server) =>
      sameIssuer(authorization_server, issuer),
    );
    if (!isNamed) throw new DiscoveryError('it uses another login than the configured login');
  }
  const server = await loginServer(outbound, issuer);
  return { server, resource: found?.resource ?? url, scopes: found?.scopes ?? [] };
}

const sameIssuer = (a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, '');

interface Client {
  client_id: string;
  auth_method: AuthMethod;
  secret: string | null;
}

async function clientOf(
  deps: ClientDeps,
  backend: OAuthBackend,
  server: LoginServer,
): Promise<Client> {
  const { client_id: named } = backend.auth;
  if (named !== undefined) {
    const secret = ownSecret(deps, backend);
    return { client_id: named, secret, auth_method: secret === null ? 'none' : methodOf(server) };
  }
  const basis = createHash('sha256')
    .update(JSON.stringify([backend.url, server.issuer, callbackFor(deps, backend, server)]))
    .digest();
  const known = await selectClient(deps.db, backend.tenantId, backend.backend_id);
  const client =
    known?.basis.equals(basis) === true
      ? known
      : await storeClient(deps.db, backend.tenantId, backend.backend_id, {
          ...(await registered(deps, backend, server)),
          basis,
          issuer: server.issuer,
        });
  const secret = registeredSecret(deps, backend, client);
  return { client_id: client.client_id, auth_method: client.auth_method, secret };
}

function ownSecret({ sealer }: ClientDeps, { tenantId, backend_id, sealed_auth }: OAuthBackend) {
  if (sealed_auth === null) return null;
  return sealer.unseal(sealed_auth, locationOf(SEALED_AUTH, [tenantId, backend_id]));
}

function registeredSecret(
  { sealer }: ClientDeps,
  { tenantId, backend_id }: OAuthBackend,
  { sealed_secret: sealed }: UpstreamClient,
) {
  return sealed === null
    ? null
    : sealer.unseal(sealed, locationOf(SEALED_CLIENTS, [tenantId, backend_id]));
}

/** RFC 8414: without a word of the login it is Basic. */
function methodOf(server: LoginServer): AuthMethod {
  const offered = server.token_endpoint_auth_methods_supported;
  if (offered === undefined || offered.includes('client_secret_basic'))
    return 'client_secret_basic';
  return 'client_secret_post';
}

/** RFC 7591. Throws DiscoveryFailed. */
async function registered(
  deps: ClientDeps,
  backend: OAuthBackend,
  server: LoginServer,
): Promise<Pick<UpstreamClient, 'client_id' | 'sealed_secret' | 'auth_method'>> {
  const { registration_endpoint: endpoint } = server;
  if (endpoint === undefined) {
    throw new DiscoveryError(
      "its login doesn't register clients. An admin needs to enter a client ID",
    );
  }
  const offered = server.token_endpoint_auth_methods_supported;
  const wanted: AuthMethod =
    offered?.includes('none') === true && !offered.includes('client_secret_basic')
      ? 'none'
      : methodOf(server);
  const answer = await ask(deps.outbound, endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'Gatewarden MCP gateway',
      redirect_uris: [callbackFor(deps, backend, server)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: wanted,
    }),
  }).catch((cause: unknown) => {
    throw new DiscoveryError("its login doesn't respond", { cause });
  });
  const made = asObject(answer.text);
  const { client_id: clientId, client_secret: secret } = made ?? {};
  if ((answer.status !== 201 && answer.status !== 200) || typeof clientId !== 'string') {
    throw new DiscoveryError(
      `its login rejected the client registration (status ${answer.status})`,
    );
  }
  const method = typeof secret === 'string' ? (made?.token_endpoint_auth_method ?? wanted) : 'none';
  const place = locationOf(SEALED_CLIENTS, [backend.tenantId, backend.backend_id]);
  return {
    client_id: clientId,
    sealed_secret: typeof secret === 'string' ? deps.sealer.seal(secret, place) : null,
    auth_method:
      method === 'client_secret_post' || method === 'none' ? method : 'client_secret_basic',
  };
}

function asObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
