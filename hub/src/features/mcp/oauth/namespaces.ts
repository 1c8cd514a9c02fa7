// The families of the OAuth server: the root, the aggregated endpoint without and with a tenant, and each backend. Every
// URL is made here, from the configured origin only.

export type Namespace =
  | { kind: 'root' }
  | { kind: 'aggregated'; tenantId: string | null; tenantName: string | null }
  | {
      kind: 'backend';
      tenantId: string;
      tenantName: string;
      backendId: string;
      backendName: string;
      /** The path segment of the URL: id or slug. */
      segment: string;
      /** Its own login lets people in, not ours. */
      passthrough: boolean;
    };

/** Returns the id to which tokens, codes and registrations are bound. */
export function namespaceId(namespace: Namespace): string {
  switch (namespace.kind) {
    case 'root':
      return 'root';
    case 'aggregated':
      return namespace.tenantId === null ? 'gwone' : `gwone/${namespace.tenantId}`;
    case 'backend':
      return `backend/${namespace.tenantId}/${namespace.backendId}`;
  }
}

/** The path that all URLs of the family begin with. */
function prefixOf(namespace: Namespace): string {
  switch (namespace.kind) {
    case 'root':
      return '';
    case 'aggregated':
      return namespace.tenantId === null ? '/gwone' : `/gwone/${namespace.tenantId}`;
    case 'backend':
      return `/${namespace.segment}`;
  }
}

/** The public client that registration answers; the same for everybody, so it proves nothing. */
export function clientIdOf(namespace: Namespace): string {
  switch (namespace.kind) {
    case 'root':
      return 'gateway-onemcp';
    case 'aggregated':
      return namespace.tenantId === null
        ? 'gateway-onemcp'
        : `gateway-onemcp-${namespace.tenantId}`;
    case 'backend':
      return `gateway-mcp-${namespace.backendId}`;
  }
}

/** The tenant that is certain before anybody signed in. */
export function tenantOf(namespace: Namespace): string | null {
  return namespace.kind === 'root' ? null : namespace.tenantId;
}

export const SCOPES = ['openid', 'email', 'profile'] as const;

export interface Urls {
  issuer: string;
  authorize: string;
  token: string;
  register: string;
  /** Null at the root. */
  mcp: string | null;
  resourceMetadata: string | null;
}

export function urlsOf(namespace: Namespace, origin: string): Urls {
  const prefix = prefixOf(namespace);
  const isRoot = namespace.kind === 'root';
  return {
    issuer: `${origin}${prefix}`,
    authorize: `${origin}${prefix}/oauth/authorize`,
    token: `${origin}${prefix}/oauth/token`,
    register: `${origin}${prefix}/oauth/register`,
    mcp: isRoot ? null : `${origin}${prefix}/mcp`,
    resourceMetadata: isRoot ? null : `${origin}/.well-known/oauth-protected-resource${prefix}/mcp`,
  };
}

/** Returns the authorization server metadata (RFC 8414 §2). */
export function serverMetadata(namespace: Namespace, origin: string): object {
  const urls = urlsOf(namespace, origin);
  return {
    issuer: urls.issuer,
    authorization_endpoint: urls.authorize,
    token_endpoint: urls.token,
    registration_endpoint: urls.register,
    userinfo_endpoint: `${origin}/oauth/userinfo`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    ...(namespace.kind === 'root' ? {} : { code_challenge_methods_supported: ['S256'] }),
    authorization_response_iss_parameter_supported: true,
  };
}

/** RFC 9728. `logins`: of a passthrough server, which names its own. */
export function resourceMetadata(
  namespace: Namespace,
  origin: string,
  logins?: { servers: string[]; scopes: string[] },
): object {
  const urls = urlsOf(namespace, origin);
  return {
    resource: urls.mcp,
    authorization_servers: logins?.servers ?? [urls.issuer],
    ...(logins?.scopes.length === 0 ? {} : { scopes_supported: logins?.scopes ?? SCOPES }),
    bearer_methods_supported: ['header'],
    resource_name: namespace.kind === 'backend' ? namespace.backendName : 'Gatewarden MCP gateway',
  };
}

/** Returns the challenge of an MCP URL (RFC 6750 §3, RFC 9728 §5.1); `problem` only for an invalid token. */
export function bearerChallenge(namespace: Namespace, origin: string, problem?: string): string {
  const { resourceMetadata: metadata } = urlsOf(namespace, origin);
  const parts = [
    ...(metadata === null ? [] : [`resource_metadata="${metadata}"`]),
    ...(problem === undefined
      ? []
      : [`error="invalid_token"`, `error_description="${problem.replaceAll('"', "'")}"`]),
  ];
  return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`;
}
