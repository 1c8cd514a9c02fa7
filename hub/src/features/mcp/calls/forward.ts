// Step forward: sends a request to its backend, and translates between revisions when the server needs input of the client.
//
//   client modern, server modern   `input_required` passes through
//   client modern, server legacy   the call is suspended (suspended-call.ts)
//   client legacy, server modern   elicitation rounds (elicitation.ts)
//   client legacy, server legacy   requests pass through the stream

import { createHash } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/client';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { explainTaskError, mayBeTaskError } from '../catalog/index.ts';
import {
  adaptResult,
  changedListKind,
  isRequest,
  RPC,
  type RpcMessage,
  toClientMessage,
} from '../protocol/index.ts';
import { mayReachClient } from '../sessions/index.ts';
import { type Backend, withCircuitBreaker } from '../upstream/index.ts';
import { traceUpstreamCall } from './call-span.ts';
import type { CallContext } from './context.ts';
import {
  type InputRequired,
  type InputResponses,
  parseInputRequired,
  runElicitationRounds,
} from './elicitation.ts';
import { prefixErrorUri, prefixResultUris } from './resolve-backend.ts';
import { isSuspendedState, resumeCall, suspendCall } from './suspended-call.ts';

interface ForwardedRequest {
  id: RequestId;
  method: string;
  params: Record<string, unknown>;
  /** Applies guardrails for input to a client's answers. Throws BlockedError. */
  guardAnswers?: (answers: InputResponses) => InputResponses;
}

/** Returns the digest that binds a state to its request: the method and all parameters but the state and answers. */
export function requestDigest(method: string, params: Record<string, unknown> | undefined): string {
  const { _meta, inputResponses: _answers, requestState: _state, ...rest } = params ?? {};
  return createHash('sha256')
    .update(stringifyLossless([method, rest]))
    .digest('base64url');
}

/** Yields messages of the server, then the response as the client's revision expects it. Throws RpcError. */
export async function* forward(
  context: CallContext,
  backend: Backend,
  request: ForwardedRequest,
): AsyncGenerator<RpcMessage> {
  if (context.revision === 'modern' && isSuspendedState(request.params)) {
    const digest = requestDigest(request.method, request.params);
    for await (const message of resumeCall(context, digest, request.params)) {
      const isResponse = message.method === undefined;
      yield isResponse ? toClientResponse(context, backend, request, message) : message;
    }
    return;
  }
  const required = yield* sendToBackend(context, backend, request);
  if (required === null) return;
  const { guardAnswers = (answers) => answers } = request;
  yield* runElicitationRounds(context, required, ({ inputResponses, ...state }) => {
    const params = { ...request.params, ...state, inputResponses: guardAnswers(inputResponses) };
    return sendToBackend(context, backend, { ...request, params });
  });
}

/** Sends a request once. Returns the input that a legacy client must provide, or null if it received the response. */
async function* sendToBackend(
  context: CallContext,
  backend: Backend,
  request: ForwardedRequest,
): AsyncGenerator<RpcMessage, InputRequired | null> {
  const messages = callBackend(context, backend, request);
  let isSuspended = false;
  try {
    for (;;) {
      const { value: message, done } = await messages.next();
      if (done === true) return null;
      if (message.method === undefined) {
        const required = inputForLegacyClient(context, message);
        if (required !== null) return required;
        const explained = await explainResponse(context, backend, request, message);
        yield toClientResponse(context, backend, request, explained);
        return null;
      }
      if (isRequest(message) && context.revision === 'modern') {
        isSuspended = true;
        yield* suspend(context, backend, request, { messages, serverRequest: message });
        return null;
      }
      const passed = await passToClient(context, backend, message);
      if (passed !== null) yield passed;
    }
  } finally {
    if (!isSuspended) await messages.return(undefined);
  }
}

function callBackend(
  context: CallContext,
  backend: Backend,
  request: ForwardedRequest,
): AsyncGenerator<RpcMessage> {
  const { owner, signal, upstreams, repeatedArguments: repeated, breaker, userKey } = context;
  // Headers that repeat arguments are omitted if a guardrail redacted the arguments.
  const isUnchanged = repeated !== null && repeated.arguments === request.params.arguments;
  const { id, method, params } = request;
  const sent = { id, method, params, ...(isUnchanged ? { headers: repeated.headers } : {}) };
  return withCircuitBreaker({ breaker, userKey, signal }, backend, () =>
    traceUpstreamCall(backend, sent, (traced, propagation) =>
      upstreams.call(
        backend,
        owner,
        propagation === null ? traced : { ...traced, propagation },
        signal,
      ),
    ),
  );
}

function inputForLegacyClient(
  { revision }: CallContext,
  { result }: RpcMessage,
): InputRequired | null {
  const required = result === undefined ? null : parseInputRequired(result);
  return revision === 'legacy' ? required : null;
}

/** Explains an error of a tool that can only be called as a task. */
async function explainResponse(
  context: CallContext,
  backend: Backend,
  { method, params }: ForwardedRequest,
  response: RpcMessage,
): Promise<RpcMessage> {
  if (method !== 'tools/call' || !mayBeTaskError(response)) return response;
  return explainTaskError(context, backend, params.name, response);
}

/** Returns a message outside of the response as the client may receive it, or null. */
async function passToClient(
  context: CallContext,
  backend: Backend,
  message: RpcMessage,
): Promise<RpcMessage | null> {
  const kind = changedListKind(message);
  if (kind !== null) {
    context.lists.reportChange(backend, kind);
    return null;
  }
  const sender = { backend, owner: context.owner };
  if (isRequest(message) && !(await mayReachClient(context, sender, message))) return null;
  return toClientMessage(message, backend, context.isAggregated);
}

/** Suspends a call. Yields the result `input_required`. */
async function* suspend(
  context: CallContext,
  backend: Backend,
  request: ForwardedRequest,
  call: { messages: AsyncGenerator<RpcMessage>; serverRequest: RpcMessage },
): AsyncGenerator<RpcMessage> {
  const { abort, owner, upstreams } = context;
  const { messages, serverRequest } = call;
  let isDelivered = false;
  try {
    const result = suspendCall(
      context,
      requestDigest(request.method, request.params),
      {
        messages: notificationsToClient(context, backend, messages),
        send: (message) => upstreams.send(backend, owner, message, abort.signal),
        abort,
        // A generator that never started does not end the generator that it reads, so this is ended explicitly.
        end: async () => void (await messages.return(undefined)),
      },
      serverRequest,
    );
    yield toClientResponse(context, backend, request, { jsonrpc: '2.0', result });
    isDelivered = true;
  } finally {
    // The client never returns if it does not support the request, or a guardrail blocks it.
    if (!isDelivered) {
      abort.abort();
      await messages.return(undefined);
    }
  }
}

/** Yields the messages of a resumed call: notifications with the names of the client, requests and the result unchanged. */
async function* notificationsToClient(
  { isAggregated }: CallContext,
  backend: Backend,
  messages: AsyncGenerator<RpcMessage>,
): AsyncGenerator<RpcMessage> {
  for await (const message of messages) {
    const isNotification = message.method !== undefined && !isRequest(message);
    yield isNotification ? toClientMessage(message, backend, isAggregated) : message;
  }
}

function toClientResponse(
  context: CallContext,
  backend: Backend,
  { id, method }: ForwardedRequest,
  response: RpcMessage,
): RpcMessage {
  if (response.result === undefined) {
    const error = response.error ?? { code: RPC.upstream, message: 'No result.' };
    const isResource = method.startsWith('resources/');
    return {
      jsonrpc: '2.0',
      id,
      error: isResource ? prefixErrorUri(context, backend, error) : error,
    };
  }
  const result = adaptResult(withoutGatewayMeta(response.result), method, context.revision);
  return { jsonrpc: '2.0', id, result: prefixResultUris(context, backend, result) };
}

/** Prefix of `_meta` keys of the gateway. */
const GATEWAY_META = 'dev.gatewarden/';

/** Removes `_meta` keys of the gateway from a server's result, which could imitate the gateway. */
function withoutGatewayMeta(result: Record<string, unknown>): Record<string, unknown> {
  const { _meta: meta } = result;
  if (!isObject(meta) || !Object.keys(meta).some((key) => key.startsWith(GATEWAY_META))) {
    return result;
  }
  const own = Object.entries(meta).filter(([key]) => !key.startsWith(GATEWAY_META));
  return { ...result, _meta: Object.fromEntries(own) };
}
