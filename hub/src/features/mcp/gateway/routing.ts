// Which backend a request is for, and how its names and links read on either side. Pure.

import { isObject } from '../../../platform/http/json/parse-json.ts';
import { splitName } from '../names/index.ts';
import { RPC, type Rpc, RpcError } from './messages.ts';
import { prefixedUri, splitUri } from './names.ts';
import type { Backend } from './targets.ts';

interface Place {
  isAggregated: boolean;
  backends: readonly Backend[];
}

/** Links in a result lead back to where they came from. */
export function withUris(
  scene: Pick<Place, 'isAggregated'>,
  backend: Backend,
  result: Record<string, unknown>,
) {
  if (!scene.isAggregated) return result;
  const renamed = (one: unknown): unknown => {
    if (!isObject(one)) return one;
    if (one.type === 'resource_link' && typeof one.uri === 'string') {
      return { ...one, uri: prefixedUri(backend.slug, one.uri) };
    }
    if (one.type === 'resource' && isObject(one.resource) && typeof one.resource.uri === 'string') {
      const uri = prefixedUri(backend.slug, one.resource.uri);
      return { ...one, resource: { ...one.resource, uri } };
    }
    return one;
  };
  const { content, contents, messages } = result;
  return {
    ...result,
    ...(Array.isArray(content) ? { content: content.map(renamed) } : {}),
    ...(Array.isArray(messages)
      ? {
          messages: messages.map((one: unknown) =>
            isObject(one) ? { ...one, content: renamed(one.content) } : one,
          ),
        }
      : {}),
    ...(Array.isArray(contents)
      ? {
          contents: contents.map((one: unknown) =>
            isObject(one) && typeof one.uri === 'string'
              ? { ...one, uri: prefixedUri(backend.slug, one.uri) }
              : one,
          ),
        }
      : {}),
  };
}

/** A resource that an error says to be missing has the name by which the client asked for it. */
export function withErrorUri(
  scene: Pick<Place, 'isAggregated'>,
  backend: Backend,
  error: NonNullable<Rpc['error']>,
): NonNullable<Rpc['error']> {
  const { data } = error;
  if (!scene.isAggregated || !isObject(data) || typeof data.uri !== 'string') return error;
  return { ...error, data: { ...data, uri: prefixedUri(backend.slug, data.uri) } };
}

export interface Route {
  backend: Backend;
  params: Record<string, unknown>;
}

const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
};

/** What no server could take is the client's fault, and told as such. Throws RpcError. */
function refuseMisshapen(method: string, params: Record<string, unknown>): void {
  const refuse = (name: string, what: string) => {
    throw new RpcError(RPC.invalidParams, `params.${name} must be ${what}.`);
  };
  const named = NAMED[method];
  if (named !== undefined && typeof params[named] !== 'string') refuse(named, 'a string');
  for (const name of ['arguments', '_meta']) {
    if (params[name] != null && !isObject(params[name])) refuse(name, 'an object');
  }
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  if (token != null && typeof token !== 'string' && typeof token !== 'number') {
    refuse('_meta.progressToken', 'a string or a number');
  }
}

const PASSED = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
]);

/** What the gateway does not know it does not pass on: no rule could look at it. */
const unknownMethod = (method: string) =>
  new RpcError(RPC.methodNotFound, `Method not found: ${method.slice(0, 100)}`);

/** Which backend a request is for, and its parameters as that one knows them. Throws RpcError. */
export function routeOf(scene: Place, method: string, params: Record<string, unknown> = {}): Route {
  if (!PASSED.has(method)) throw unknownMethod(method);
  refuseMisshapen(method, params);
  const said = withoutNulls(params);
  return routed(scene, method, method === 'tools/call' ? withoutTask(said) : said);
}

/** Some clients write null for what they leave out, which a server may refuse. */
function withoutNulls(params: Record<string, unknown>): Record<string, unknown> {
  if (params.arguments !== null && params._meta !== null) return params;
  const { arguments: args, _meta: meta, ...rest } = params;
  const kept = Object.entries({ arguments: args, _meta: meta }).filter(([, one]) => one != null);
  return { ...rest, ...Object.fromEntries(kept) };
}

/**
 * The gateway offers no tasks, and the revision says what that means: a call that asks to be one is carried out as any
 * other. Its answer would else be a task whose result could not be fetched here, and no rule would see it.
 */
function withoutTask({ task: _task, ...params }: Record<string, unknown>) {
  return params;
}

function routed(scene: Place, method: string, params: Record<string, unknown>): Route {
  if (!scene.isAggregated) return { backend: only(scene), params };
  if (method === 'tools/call' || method === 'prompts/get') {
    const { slug, name } = namedIn(params.name);
    return { backend: backendOf(scene, slug, String(params.name)), params: { ...params, name } };
  }
  if (['resources/read', 'resources/subscribe', 'resources/unsubscribe'].includes(method)) {
    const found = typeof params.uri === 'string' ? splitUri(params.uri) : null;
    if (found === null)
      throw new RpcError(
        RPC.invalidParams,
        `Resource not found: ${String(params.uri).slice(0, 200)}`,
        typeof params.uri === 'string' ? { data: { uri: params.uri.slice(0, 2_000) } } : {},
      );
    return {
      backend: backendOf(scene, found.slug, String(params.uri)),
      params: { ...params, uri: found.uri },
    };
  }
  const { ref } = params;
  if (isObject(ref)) {
    if (typeof ref.uri === 'string') {
      const found = splitUri(ref.uri);
      if (found !== null) {
        const backend = backendOf(scene, found.slug, ref.uri);
        return { backend, params: { ...params, ref: { ...ref, uri: found.uri } } };
      }
    }
    const { slug, name } = namedIn(ref.name);
    return {
      backend: backendOf(scene, slug, String(ref.name)),
      params: { ...params, ref: { ...ref, name } },
    };
  }
  throw new RpcError(RPC.invalidParams, 'params.ref must name a prompt or a resource.');
}

/** The server of a call, as the log has it: without an id where the call leads to none that there is. */
export interface CalledBackend {
  backend_id: string | null;
  name: string;
}

const NOWHERE = 'unknown';
const NAME_MAX = 200;

/** As `routeOf`; `trace` learns which server and tool are meant, also of a name that leads nowhere. Throws RpcError. */
export function tracedRoute(
  scene: Place,
  method: string,
  params: Record<string, unknown> | undefined,
  trace: { backend: CalledBackend | null; tool: string | null } | null,
): Route {
  const note = (backend: CalledBackend, tool: string) => {
    if (trace !== null) Object.assign(trace, { backend, tool: trace.tool === null ? null : tool });
  };
  try {
    const route = routeOf(scene, method, params);
    const { backendId, name } = route.backend;
    note({ backend_id: backendId, name }, String(route.params.name ?? ''));
    return route;
  } catch (error) {
    const named = String(params?.name ?? '');
    // At the URL of one server names are its own.
    const { slug, name } = (scene.isAggregated ? splitName(named) : null) ?? {
      slug: NOWHERE,
      name: named,
    };
    note({ backend_id: null, name: slug.slice(0, NAME_MAX) }, name);
    throw error;
  }
}

export function only({ backends }: Place): Backend {
  const [backend] = backends;
  if (backend === undefined)
    throw new RpcError(RPC.upstream, 'Server not found. It may have been deleted.');
  return backend;
}

function namedIn(name: unknown): { slug: string; name: string } {
  const found = typeof name === 'string' ? splitName(name) : null;
  if (found === null) throw unknown(String(name));
  return found;
}

function backendOf({ backends }: Place, slug: string, named: string): Backend {
  const found = backends.find((one) => one.slug === slug);
  if (found === undefined) throw unknown(named);
  return found;
}

const unknown = (name: string) =>
  new RpcError(RPC.invalidParams, `Unknown name: ${name.slice(0, 200)}`);
