// A login of an MCP server, as strict as the RFCs allow: PKCE, exact redirect URIs, a single use of each code and refresh
// token, its tokens for a single resource. A test sets where it misbehaves.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { aServer, type Running } from './mcp-servers.ts';

interface Code {
  clientId: string;
  redirectUri: string;
  challenge: string;
  resource: string | null;
  person: string;
}

export interface UpstreamLogin extends Running {
  issuer: string;
  /** Persons by their valid access token. */
  live: Map<string, string>;
  refreshes: number;
  revoked: string[];
  registrations: Record<string, unknown>[];
  /** Requests at the token endpoint, newest last. */
  asked: URLSearchParams[];
  expiresIn: number | null;
  mood: {
    refuseRefresh?: boolean;
    away?: boolean;
    iss?: string | null;
    /** The metadata do not announce the `iss` parameter (RFC 9207). */
    unnamed?: boolean;
    noRegistration?: boolean;
    authorizationEndpoint?: string;
    delay?: Promise<void>;
  };
  /** Every access token is too old from now on. */
  expireAll(): void;
  /** Approves at the login's page as a browser does; resolves with the address of the redirect. */
  approve(authorizationUrl: string, person?: string): Promise<string>;
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export async function anUpstreamLogin(): Promise<UpstreamLogin> {
  const codes = new Map<string, Code>();
  const clients = new Map<string, { secret: string; redirects: string[] }>();
  const refreshTokens = new Map<string, { person: string; clientId: string }>();
  const server = await aServer((request, response, body) => route(request, response, body), {
    allMethods: true,
  });
  const issuer = new URL(server.url).origin;
  const login: UpstreamLogin = {
    ...server,
    issuer,
    live: new Map(),
    refreshes: 0,
    revoked: [],
    registrations: [],
    asked: [],
    expiresIn: 3600,
    mood: {},
    expireAll: () => login.live.clear(),
    async approve(authorizationUrl, person = 'ann') {
      const { searchParams: query, origin } = new URL(authorizationUrl);
      if (origin !== issuer) throw new Error(`led to ${origin}`);
      const client = clients.get(query.get('client_id') ?? '');
      const redirect = query.get('redirect_uri') ?? '';
      if (client?.redirects.includes(redirect) !== true) throw new Error('unknown redirect URI');
      if (query.get('code_challenge_method') !== 'S256') throw new Error('no PKCE');
      const code = randomUUID();
      codes.set(code, {
        clientId: query.get('client_id') ?? '',
        redirectUri: redirect,
        challenge: query.get('code_challenge') ?? '',
        resource: query.get('resource'),
        person,
      });
      const back = new URL(redirect);
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      const iss = login.mood.iss === undefined ? issuer : login.mood.iss;
      if (iss !== null) back.searchParams.set('iss', iss);
      return back.href;
    },
  };

  function tokens(person: string, clientId: string, response: ServerResponse): void {
    const access = randomBytes(24).toString('base64url');
    const refresh = randomBytes(24).toString('base64url');
    login.live.set(access, person);
    refreshTokens.set(refresh, { person, clientId });
    json(response, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      scope: 'read write',
      ...(login.expiresIn === null ? {} : { expires_in: login.expiresIn }),
    });
  }

  function clientOf(request: IncomingMessage, form: URLSearchParams): string | null {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] =
      basic === undefined
        ? [form.get('client_id') ?? '', form.get('client_secret') ?? '']
        : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    return clients.get(id ?? '')?.secret === secret ? (id ?? null) : null;
  }

  async function route(request: IncomingMessage, response: ServerResponse, body: string) {
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (login.mood.away === true && pathname === '/token') return void response.destroy();
    if (pathname === '/.well-known/oauth-authorization-server') {
      return void json(response, 200, {
        issuer,
        authorization_endpoint: login.mood.authorizationEndpoint ?? `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        ...(login.mood.noRegistration === true
          ? {}
          : { registration_endpoint: `${issuer}/register` }),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...(login.mood.unnamed === true
          ? {}
          : { authorization_response_iss_parameter_supported: true }),
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    }
    if (pathname === '/register') {
      const asked = JSON.parse(body) as { redirect_uris: string[] };
      login.registrations.push(asked);
      const id = randomUUID();
      const secret = randomBytes(12).toString('base64url');
      clients.set(id, { secret, redirects: asked.redirect_uris });
      return void json(response, 201, { ...asked, client_id: id, client_secret: secret });
    }
    if (pathname === '/authorize') {
      const back = await login.approve(new URL(request.url ?? '/', issuer).href);
      return void response.writeHead(302, { location: back }).end();
    }
    const form = new URLSearchParams(body);
    const clientId = clientOf(request, form);
    if (clientId === null) return void json(response, 401, { error: 'invalid_client' });
    if (pathname === '/revoke') {
      const token = form.get('token') ?? '';
      login.revoked.push(token);
      login.live.delete(token);
      refreshTokens.delete(token);
      return void response.writeHead(200).end();
    }
    login.asked.push(form);
    if (form.get('grant_type') === 'refresh_token') {
      login.refreshes++;
      await login.mood.delay;
      const found = refreshTokens.get(form.get('refresh_token') ?? '');
      refreshTokens.delete(form.get('refresh_token') ?? '');
      if (found?.clientId !== clientId || login.mood.refuseRefresh === true) {
        return void json(response, 400, { error: 'invalid_grant' });
      }
      return tokens(found.person, clientId, response);
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifierHash = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      code?.clientId === clientId &&
      code.redirectUri === form.get('redirect_uri') &&
      code.challenge === verifierHash &&
      code.resource === form.get('resource');
    if (!fits) return void json(response, 400, { error: 'invalid_grant' });
    return tokens(code.person, clientId, response);
  }
  return login;
}

/** An MCP server whose tools only people of the login may call; `whoami` returns the caller's name. */
export async function aProtectedServer(login: UpstreamLogin): Promise<Running> {
  const running = await aServer((request, response, body) => {
    const { pathname, origin } = new URL(request.url ?? '/', running.url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      return void json(response, 200, {
        resource: `${origin}/mcp`,
        authorization_servers: [login.issuer],
        scopes_supported: ['read', 'write'],
      });
    }
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const person = login.live.get(bearer);
    if (person === undefined) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      return void json(response, 401, { error: 'invalid_token' });
    }
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const answers: Record<string, object> = {
      initialize: {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'protected', version: '1' },
        },
      },
      'tools/list': { result: { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] } },
      'tools/call': { result: { content: [{ type: 'text', text: person }] } },
    };
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      ...(answers[method] ?? { error: { code: -32601, message: 'no such method' } }),
    });
  });
  return running;
}
