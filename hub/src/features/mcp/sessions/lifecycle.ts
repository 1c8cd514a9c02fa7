// Lifecycle of client sessions (revisions before 2026-07-28): initialize, log level, subscriptions, and the end.
import { randomUUID } from 'node:crypto';
import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { FastifyReply } from 'fastify';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { mergeInstructions } from '../catalog/index.ts';
import { namespaceId } from '../oauth/index.ts';
import {
  initializeResult,
  isRequest,
  negotiateVersion,
  RPC,
  RpcError,
  type RpcMessage,
  rejectLongCapabilities,
} from '../protocol/index.ts';
import {
  type Backend,
  CHANNELS,
  type SessionOwner,
  selectConnectedBackends,
  sendSignal,
} from '../upstream/index.ts';
import {
  loadBackends,
  type RequestContext,
  resolveOwner,
  type SessionDeps,
  sessionHash,
  tokenHolder,
} from './request-context.ts';
import { SESSION_CACHE } from './revalidation-caches.ts';
import { deleteSession, insertSession, storeLogLevel, storeSubscription } from './store.ts';
import { deleteStreamsOf } from './stream-store.ts';

/** Time limit of a message to all servers of a session. */
const FAN_OUT_MS = 5_000;

const badParams = (message: string) => new RpcError(RPC.invalidParams, message, { status: 400 });

/** Begins a session and sends the result of `initialize`. Throws RpcError. */
export async function initialize(
  deps: SessionDeps,
  context: RequestContext,
  message: RpcMessage,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { version, capabilities } = checkedInitialize(message);
  const { namespace, caller } = context;
  const sessionId = randomUUID();
  await insertSession(deps.db, sessionHash(sessionId, caller), {
    namespace: namespaceId(namespace),
    token_id: caller.tokenId,
    protocol_version: version,
    capabilities,
  });
  const instructions = await mergeInstructions({
    ...deps,
    tenantId: caller.tenantId,
    isAggregated: namespace.kind === 'aggregated',
    backends: await loadBackends(deps, context),
    userKey: caller.userId ?? tokenHolder(caller),
    owner: { capabilities },
  });
  return reply.header('mcp-session-id', sessionId).send({
    jsonrpc: '2.0',
    id: message.id,
    result: initializeResult(version, instructions),
  });
}

function checkedInitialize(message: RpcMessage) {
  if (!isRequest(message)) {
    throw new RpcError(RPC.invalidRequest, 'initialize needs an id.', { status: 400 });
  }
  const { params } = message;
  if (typeof params?.protocolVersion !== 'string') {
    throw badParams('params.protocolVersion must be a text.');
  }
  const { capabilities = {} } = params;
  if (!isObject(capabilities)) throw badParams('params.capabilities must be an object.');
  rejectLongCapabilities(capabilities);
  rejectUnstorableText(capabilities, 'params.capabilities');
  return { version: negotiateVersion(params.protocolVersion), capabilities };
}

/** Throws RpcError for text that PostgreSQL cannot store. */
function rejectUnstorableText(value: unknown, where: string): void {
  if (sanitizeText(value, JSON.stringify(value)) === value) return;
  throw badParams(`${where} must not hold NUL or half of a character.`);
}

/** Ends a session in every process, and notifies the servers. Throws RpcError. */
export async function endSession(
  deps: SessionDeps,
  context: RequestContext,
  sessionId: string | undefined,
): Promise<void> {
  if (sessionId === undefined) {
    throw new RpcError(RPC.invalidRequest, 'Mcp-Session-Id is missing.', { status: 400 });
  }
  const owner = await resolveOwner(deps, context, 'legacy', sessionId, null);
  const backends = await backendsWithSession(deps, context, owner);
  // Canceled calls are reported to their servers, which needs the sessions with the servers.
  await deps.requestsInFlight.cancelAll(owner);
  // The rows contain the ids of these sessions, so the servers are notified before the rows are deleted.
  const ended = Promise.allSettled(
    backends.map((backend) => deps.upstreams.endSession(backend, owner)),
  );
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, FAN_OUT_MS).unref())]);
  await deleteSession(deps.db, owner.hash);
  await deleteStreamsOf(deps.db, owner.hash);
  await invalidateSession(deps, owner);
}

async function invalidateSession({ db, sessions }: SessionDeps, owner: SessionOwner) {
  const key = owner.hash.toString('hex');
  sessions.invalidate(key);
  await notify(db, { kind: 'forget', cache: SESSION_CACHE, keys: [key] });
}

/** Returns the backends with which this owner has a session. */
async function backendsWithSession(
  deps: SessionDeps,
  context: RequestContext,
  owner: SessionOwner,
): Promise<Backend[]> {
  const backends = await loadBackends(deps, context);
  const ids = backends.map(({ backendId }) => backendId);
  const connected = new Set(await selectConnectedBackends(deps.db, owner.hash, ids));
  return backends.filter(({ backendId }) => connected.has(backendId));
}

/** Sends a notification to every server of the session, for example that the roots changed. */
export async function notifyServers(
  deps: SessionDeps,
  context: RequestContext,
  owner: SessionOwner,
  message: RpcMessage,
): Promise<void> {
  const backends = await backendsWithSession(deps, context, owner);
  const signal = AbortSignal.timeout(FAN_OUT_MS);
  await Promise.allSettled(
    backends.map((backend) => deps.upstreams.send(backend, owner, message, signal)),
  );
}

const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] satisfies LoggingLevel[];

/** Sets the log level at the servers of this session, and at servers that it connects to later. Throws RpcError. */
export async function setLogLevel(
  deps: SessionDeps,
  context: RequestContext,
  owner: SessionOwner,
  { params }: RpcMessage,
): Promise<void> {
  const level = params?.level;
  if (typeof level !== 'string' || !LOG_LEVELS.includes(level)) {
    throw new RpcError(RPC.invalidParams, `params.level must be one of ${LOG_LEVELS.join(', ')}.`);
  }
  await storeLogLevel(deps.db, owner.hash, level);
  await invalidateSession(deps, owner);
  const backends = await backendsWithSession(deps, context, owner);
  const signal = AbortSignal.timeout(FAN_OUT_MS);
  const request = { id: 'level', method: 'logging/setLevel', params: { level } };
  await Promise.allSettled(
    backends.map(async (backend) => {
      if ((await deps.upstreams.revisionOf(backend, signal)) === 'modern') return;
      for await (const _message of deps.upstreams.call(backend, owner, request, signal));
    }),
  );
}

/** Stores or deletes a subscription of the session, and refreshes its open stream. Throws RpcError. */
export async function setSubscription(
  { db }: Pick<SessionDeps, 'db'>,
  owner: SessionOwner,
  subscription: { backendId: string; uri: string; isSubscribed: boolean },
): Promise<void> {
  const { backendId, uri, isSubscribed } = subscription;
  rejectUnstorableText(uri, 'params.uri');
  await storeSubscription(db, owner.hash, { backend_id: backendId, uri }, isSubscribed);
  await sendSignal(db, CHANNELS.subscriptionsChanged, owner.hash.toString('hex'));
}
