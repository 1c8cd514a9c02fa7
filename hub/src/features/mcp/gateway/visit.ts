// Who comes to an MCP URL: from where, with which token, in which session.

import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/db/database.ts';
import type { NotifiedCache } from '../../../platform/feed/notified-cache.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { Approvals } from '../approvals/index.ts';
import type { Rules } from '../call-rules/index.ts';
import { challengeOf, idOf, isAllowedOrigin, type Namespace } from '../oauth/index.ts';
import type { ToolPins } from '../pins/index.ts';
import { type Caller, NotAdmitted, type TokenCheck } from '../tokens/index.ts';
import type { CallLog } from './call-log.ts';
import type { ClientStreams } from './client-streams.ts';
import type { EventLog } from './event-log.ts';
import type { StreamTimings } from './event-stream.ts';
import type { Guard } from './guard.ts';
import type { Lists } from './lists.ts';
import type { Mail } from './mail.ts';
import { type Rpc, RpcError } from './messages.ts';
import { type Era, paramNames, saidOfClient, withoutTasks } from './revisions.ts';
import type { Running } from './running.ts';
import { type ClientSession, selectSession } from './store.ts';
import type { Backend, Owner } from './targets.ts';
import type { Upstreams } from './upstreams.ts';

export interface GatewayDeps {
  db: Db;
  origin: string;
  check: TokenCheck;
  upstreams: Upstreams;
  callLog: CallLog;
  pins: ToolPins;
  guard: Guard;
  callRules: Rules;
  approvals: Approvals;
  cursors: CursorSealer;
  sessions: NotifiedCache<ClientSession | 'unknown'>;
  mail: Mail;
  running: Running;
  lists: Lists;
  streams: ClientStreams;
  timings: StreamTimings;
  eventLog: EventLog;
  /** Null where the path names nothing that there is. */
  namespaceOf(params: { tenant_id?: string; backend?: string }): Promise<Namespace | null>;
  /** The enabled backends of the tenant; of one backend's URL that one alone. */
  backendsOf(caller: Caller & { tenantId: string }, backendId: string | null): Promise<Backend[]>;
}

export interface Visit {
  namespace: Exclude<Namespace, { kind: 'root' }>;
  caller: Caller & { tenantId: string };
  /** Looks once more, as if the request came now. Throws NotAdmitted. */
  again(): Promise<unknown>;
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const ASKED = 'Access-Control-Request-Headers';
const HEADERS =
  'authorization content-type accept mcpuser mcp-session-id mcp-protocol-version mcp-method mcp-name last-event-id'.split(
    ' ',
  );

/**
 * A web page may call only from our own origin, or from one that the tenant allows; native clients send none. At a URL
 * without a tenant any tenant may allow it: `isOriginOfTenant` looks again once the token says whose request it is.
 */
export async function mayComeFrom(
  deps: GatewayDeps,
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const tenantId = namespace.kind === 'root' ? null : namespace.tenantId;
  if (!(await isAllowedOrigin(deps, tenantId, origin))) return false;
  const asked = paramNames(headerOf(request, 'access-control-request-headers'));
  reply
    .header('access-control-allow-origin', origin)
    .header('vary', `Origin${request.method === 'OPTIONS' ? `, ${ASKED}` : ''}`)
    .header('access-control-allow-methods', 'GET, POST, DELETE')
    .header('access-control-allow-headers', [...HEADERS, ...asked].join(', '))
    .header('access-control-expose-headers', 'mcp-session-id, www-authenticate, x-request-id');
  return true;
}

/** Whether the tenant of the token allows the origin of the request. */
export async function isOriginOfTenant(
  deps: GatewayDeps,
  { caller }: Visit,
  { headers: { origin } }: FastifyRequest,
): Promise<boolean> {
  return origin === undefined || isAllowedOrigin(deps, caller.tenantId, origin);
}

/** Null where the challenge was sent. */
export async function admitted(
  deps: GatewayDeps,
  namespace: Visit['namespace'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | null> {
  const { authorization, mcpuser, 'user-agent': userAgent } = request.headers;
  const again = () =>
    deps.check.callerOf(
      {
        ...(authorization === undefined ? {} : { authorization }),
        ...(typeof mcpuser === 'string' ? { mcpuser } : {}),
        ...(userAgent === undefined ? {} : { userAgent }),
      },
      {
        namespace: idOf(namespace),
        backend:
          namespace.kind === 'backend'
            ? {
                tenantId: namespace.tenantId,
                backendId: namespace.backendId,
                passthrough: namespace.passthrough,
              }
            : null,
      },
    );
  try {
    const caller = await again();
    const { tenantId } = caller;
    if (tenantId === null) throw new NotAdmitted('The token is for another endpoint.');
    return { namespace, caller: { ...caller, tenantId }, again };
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    const problem = error.hadToken ? error.message : undefined;
    reply
      .code(401)
      .header('www-authenticate', challengeOf(namespace, deps.origin, problem))
      .send({ error: 'invalid_token', error_description: error.message });
    return null;
  }
}

/** A direct API token is in the hands of several people: what is one's there is not the others'. */
export const holderOf = ({ via, tokenId, email }: Visit['caller']) =>
  via === 'api_token' ? `${tokenId} ${email}` : tokenId;

/** By what a session is found: nothing else than its name, or of a direct API token its person too. */
export const sessionHash = (named: string, { via, email }: Visit['caller']): Buffer =>
  hashSecret(via === 'api_token' ? `${named} ${email}` : named);

/** Whose sessions with upstreams are used: of a client's own session, or where it has none, of its token. */
export async function ownerOf(
  deps: GatewayDeps,
  visit: Visit,
  era: Era,
  named: string | undefined,
  message: Rpc | null,
): Promise<Owner> {
  const { namespace, caller } = visit;
  if (era === 'modern' && message !== null) {
    const { capabilities: all, logLevel } = saidOfClient(message);
    const capabilities = withoutTasks(all);
    // What it can do differs from request to request: a server of the older revision is told once for a session.
    const said = JSON.stringify([capabilities, logLevel]);
    const hash = hashSecret(`token ${holderOf(caller)} ${idOf(namespace)} ${said}`);
    return { hash, capabilities, logLevel };
  }
  if (named === undefined) {
    const hash = hashSecret(`token ${holderOf(caller)} ${idOf(namespace)}`);
    return { hash, capabilities: {}, logLevel: null };
  }
  const hash = sessionHash(named, caller);
  const found = await deps.sessions.get(
    hash.toString('hex'),
    async () => (await selectSession(deps.db, hash)) ?? 'unknown',
  );
  // Of another token, or of another endpoint: as good as none, or it could be taken over.
  const isTheirs =
    found !== 'unknown' && found.namespace === idOf(namespace) && found.token_id === caller.tokenId;
  if (!isTheirs) throw new RpcError(-32001, 'Session not found', { status: 404 });
  return { hash, capabilities: withoutTasks(found.capabilities), logLevel: found.log_level };
}

export function backendsFor(
  deps: GatewayDeps,
  { namespace, caller }: Visit,
  backendId: string | null = null,
): Promise<Backend[]> {
  const only = namespace.kind === 'backend' ? namespace.backendId : backendId;
  return deps.backendsOf(caller, only);
}
