// Spans of requests by the OpenTelemetry semantic conventions for MCP (semantic-conventions-genai, docs/gen-ai/mcp.md): a
// server span for the request of a client, and a client span for each request to a backend, with the context in
// `params._meta` (MCP SEP-414) and in the header `traceparent`.
//
// Spans have no arguments, results, URIs and addresses. `mcp.session.id` is omitted, because the id opens the session.
import type { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import {
  type OperationSpan,
  type Propagation,
  type SpanAttributes,
  startOperation,
} from '../../../platform/telemetry/trace-hooks.ts';
import { type RpcError, type RpcMessage, SUPPORTED } from '../protocol/index.ts';
import type { Backend } from '../upstream/index.ts';
import { CALL } from './call-log.ts';
import type { RequestEnd } from './call-trace.ts';

const TRACEPARENT: typeof TRACEPARENT_META_KEY = 'traceparent';
const TRACESTATE: typeof TRACESTATE_META_KEY = 'tracestate';
const NAME_CHARS = 200;

/** Starts the span of a client's request, whose parent is the context in `_meta`, or the HTTP request; null without tracing. */
export function startCallSpan(
  message: RpcMessage,
  version: string | undefined,
): OperationSpan | null {
  const { method = '', params = {}, id } = message;
  const meta = isObject(params._meta) ? params._meta : {};
  return startOperation({
    ...describeRequest(method, params),
    kind: 'server',
    attributes: {
      ...requestAttributes(method, params),
      'jsonrpc.request.id': String(id).slice(0, NAME_CHARS),
      ...(version !== undefined && SUPPORTED.includes(version)
        ? { 'mcp.protocol.version': version }
        : {}),
    },
    remote: meta,
  });
}

/** Ends the span of a client's request. */
export function endCallSpan(span: OperationSpan | null, { response, failure }: RequestEnd): void {
  if (span === null) return;
  span.end(describeEnd(response, failure));
}

interface TracedRequest {
  method: string;
  params: Record<string, unknown>;
}

/**
 * Yields the messages of a request to a backend under a client span. `call` receives the request with the context of the
 * span in `_meta`, and the context for the headers; null without tracing.
 */
export async function* traceUpstreamCall<Request extends TracedRequest>(
  { backendId }: Pick<Backend, 'backendId'>,
  request: Request,
  call: (request: Request, propagation: Propagation | null) => AsyncGenerator<RpcMessage>,
): AsyncGenerator<RpcMessage> {
  const { method, params } = request;
  const span = startOperation({
    ...describeRequest(method, params),
    kind: 'client',
    attributes: { ...requestAttributes(method, params), 'gatewarden.mcp.backend_id': backendId },
  });
  if (span === null) {
    yield* call(request, null);
    return;
  }
  const { propagation } = span;
  let end: ReturnType<typeof describeEnd> = { error: 'canceled' };
  try {
    for await (const message of call(withPropagation(request, propagation), propagation)) {
      // The caller may stop after the response, so the end is set before.
      if (message.method === undefined) end = describeEnd(message, null);
      yield message;
    }
  } catch (error) {
    end = { error: (error as Error).name };
    throw error;
  } finally {
    span.end(end);
  }
}

/** Replaces the trace context of the client by the context of the span. Other members of `_meta` stay. */
function withPropagation<Request extends TracedRequest>(
  request: Request,
  { traceparent, tracestate }: Propagation,
): Request {
  const meta = isObject(request.params._meta) ? request.params._meta : {};
  const { [TRACEPARENT]: _parent, [TRACESTATE]: _state, ...rest } = meta;
  const _meta = {
    ...rest,
    [TRACEPARENT]: traceparent,
    ...(tracestate === undefined ? {} : { [TRACESTATE]: tracestate }),
  };
  return { ...request, params: { ...request.params, _meta } };
}

const targetOf = (method: string, { name }: Record<string, unknown>): string | null =>
  (method === CALL || method === 'prompts/get') && typeof name === 'string'
    ? name.slice(0, NAME_CHARS)
    : null;

/** Returns the name of a span: the method and its target. */
function describeRequest(method: string, params: Record<string, unknown>): { name: string } {
  const target = targetOf(method, params);
  const shown = method.slice(0, NAME_CHARS);
  return { name: target === null ? shown : `${shown} ${target}` };
}

function requestAttributes(method: string, params: Record<string, unknown>): SpanAttributes {
  const target = targetOf(method, params);
  return {
    'mcp.method.name': method.slice(0, NAME_CHARS),
    'network.protocol.name': 'http',
    'network.transport': 'tcp',
    ...(target === null || method !== 'prompts/get' ? {} : { 'gen_ai.prompt.name': target }),
    ...(target === null || method !== CALL
      ? {}
      : { 'gen_ai.tool.name': target, 'gen_ai.operation.name': 'execute_tool' }),
  };
}

/** Returns the code of a JSON-RPC error, or `tool_error` for a result with `isError`. */
function describeEnd(
  response: RpcMessage | null,
  failure: RpcError | null,
): { attributes?: SpanAttributes; error?: string } {
  const code = failure?.code ?? response?.error?.code;
  if (code !== undefined) {
    const text = String(code);
    return { attributes: { 'rpc.response.status_code': text }, error: text };
  }
  return response?.result?.isError === true ? { error: 'tool_error' } : {};
}
