// One message in, messages out: JSON where the answer is all there is, an event stream where the server says something
// before it.

import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../../../platform/http/errors/errors.ts';
import { challengeOf } from '../oauth/index.ts';
import { NotAdmitted } from '../tokens/index.ts';
import { tellServer } from './answers.ts';
import { takeAnswer } from './asking.ts';
import { blockedCall } from './blocked.ts';
import { CALL } from './call-log.ts';
import { connectAnswer, withoutConnect } from './connect.ts';
import { responseStream } from './event-stream.ts';
import { openListen } from './following.ts';
import { logCall, STILL_RUNS_MS } from './log-call.ts';
import {
  Blocked,
  errorMessage,
  failureOfOurs,
  type Id,
  isNotification,
  isRequest,
  messageOf,
  RPC,
  type Rpc,
  RpcError,
} from './messages.ts';
import { type CallTrace, carryOut, type Scene, traceOf } from './methods.ts';
import { withOriginalName } from './original-names.ts';
import { hideArguments } from './refused.ts';
import {
  type Era,
  eraOf,
  LEGACY,
  paramHeaders,
  refuseOtherParams,
  refuseRemoved,
  statusOf,
} from './revisions.ts';
import { tracedRoute } from './routing.ts';
import { forServer } from './server-messages.ts';
import { follow, initialize, setLevel, tellAll } from './sessions.ts';
import { KeyMissing, type Owner } from './targets.ts';
import { backendsFor, type GatewayDeps, headerOf, holderOf, ownerOf, type Visit } from './visit.ts';

export async function post(
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
    if (!/^(identity)?$/i.test(request.headers['content-encoding']?.trim() ?? '')) {
      throw new RpcError(RPC.invalidRequest, "Content-Encoding isn't supported.", { status: 415 });
    }
    message = messageOf((request.body as Buffer | undefined) ?? Buffer.alloc(0));
    const era = eraOf(message, {
      version: headerOf(request, 'mcp-protocol-version'),
      method: headerOf(request, 'mcp-method'),
      name: headerOf(request, 'mcp-name'),
    });
    if (era === 'modern') refuseRemoved(message.method ?? '');
    if (message.method === 'initialize') return await initialize(deps, visit, message, reply);
    const session = headerOf(request, 'mcp-session-id');
    const owner = await ownerOf(deps, visit, era, session, message);
    if (!isRequest(message)) {
      await pass(deps, visit, owner, message);
      return reply.code(202).send();
    }
    if (message.method === 'subscriptions/listen' && era === 'modern') {
      return await openListen(deps, visit, { owner, message }, reply);
    }
    if (message.method === 'ping') {
      return reply.send({ jsonrpc: '2.0', id: message.id, result: {} });
    }
    if (message.method === 'logging/setLevel' && era === 'legacy') {
      await setLevel(deps, visit, owner, message);
      return reply.send({ jsonrpc: '2.0', id: message.id, result: {} });
    }
    const hasSession = era === 'legacy' && session !== undefined;
    return await answer(deps, visit, { era, owner, message, hasSession }, request, reply);
  } catch (error) {
    if (!(error instanceof RpcError)) recordError(error, request, reply);
    const failure = failureOfOurs(error);
    const id = message !== null && isRequest(message) ? (message.id as Id) : null;
    return reply.code(failure.status).send(errorMessage(id, failure));
  }
}

/** A notification, or the answer to a question, for whom it concerns. */
async function pass(deps: GatewayDeps, visit: Visit, owner: Owner, message: Rpc): Promise<void> {
  if (isNotification(message) && message.method === 'notifications/cancelled') {
    return deps.running.cancel(owner, message.params?.requestId);
  }
  if (message.method === 'notifications/roots/list_changed') {
    return tellAll(deps, visit, owner, message);
  }
  if (message.method === undefined && (await takeAnswer(deps, owner, message))) return;
  const found = forServer(message);
  if (found === null) return;
  const [backend] = await backendsFor(deps, visit, found.backendId);
  if (backend?.backendId !== found.backendId) return;
  await tellServer(deps, visit, { backend, owner }, found.message);
}

interface Asked {
  era: Era;
  owner: Owner;
  message: Rpc;
  hasSession: boolean;
}

async function answer(
  deps: GatewayDeps,
  visit: Visit,
  { era, owner, message, hasSession }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const abort = new AbortController();
  // Of the older revisions a lost connection ends no call: its client resumes the stream, or cancels it by a message.
  const gone = () => abort.abort();
  if (era === 'modern') reply.raw.once('close', gone);
  const letBodyGo = request.bodyReservation?.retain();
  const ended = deps.running.begin(owner, message.id, { abort, again: visit.again });
  const isCall = message.method === CALL;
  const trace = traceOf(message);
  const startedAt = Date.now();
  const call = { message, trace, startedAt, requestId: request.id, eventId: randomUUID() };
  const stillRuns = isCall
    ? setTimeout(() => logCall(deps.callLog, visit.caller, call, null), STILL_RUNS_MS)
    : null;
  stillRuns?.unref();
  let last: Rpc | null = null;
  let failure: RpcError | null = null;
  const stream = responseStream(request, reply, {
    timings: deps.timings,
    log: (giveUp) => (hasSession ? deps.eventLog.open(owner.hash, message.id as Id, giveUp) : null),
    isPrimed: headerOf(request, 'mcp-protocol-version') === LEGACY,
  });
  try {
    const scene: Scene = {
      era,
      isAggregated: visit.namespace.kind === 'aggregated',
      tenantId: visit.caller.tenantId,
      backends: await backendsFor(deps, visit),
      owner,
      upstreams: deps.upstreams,
      lists: deps.lists,
      pins: deps.pins,
      guard: deps.guard,
      callRules: deps.callRules,
      approvals: deps.approvals,
      mail: deps.mail,
      cursors: deps.cursors,
      person: visit.caller.email || visit.caller.tokenId,
      whose: visit.caller.userId ?? holderOf(visit.caller),
      takesStream: stream.takes,
      repeated: null,
      abort,
      signal: abort.signal,
      subscribe: hasSession
        ? ({ backendId }, uri, follows) => follow(deps, owner, { backendId, uri, follows })
        : null,
    };
    const named = await withOriginalName(scene, message).catch((error: unknown) => {
      noteRoute(scene, message, trace);
      throw error;
    });
    if (isCall && era === 'modern') {
      // A call that is refused by its headers is one of a tool, too.
      tracedRoute(scene, 'tools/call', named.params, trace);
      scene.repeated = repeatedIn(request, message);
    }
    for await (const one of carryOut(scene, withoutConnect(named), trace)) {
      if (one.method === undefined) last = one;
      else await stream.write(one);
    }
    last ??= errorMessage(message.id as Id, new RpcError(RPC.internal, 'No answer.'));
    return await stream.end(last, statusOf(last.error, era));
  } catch (error) {
    failure = asRpcError(error, abort.signal);
    if (failure === null) {
      recordError(error, request, reply);
      failure = failureOfOurs(error);
    }
    const isLogged = isCall || failure instanceof Blocked;
    if (trace !== null && isLogged)
      await hideArguments(deps.callRules, visit.caller.tenantId, trace);
    if (trace !== null && failure instanceof Blocked) failure = blockedCall(failure, call.eventId);
    last =
      failure instanceof KeyMissing
        ? connectAnswer(failure, message, { era, capabilities: owner.capabilities })
        : errorMessage(message.id as Id, failure);
    if (failure.status === 401 && !reply.raw.headersSent) {
      reply.header('www-authenticate', challengeOf(visit.namespace, deps.origin, failure.message));
    }
    return await stream.end(last, failure.status === 200 ? statusOf(failure, era) : failure.status);
  } finally {
    ended();
    reply.raw.off('close', gone);
    letBodyGo?.();
    if (stillRuns !== null) clearTimeout(stillRuns);
    logCall(deps.callLog, visit.caller, call, { last, failure });
  }
}

/** Notes which server is meant, of a call that fails before it is known which of its tools is. */
function noteRoute(scene: Scene, { method = '', params }: Rpc, trace: CallTrace | null): void {
  try {
    tracedRoute(scene, method, params, trace);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

/** Only while the arguments are as the client sent them. */
function repeatedIn(request: FastifyRequest, { params }: Rpc): Scene['repeated'] {
  const headers = paramHeaders(request.headers);
  if (headers === null) return null;
  refuseOtherParams(headers, params?.arguments);
  return { of: params?.arguments, headers };
}

function asRpcError(error: unknown, signal: AbortSignal): RpcError | null {
  if (signal.reason instanceof NotAdmitted) {
    return new RpcError(RPC.upstream, signal.reason.message, { status: 401 });
  }
  if (error instanceof RpcError) return error;
  return signal.aborted ? new RpcError(RPC.upstream, 'The request was cancelled.') : null;
}
