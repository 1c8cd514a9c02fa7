// Step resolveBackend: finds the backend of a request by the prefix of a name or URI, and restores the backend's own names.
// Also the reverse: URIs in results get the prefix of their backend. Pure.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import {
  prefixUri,
  RPC,
  RpcError,
  type RpcMessage,
  splitName,
  splitUri,
} from '../protocol/index.ts';
import type { Backend } from '../upstream/index.ts';
import type { CalledBackend } from './call-log.ts';

interface Endpoint {
  isAggregated: boolean;
  backends: readonly Backend[];
}

/** A request with the backend's own names. */
export interface BackendResolution {
  backend: Backend;
  params: Record<string, unknown>;
}

type Params = Record<string, unknown>;

/** Parameter that identifies the tool, prompt or resource. */
const IDENTIFIER: Record<string, 'name' | 'uri'> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
};
const FORWARDED_METHODS = new Set([...Object.keys(IDENTIFIER), 'completion/complete']);

/** Returns the backend of a request, and its parameters. Throws RpcError. */
export function resolveBackend(
  endpoint: Endpoint,
  method: string,
  params: Params = {},
): BackendResolution {
  // An unknown method is not forwarded, because no guardrail could scan it.
  if (!FORWARDED_METHODS.has(method)) {
    throw new RpcError(RPC.methodNotFound, `Method not found: ${method.slice(0, 100)}`);
  }
  checkParams(method, params);
  const forwarded = withoutNulls(method === 'tools/call' ? withoutTask(params) : params);
  if (!endpoint.isAggregated) return { backend: onlyBackend(endpoint), params: forwarded };
  const identifier = IDENTIFIER[method];
  if (identifier === undefined) return resolveReference(endpoint, forwarded);
  if (identifier === 'name') {
    const { backend, name } = resolveName(endpoint, forwarded.name);
    return { backend, params: { ...forwarded, name } };
  }
  const { backend, uri } = resolveUri(endpoint, String(forwarded.uri));
  return { backend, params: { ...forwarded, uri } };
}

/** Throws RpcError for parameters that no server accepts. */
function checkParams(method: string, params: Params): void {
  const invalid = (name: string, type: string) =>
    new RpcError(RPC.invalidParams, `params.${name} must be ${type}.`);
  const identifier = IDENTIFIER[method];
  if (identifier !== undefined && typeof params[identifier] !== 'string') {
    throw invalid(identifier, 'a string');
  }
  for (const name of ['arguments', '_meta']) {
    if (params[name] != null && !isObject(params[name])) throw invalid(name, 'an object');
  }
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  if (token != null && typeof token !== 'string' && typeof token !== 'number') {
    throw invalid('_meta.progressToken', 'a string or a number');
  }
}

/** Removes nulls that some clients send for omitted members, and that servers may reject. */
function withoutNulls(params: Params): Params {
  if (params.arguments !== null && params._meta !== null) return params;
  const { arguments: args, _meta: meta, ...rest } = params;
  const present = Object.entries({ arguments: args, _meta: meta });
  return { ...rest, ...Object.fromEntries(present.filter(([, value]) => value != null)) };
}

/**
 * Removes the request to run a call as a task. The gateway has no tasks, so the revision requires a normal call. The result of
 * a task could not be fetched through the gateway, and no guardrail would scan it.
 */
function withoutTask({ task: _task, ...params }: Params): Params {
  return params;
}

/** Resolves the prompt or resource of `completion/complete`. */
function resolveReference(endpoint: Endpoint, params: Params): BackendResolution {
  const { ref } = params;
  if (!isObject(ref)) {
    throw new RpcError(RPC.invalidParams, 'params.ref must name a prompt or a resource.');
  }
  if (typeof ref.uri === 'string' && splitUri(ref.uri) !== null) {
    const { backend, uri } = resolveUri(endpoint, ref.uri);
    return { backend, params: { ...params, ref: { ...ref, uri } } };
  }
  const { backend, name } = resolveName(endpoint, ref.name);
  return { backend, params: { ...params, ref: { ...ref, name } } };
}

function resolveName({ backends }: Endpoint, exposed: unknown) {
  const parts = typeof exposed === 'string' ? splitName(exposed) : null;
  if (parts === null) throw unknownName(String(exposed));
  return { backend: backendWithSlug(backends, parts.slug, String(exposed)), name: parts.name };
}

function resolveUri({ backends }: Endpoint, exposed: string) {
  const parts = splitUri(exposed);
  if (parts === null) {
    throw new RpcError(RPC.invalidParams, `Resource not found: ${exposed.slice(0, 200)}`, {
      data: { uri: exposed.slice(0, 2_000) },
    });
  }
  return { backend: backendWithSlug(backends, parts.slug, exposed), uri: parts.uri };
}

function backendWithSlug(backends: readonly Backend[], slug: string, exposed: string): Backend {
  const backend = backends.find((candidate) => candidate.slug === slug);
  if (backend === undefined) throw unknownName(exposed);
  return backend;
}

const unknownName = (name: string) =>
  new RpcError(RPC.invalidParams, `Unknown name: ${name.slice(0, 200)}`);

function onlyBackend({ backends: [backend] }: Endpoint): Backend {
  if (backend !== undefined) return backend;
  throw new RpcError(RPC.upstream, 'Server not found. It may have been deleted.');
}

/** Slug in the trace for a name without a known prefix. */
const UNKNOWN_SLUG = 'unknown';
const NAME_MAX = 200;

/** Resolves the backend, and records backend and tool in the trace, also for an unknown name. Throws RpcError. */
export function resolveAndTrace(
  endpoint: Endpoint,
  method: string,
  params: Params | undefined,
  trace: { backend: CalledBackend | null; tool: string | null } | null,
): BackendResolution {
  const record = (backend: CalledBackend, tool: string) => {
    if (trace !== null) Object.assign(trace, { backend, tool: trace.tool === null ? null : tool });
  };
  try {
    const resolution = resolveBackend(endpoint, method, params);
    const { backendId, name } = resolution.backend;
    record({ backend_id: backendId, name }, String(resolution.params.name ?? ''));
    return resolution;
  } catch (error) {
    const exposed = String(params?.name ?? '');
    // Names have no prefix at the URL of a backend.
    const parts = endpoint.isAggregated ? splitName(exposed) : null;
    const { slug, name } = parts ?? { slug: UNKNOWN_SLUG, name: exposed };
    record({ backend_id: null, name: slug.slice(0, NAME_MAX) }, name);
    throw error;
  }
}

/** Adds the prefix of the backend to resource URIs in a result. */
export function prefixResultUris(
  { isAggregated }: Pick<Endpoint, 'isAggregated'>,
  { slug }: Backend,
  result: Record<string, unknown>,
) {
  if (!isAggregated) return result;
  const { content, contents, messages } = result;
  const prefixBlock = (block: unknown) => prefixContentBlock(slug, block);
  return {
    ...result,
    ...(Array.isArray(content) ? { content: content.map(prefixBlock) } : {}),
    ...(Array.isArray(messages)
      ? {
          messages: messages.map((message: unknown) =>
            isObject(message) ? { ...message, content: prefixBlock(message.content) } : message,
          ),
        }
      : {}),
    ...(Array.isArray(contents)
      ? { contents: contents.map((item: unknown) => prefixItem(slug, item)) }
      : {}),
  };
}

function prefixContentBlock(slug: string, block: unknown): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'resource_link') return prefixItem(slug, block);
  if (block.type !== 'resource') return block;
  const resource = prefixItem(slug, block.resource);
  return resource === block.resource ? block : { ...block, resource };
}

function prefixItem(slug: string, item: unknown): unknown {
  if (!isObject(item) || typeof item.uri !== 'string') return item;
  return { ...item, uri: prefixUri(slug, item.uri) };
}

/** Adds the prefix of the backend to the URI of a missing resource in an error. */
export function prefixErrorUri(
  { isAggregated }: Pick<Endpoint, 'isAggregated'>,
  { slug }: Backend,
  error: NonNullable<RpcMessage['error']>,
): NonNullable<RpcMessage['error']> {
  const { data } = error;
  if (!isAggregated || !isObject(data) || typeof data.uri !== 'string') return error;
  return { ...error, data: { ...data, uri: prefixUri(slug, data.uri) } };
}
