// Authentication of a request to an MCP URL: its origin, its token, its session, and the backends that its user reaches.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/db/database.ts';
import type { NotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { type Caller, InvalidTokenError, type TokenCheck } from '../access-tokens/index.ts';
import type { ServerLists } from '../catalog/index.ts';
import type { Guardrails } from '../guardrails/index.ts';
import { bearerChallenge, isAllowedOrigin, type Namespace, namespaceId } from '../oauth/index.ts';
import {
  type ProtocolRevision,
  paramHeaderNames,
  RpcError,
  type RpcMessage,
  readClientMeta,
  withoutTaskCapability,
} from '../protocol/index.ts';
import type { ToolPins } from '../tool-pinning/index.ts';
import type { Backend, CircuitBreaker, SessionOwner, Upstreams } from '../upstream/index.ts';
import type { ClientStreams } from './client-streams.ts';
import type { EventLog } from './event-log.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';
import type { StreamTimings } from './response-stream.ts';
import { type ClientSession, selectSession } from './store.ts';

/** Services for sessions and streams. */
export interface SessionDeps {
  db: Db;
  origin: string;
  tokenCheck: TokenCheck;
  upstreams: Upstreams;
  pins: ToolPins;
  breaker: CircuitBreaker;
  guardrails: Guardrails;
  sessions: NotifiedCache<ClientSession | 'unknown'>;
  requestsInFlight: RequestsInFlight;
  lists: ServerLists;
  streams: ClientStreams;
  timings: StreamTimings;
  eventLog: EventLog;
  /** Returns null for a path without an MCP endpoint. */
  namespaceOf(params: { tenant_id?: string; backend?: string }): Promise<Namespace | null>;
  /** Returns the enabled backends of the tenant, or only the backend with the id. */
  backendsOf(caller: Caller & { tenantId: string }, backendId: string | null): Promise<Backend[]>;
}

/** An authenticated request. */
export interface RequestContext {
  namespace: Exclude<Namespace, { kind: 'root' }>;
  caller: Caller & { tenantId: string };
  /** Authenticates the same headers again. Throws InvalidTokenError after a revocation. */
  revalidate(): Promise<unknown>;
}

/** Returns a header that occurs once, or undefined. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const REQUEST_HEADERS = 'Access-Control-Request-Headers';
const ALLOWED_HEADERS = [
  ...['authorization', 'content-type', 'accept', 'mcpuser', 'mcp-session-id'],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'],
];

/**
 * Returns whether a web page of this origin may call, and sets the CORS headers. Native clients send no origin. At a URL
 * without a tenant, an origin of any tenant is allowed at first: `isTenantOrigin` checks again with the tenant of the token.
 */
export async function allowOrigin(
  deps: SessionDeps,
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const tenantId = namespace.kind === 'root' ? null : namespace.tenantId;
  if (!(await isAllowedOrigin(originDeps(deps), tenantId, origin))) return false;
  const requested = paramHeaderNames(headerOf(request, 'access-control-request-headers'));
  reply
    .header('access-control-allow-origin', origin)
    .header('vary', `Origin${request.method === 'OPTIONS' ? `, ${REQUEST_HEADERS}` : ''}`)
    .header('access-control-allow-methods', 'GET, POST, DELETE')
    .header('access-control-allow-headers', [...ALLOWED_HEADERS, ...requested].join(', '))
    .header('access-control-expose-headers', 'mcp-session-id, www-authenticate, x-request-id');
  return true;
}

const originDeps = ({ origin, tokenCheck }: SessionDeps) => ({ origin, check: tokenCheck });

/** Returns whether the tenant of the token allows the origin of the request. */
export async function isTenantOrigin(
  deps: SessionDeps,
  { caller }: RequestContext,
  { headers: { origin } }: FastifyRequest,
): Promise<boolean> {
  return origin === undefined || isAllowedOrigin(originDeps(deps), caller.tenantId, origin);
}

/** Authenticates a request. Sends the challenge of RFC 6750 §3 and returns null if its token is missing or invalid. */
export async function authenticateRequest(
  deps: SessionDeps,
  namespace: RequestContext['namespace'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestContext | null> {
  const revalidate = () =>
    deps.tokenCheck.authenticate(credentialsIn(request), {
      namespace: namespaceId(namespace),
      backend: backendIn(namespace),
    });
  try {
    const caller = await revalidate();
    const { tenantId } = caller;
    if (tenantId === null) throw new InvalidTokenError('The token is for another endpoint.');
    return { namespace, caller: { ...caller, tenantId }, revalidate };
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error;
    const description = error.hadToken ? error.message : undefined;
    reply
      .code(401)
      .header('www-authenticate', bearerChallenge(namespace, deps.origin, description))
      .send({ error: 'invalid_token', error_description: error.message });
    return null;
  }
}

function credentialsIn({ headers }: FastifyRequest) {
  const { authorization, mcpuser, 'user-agent': userAgent } = headers;
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(typeof mcpuser === 'string' ? { mcpuser } : {}),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

function backendIn(namespace: RequestContext['namespace']) {
  if (namespace.kind !== 'backend') return null;
  const { tenantId, backendId, passthrough } = namespace;
  return { tenantId, backendId, passthrough };
}

/** Returns a key for the holder of a token. Several users share a direct API token, so their e-mail is part of the key. */
export const tokenHolder = ({ via, tokenId, email }: RequestContext['caller']) =>
  via === 'api_token' ? `${tokenId} ${email}` : tokenId;

/** Returns the hash under which a session is stored; for a direct API token it depends on the user too. */
export const sessionHash = (sessionId: string, { via, email }: RequestContext['caller']): Buffer =>
  hashSecret(via === 'api_token' ? `${sessionId} ${email}` : sessionId);

/**
 * Returns the owner of the sessions with servers: the client's session, or its token if it has none. Throws RpcError with
 * 404 for an unknown session.
 */
export async function resolveOwner(
  deps: Pick<SessionDeps, 'db' | 'sessions'>,
  { namespace, caller }: RequestContext,
  revision: ProtocolRevision,
  sessionId: string | undefined,
  message: RpcMessage | null,
): Promise<SessionOwner> {
  const tokenKey = `token ${tokenHolder(caller)} ${namespaceId(namespace)}`;
  if (revision === 'modern' && message !== null) {
    const { capabilities: declared, logLevel } = readClientMeta(message);
    const capabilities = withoutTaskCapability(declared);
    // Capabilities may differ per request, but a server of a legacy revision receives them once per session.
    const meta = JSON.stringify([capabilities, logLevel]);
    return { hash: hashSecret(`${tokenKey} ${meta}`), capabilities, logLevel };
  }
  if (sessionId === undefined) {
    return { hash: hashSecret(tokenKey), capabilities: {}, logLevel: null };
  }
  const hash = sessionHash(sessionId, caller);
  const session = await deps.sessions.get(
    hash.toString('hex'),
    async () => (await selectSession(deps.db, hash)) ?? 'unknown',
  );
  // A session of another token or endpoint counts as unknown, so that no session can be taken over.
  const isOwn =
    session !== 'unknown' &&
    session.namespace === namespaceId(namespace) &&
    session.token_id === caller.tokenId;
  if (!isOwn) throw new RpcError(-32001, 'Session not found', { status: 404 });
  const { capabilities, log_level: logLevel } = session;
  return { hash, capabilities: withoutTaskCapability(capabilities), logLevel };
}

/** Returns the backends at the URL, or the backend with the id only. */
export function loadBackends(
  deps: Pick<SessionDeps, 'backendsOf'>,
  { namespace, caller }: RequestContext,
  backendId: string | null = null,
): Promise<Backend[]> {
  return deps.backendsOf(caller, backendIdOf(namespace) ?? backendId);
}

/** Returns the backend whose URL this is; null at the aggregated URL. */
export const backendIdOf = (namespace: RequestContext['namespace']): string | null =>
  namespace.kind === 'backend' ? namespace.backendId : null;
