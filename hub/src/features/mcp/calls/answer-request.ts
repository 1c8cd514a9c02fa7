// The response to a request: registers it as in flight, dispatches it, streams messages, and records the call at its end.

import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../../../platform/http/errors/errors.ts';
import { InvalidTokenError } from '../access-tokens/index.ts';
import { restoreOriginalName } from '../catalog/index.ts';
import { bearerChallenge } from '../oauth/index.ts';
import {
  BlockedError,
  errorMessage,
  httpStatusOf,
  LEGACY,
  type ProtocolRevision,
  RPC,
  RpcError,
  type RpcMessage,
  rejectUnknownParamHeaders,
  selectParamHeaders,
  toRpcError,
} from '../protocol/index.ts';
import {
  headerOf,
  loadBackends,
  openResponseStream,
  type RequestContext,
  setSubscription,
  tokenHolder,
} from '../sessions/index.ts';
import { CredentialRequiredError, type SessionOwner } from '../upstream/index.ts';
import { withRequestId } from './blocked.ts';
import { CALL } from './call-log.ts';
import { endCallSpan, startCallSpan } from './call-span.ts';
import type { CallTrace, RecordedRequest, RequestEnd } from './call-trace.ts';
import { type CallContext, type GatewayDeps, startTrace } from './context.ts';
import { credentialPrompt, withoutCredentialResponse } from './credential-prompt.ts';
import { dispatch } from './dispatch.ts';
import { redactLoggedArguments } from './guard-input.ts';
import { RUNNING_ROW_MS, recordCall } from './record-call.ts';
import { resolveAndTrace } from './resolve-backend.ts';

interface ClientRequest {
  revision: ProtocolRevision;
  owner: SessionOwner;
  message: RpcMessage;
  /** True: the client has a session of a legacy revision. */
  hasSession: boolean;
}

/** Answers a request with JSON or a stream, under a span. Never throws an RpcError: it is sent. */
export function answerRequest(
  deps: GatewayDeps,
  context: RequestContext,
  clientRequest: ClientRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const version = headerOf(request, 'mcp-protocol-version');
  const span = startCallSpan(clientRequest.message, version);
  const onEnd = (call: RecordedRequest, end: RequestEnd) => {
    recordCall(deps.callLog, context.caller, call, end);
    deps.callMetrics.record(call, end);
    endCallSpan(span, end);
  };
  const answer = () => streamResponse(deps, context, clientRequest, { request, reply, onEnd });
  return span === null ? answer() : span.run(answer);
}

/** Sends the messages of a request, and its response. Calls `onEnd` once. */
async function streamResponse(
  deps: GatewayDeps,
  context: RequestContext,
  clientRequest: ClientRequest,
  {
    request,
    reply,
    onEnd,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    onEnd(call: RecordedRequest, end: RequestEnd): void;
  },
): Promise<FastifyReply> {
  const { revision, owner, message, hasSession } = clientRequest;
  const abort = new AbortController();
  const release = trackRequest(deps, context, clientRequest, { request, reply, abort });
  const call = recordedRequest(message, request);
  const { trace } = call;
  const recordRunning = startRunningRow(deps, context, call);
  let response: RpcMessage | null = null;
  let failure: RpcError | null = null;
  const stream = openResponseStream(request, reply, {
    timings: deps.timings,
    openLog: (abandon) =>
      hasSession ? deps.eventLog.open(owner.hash, message.id as RequestId, abandon) : null,
    isPrimed: headerOf(request, 'mcp-protocol-version') === LEGACY,
  });
  try {
    const callContext: CallContext = {
      ...(await createCallContext(deps, context, clientRequest)),
      acceptsStream: stream.acceptsStream,
      abort,
      signal: abort.signal,
    };
    const named = await prepareMessage(callContext, message, trace, request);
    for await (const sent of dispatch(callContext, named, trace)) {
      if (sent.method === undefined) response = sent;
      else await stream.write(sent);
    }
    response ??= errorMessage(message.id as RequestId, new RpcError(RPC.internal, 'No answer.'));
    return await stream.end(response, httpStatusOf(response.error, revision));
  } catch (error) {
    failure = expectedFailure(error, abort.signal);
    if (failure === null) {
      recordError(error, request, reply);
      failure = toRpcError(error);
    }
    failure = await withTraceDetails(deps, context, call, failure);
    response = failureResponse(failure, clientRequest);
    if (failure.status === 401 && !reply.raw.headersSent) {
      const challenge = bearerChallenge(context.namespace, deps.origin, failure.message);
      reply.header('www-authenticate', challenge);
    }
    const status = failure.status === 200 ? httpStatusOf(failure, revision) : failure.status;
    return await stream.end(response, status);
  } finally {
    release();
    clearTimeout(recordRunning);
    onEnd(call, { response, failure });
  }
}

/** Registers the request as in flight, with its body. Returns the function that releases both. */
function trackRequest(
  deps: GatewayDeps,
  { revalidate }: RequestContext,
  { revision, owner, message }: ClientRequest,
  http: { request: FastifyRequest; reply: FastifyReply; abort: AbortController },
): () => void {
  const { request, reply, abort } = http;
  const onClose = () => abort.abort();
  // A legacy client that loses its connection resumes the stream, or cancels the request with a message.
  if (revision === 'modern') reply.raw.once('close', onClose);
  const releaseBody = request.bodyReservation?.retain();
  const untrack = deps.requestsInFlight.track(owner, message.id, { abort, revalidate });
  return () => {
    untrack();
    reply.raw.off('close', onClose);
    releaseBody?.();
  };
}

function recordedRequest(message: RpcMessage, { id }: FastifyRequest): RecordedRequest {
  const trace = startTrace(message);
  return { message, trace, startedAt: Date.now(), requestId: id, eventId: randomUUID() };
}

/** Writes the row of a long tool call while it runs. */
function startRunningRow(
  deps: GatewayDeps,
  { caller }: RequestContext,
  call: RecordedRequest,
): NodeJS.Timeout | undefined {
  if (call.message.method !== CALL) return undefined;
  const record = () => recordCall(deps.callLog, caller, call, null);
  return setTimeout(record, RUNNING_ROW_MS).unref();
}

async function createCallContext(
  deps: GatewayDeps,
  context: RequestContext,
  { revision, owner, hasSession }: ClientRequest,
): Promise<Omit<CallContext, 'acceptsStream' | 'abort' | 'signal'>> {
  const { caller, namespace } = context;
  const { upstreams, lists, pins, breaker, guardrails, approvals, replyChannel, cursors } = deps;
  return {
    revision,
    isAggregated: namespace.kind === 'aggregated',
    tenantId: caller.tenantId,
    backends: await loadBackends(deps, context),
    owner,
    upstreams,
    lists,
    pins,
    breaker,
    guardrails,
    approvals,
    replyChannel,
    cursors,
    callerName: caller.email || caller.tokenId,
    userKey: caller.userId ?? tokenHolder(caller),
    repeatedArguments: null,
    subscribe: hasSession
      ? ({ backendId }, uri, isSubscribed) =>
          setSubscription(deps, owner, { backendId, uri, isSubscribed })
      : null,
  };
}

/** Returns the message with the server's name of a tool or prompt, and without answers for the gateway itself. */
async function prepareMessage(
  context: CallContext,
  message: RpcMessage,
  trace: CallTrace | null,
  request: FastifyRequest,
): Promise<RpcMessage> {
  const named = await restoreOriginalName(context, message).catch((error: unknown) => {
    traceBackend(context, message, trace);
    throw error;
  });
  if (message.method === CALL && context.revision === 'modern') {
    // A call that is refused because of its headers is logged with its tool too.
    resolveAndTrace(context, CALL, named.params, trace);
    context.repeatedArguments = repeatedArguments(request, message);
  }
  return withoutCredentialResponse(named);
}

/** Records the backend of a call that fails before its tool is known. */
function traceBackend(
  context: CallContext,
  { method = '', params }: RpcMessage,
  trace: CallTrace | null,
): void {
  try {
    resolveAndTrace(context, method, params, trace);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

/** Returns the headers that repeat arguments. Throws RpcError if a header contradicts the arguments. */
function repeatedArguments(
  request: FastifyRequest,
  { params }: RpcMessage,
): CallContext['repeatedArguments'] {
  const headers = selectParamHeaders(request.headers);
  if (headers === null) return null;
  rejectUnknownParamHeaders(headers, params?.arguments);
  return { arguments: params?.arguments, headers };
}

/** Returns the error for the client, or null for an unexpected error. */
function expectedFailure(error: unknown, signal: AbortSignal): RpcError | null {
  if (signal.reason instanceof InvalidTokenError) {
    return new RpcError(RPC.upstream, signal.reason.message, { status: 401 });
  }
  if (error instanceof RpcError) return error;
  return signal.aborted ? new RpcError(RPC.upstream, 'The request was cancelled.') : null;
}

/** Redacts the logged arguments of a failed call, and adds the request id to the error of a blocked call. */
async function withTraceDetails(
  deps: GatewayDeps,
  { caller }: RequestContext,
  { message, trace, eventId }: RecordedRequest,
  failure: RpcError,
): Promise<RpcError> {
  if (trace === null) return failure;
  const isBlocked = failure instanceof BlockedError;
  if (message.method === CALL || isBlocked) {
    await redactLoggedArguments(deps.guardrails, caller.tenantId, trace);
  }
  return isBlocked ? withRequestId(failure, eventId) : failure;
}

function failureResponse(
  failure: RpcError,
  { message, revision, owner }: ClientRequest,
): RpcMessage {
  return failure instanceof CredentialRequiredError
    ? credentialPrompt(failure, message, { revision, capabilities: owner.capabilities })
    : errorMessage(message.id as RequestId, failure);
}
