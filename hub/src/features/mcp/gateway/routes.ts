// The MCP URLs: who comes, which revision, one message in, messages out. JSON where the answer is all there is, an event
// stream where the server says something before it.
import { randomUUID } from 'node:crypto';
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/db/database.ts';
import type { ToldCache } from '../../../platform/feed/cache.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { isObject } from '../../../platform/http/json.ts';
import { challengeOf, idOf, type Namespace } from '../oauth/index.ts';
import type { ToolPins } from '../pins/index.ts';
import { type Caller, NotAdmitted, type TokenCheck } from '../tokens/index.ts';
import type { CallLog } from './call-log.ts';
import { connectAnswer, withoutConnect } from './connect.ts';
import { eventStream } from './event-stream.ts';
import type { Guard } from './guard.ts';
import { logCall, STILL_RUNS_MS } from './log-call.ts';
import {
  errorMessage,
  type Id,
  isNotification,
  isRequest,
  messageOf,
  RPC,
  type Rpc,
  RpcError,
} from './messages.ts';
import { type Backend, type CallTrace, carryOut, initialized, type Scene } from './methods.ts';
import { originalId } from './names.ts';
import { type Era, eraOf, type McpHeaders, negotiated } from './revisions.ts';
import { eventText } from './sse.ts';
import { type ClientSession, deleteSession, insertSession, selectSession } from './store.ts';
import { KeyMissing, type Owner, TokenRefused, type Upstreams } from './upstream.ts';

const BODY_LIMIT = 4 * 1024 * 1024;

export interface GatewayDeps {
  db: Db;
  origin: string;
  check: TokenCheck;
  upstreams: Upstreams;
  callLog: CallLog;
  pins: ToolPins;
  guard: Guard;
  sessions: ToldCache<ClientSession | 'unknown'>;
  /** Null where the path names nothing that there is. */
  namespaceOf(params: { tenant_id?: string; backend?: string }): Promise<Namespace | null>;
  /** The enabled backends of the tenant; of one backend's URL that one alone. */
  backendsOf(caller: Caller & { tenantId: string }, backendId: string | null): Promise<Backend[]>;
}

const PATHS = ['/gwone/mcp', '/gwone/:tenant_id/mcp', '/:backend/mcp'] as const;

export async function registerGateway(app: App, deps: GatewayDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    for (const url of PATHS) {
      scope.route({
        method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
        url,
        bodyLimit: BODY_LIMIT,
        schema: { hide: true },
        exposeHeadRoute: false,
        handler: (request, reply) => serve(deps, request, reply),
      });
    }
  });
}

interface Visit {
  namespace: Exclude<Namespace, { kind: 'root' }>;
  caller: Caller & { tenantId: string };
}

async function serve(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const namespace = await deps.namespaceOf(request.params as object);
  if (namespace === null || namespace.kind === 'root') throw new HubError('not_found');
  const isPreflight = request.method === 'OPTIONS';
  if (!(await mayComeFrom(deps, namespace, request, reply))) {
    return reply
      .code(403)
      .send(errorMessage(null, new RpcError(RPC.upstream, 'Origin not allowed.')));
  }
  if (isPreflight) return reply.code(204).send();
  const visit = await admitted(deps, namespace, request, reply);
  if (visit === null) return reply;
  if (request.method === 'DELETE') return endSession(deps, visit, request, reply);
  if (request.method === 'GET') {
    // What servers say comes with the answer that it belongs to; there is no stream besides.
    return reply
      .code(405)
      .header('allow', 'POST, DELETE')
      .send(errorMessage(null, new RpcError(RPC.upstream, 'Method not allowed.')));
  }
  return post(deps, visit, request, reply);
}

/** A web page may call only from our own origin, or from one that the tenant names; native clients send none. */
async function mayComeFrom(
  deps: GatewayDeps,
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const tenantId = namespace.kind === 'root' ? null : namespace.tenantId;
  const named = tenantId === null ? [] : (await deps.check.settings(tenantId)).allowed_origins;
  if (origin !== deps.origin && !named.includes(origin.toLowerCase())) return false;
  reply
    .header('access-control-allow-origin', origin)
    .header('vary', 'Origin')
    .header('access-control-allow-methods', 'GET, POST, DELETE')
    .header(
      'access-control-allow-headers',
      'authorization, content-type, accept, mcpuser, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id',
    )
    .header('access-control-expose-headers', 'mcp-session-id, www-authenticate, x-request-id');
  return true;
}

async function admitted(
  deps: GatewayDeps,
  namespace: Visit['namespace'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | null> {
  const { authorization, mcpuser, 'user-agent': userAgent } = request.headers;
  try {
    const caller = await deps.check.callerOf(
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
    const { tenantId } = caller;
    if (tenantId === null) throw new NotAdmitted('The token is for another endpoint.');
    return { namespace, caller: { ...caller, tenantId } };
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    reply
      .code(401)
      .header(
        'www-authenticate',
        challengeOf(namespace, deps.origin, error.hadToken ? error.message : undefined),
      )
      .send({ error: 'invalid_token', error_description: error.message });
    return null;
  }
}

async function post(
  deps: GatewayDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let message: Rpc | null = null;
  try {
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      throw new RpcError(RPC.invalidRequest, 'Content-Type must be application/json.', {
        status: 415,
      });
    }
    message = messageOf((request.body as Buffer | undefined) ?? Buffer.alloc(0));
    const headers: McpHeaders = {
      version: headerOf(request, 'mcp-protocol-version'),
      method: headerOf(request, 'mcp-method'),
      name: headerOf(request, 'mcp-name'),
    };
    const era = eraOf(message, headers);
    if (message.method === 'initialize') return await initialize(deps, visit, message, reply);
    const owner = await ownerOf(deps, visit, era, request);
    if (isRequest(message))
      return await answer(deps, visit, { era, owner, message }, request, reply);
    await pass(deps, visit, owner, message);
    return reply.code(202).send();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const id = message !== null && isRequest(message) ? (message.id as Id) : null;
    return reply.code(error.status).send(errorMessage(id, error));
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

async function initialize(
  deps: GatewayDeps,
  { namespace, caller }: Visit,
  message: Rpc,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isRequest(message))
    throw new RpcError(RPC.invalidRequest, 'initialize needs an id.', { status: 400 });
  const { params } = message;
  const version = negotiated(params?.protocolVersion);
  const session = randomUUID();
  await insertSession(deps.db, hashSecret(session), {
    namespace: idOf(namespace),
    token_id: caller.tokenId,
    protocol_version: version,
    capabilities: isObject(params?.capabilities) ? params.capabilities : {},
  });
  return reply.header('mcp-session-id', session).send({
    jsonrpc: '2.0',
    id: message.id,
    result: initialized(version, namespace.kind === 'aggregated'),
  });
}

/** Whose sessions with upstreams are used: of a client's own session, or where it has none, of its token. */
async function ownerOf(
  deps: GatewayDeps,
  { namespace, caller }: Visit,
  era: Era,
  request: FastifyRequest,
): Promise<Owner> {
  const named = headerOf(request, 'mcp-session-id');
  if (era === 'modern' || named === undefined) {
    return { hash: hashSecret(`token ${caller.tokenId} ${idOf(namespace)}`), capabilities: {} };
  }
  const hash = hashSecret(named);
  const found = await deps.sessions.get(
    hash.toString('hex'),
    async () => (await selectSession(deps.db, hash)) ?? 'unknown',
  );
  // Of another token, or of another endpoint: as good as none, or it could be taken over.
  const isTheirs =
    found !== 'unknown' && found.namespace === idOf(namespace) && found.token_id === caller.tokenId;
  if (!isTheirs) throw new RpcError(-32001, 'Session not found', { status: 404 });
  return { hash, capabilities: found.capabilities };
}

async function endSession(
  deps: GatewayDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    if (headerOf(request, 'mcp-session-id') === undefined) {
      throw new RpcError(RPC.invalidRequest, 'Mcp-Session-Id is missing.', { status: 400 });
    }
    const { hash } = await ownerOf(deps, visit, 'legacy', request);
    await deleteSession(deps.db, hash);
    deps.sessions.forget(hash.toString('hex'));
    return reply.code(204).send();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reply.code(error.status).send(errorMessage(null, error));
  }
}

/** A notification, or the answer to a server's own request, for the server that it concerns. */
async function pass(deps: GatewayDeps, visit: Visit, owner: Owner, message: Rpc): Promise<void> {
  if (isNotification(message)) {
    if (message.method === 'notifications/cancelled') {
      running.get(runningKey(owner, message.params?.requestId))?.abort();
    }
    return;
  }
  const found = originalId(message.id as Id);
  if (found === null) return;
  const [backend] = await backendsFor(deps, visit, found.backendId);
  if (backend === undefined) return;
  const signal = AbortSignal.timeout(10_000);
  await deps.upstreams.tell(backend, owner, { ...message, id: found.id }, signal);
}

function backendsFor(
  deps: GatewayDeps,
  { namespace, caller }: Visit,
  backendId: string | null = null,
): Promise<Backend[]> {
  const only = namespace.kind === 'backend' ? namespace.backendId : backendId;
  return deps.backendsOf(caller, only);
}

/** Requests under way in this process, so that their client can cancel them. */
const running = new Map<string, AbortController>();
const runningKey = (owner: Owner, id: unknown) =>
  `${owner.hash.toString('hex')} ${JSON.stringify(id)}`;

async function answer(
  deps: GatewayDeps,
  visit: Visit,
  { era, owner, message }: { era: Era; owner: Owner; message: Rpc },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const abort = new AbortController();
  const gone = () => abort.abort();
  reply.raw.once('close', gone);
  const key = runningKey(owner, message.id);
  running.set(key, abort);
  const isCall = message.method === 'tools/call';
  const trace: CallTrace | null = isCall
    ? {
        backend: null,
        tool: String(message.params?.name ?? ''),
        arguments: message.params?.arguments,
      }
    : null;
  const startedAt = Date.now();
  const call = { message, trace, startedAt, requestId: request.id, eventId: randomUUID() };
  const stillRuns =
    trace === null
      ? null
      : setTimeout(() => logCall(deps.callLog, visit.caller, call, null), STILL_RUNS_MS);
  stillRuns?.unref();
  let last: Rpc | null = null;
  let failure: RpcError | null = null;
  try {
    const scene: Scene = {
      era,
      isAggregated: visit.namespace.kind === 'aggregated',
      backends: await backendsFor(deps, visit),
      owner,
      upstreams: deps.upstreams,
      pins: deps.pins,
      guard: deps.guard,
      person: visit.caller.email || visit.caller.tokenId,
      callId: call.eventId,
      signal: abort.signal,
    };
    const stream = eventStream(request, reply);
    for await (const one of carryOut(scene, withoutConnect(message), trace)) {
      if (one.method === undefined) last = one;
      else stream.write(one);
    }
    last ??= errorMessage(message.id as Id, new RpcError(RPC.internal, 'No answer.'));
    return stream.end(last);
  } catch (error) {
    failure = asRpcError(error, abort.signal);
    if (failure === null) throw error;
    last =
      failure instanceof KeyMissing
        ? connectAnswer(failure, message, { era, capabilities: owner.capabilities })
        : errorMessage(message.id as Id, failure);
    if (failure instanceof TokenRefused) {
      reply.header('www-authenticate', challengeOf(visit.namespace, deps.origin, failure.message));
    }
    if (reply.raw.headersSent) {
      reply.raw.end(eventText(last));
      return reply;
    }
    return reply.code(failure.status).send(last);
  } finally {
    running.delete(key);
    reply.raw.off('close', gone);
    if (stillRuns !== null) {
      clearTimeout(stillRuns);
      logCall(deps.callLog, visit.caller, call, { last, failure });
    }
  }
}

function asRpcError(error: unknown, signal: AbortSignal): RpcError | null {
  if (error instanceof RpcError) return error;
  return signal.aborted ? new RpcError(RPC.upstream, 'The request was cancelled.') : null;
}
