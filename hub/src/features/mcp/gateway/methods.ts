// What each method of MCP means at a gateway: answered here, asked of every backend and merged, or passed to the one
// that a name belongs to.

import { isObject } from '../../../platform/http/json.ts';
import type { ToolPins } from '../pins/index.ts';
import { type Decision, mayUse, type ToolRules } from '../rules/index.ts';
import { Blocked, ruleWords } from './blocked.ts';
import type { Guard } from './guard.ts';
import { type Id, RPC, type Rpc, RpcError } from './messages.ts';
import { prefixed, prefixedUri, rewrittenId, splitName, splitUri } from './names.ts';
import { type Era, fitted, MODERN } from './revisions.ts';
import {
  KeyMissing,
  type Owner,
  type Target,
  TokenRefused,
  type Upstreams,
  unreachable,
} from './upstream.ts';

export interface Backend extends Target {
  tools: ToolRules | null;
  drift: 'flag' | 'hide';
  /** What the company's rules say to this caller; null: of the server as a whole. */
  ruled(tool: string | null): Decision;
}

export interface Scene {
  era: Era;
  /** At a backend's own URL names carry no prefix. */
  isAggregated: boolean;
  backends: readonly Backend[];
  owner: Owner;
  upstreams: Upstreams;
  pins: ToolPins;
  guard: Guard;
  /** Whose calls are counted together. */
  person: string;
  /** What the log knows the call by. */
  callId: string;
  signal: AbortSignal;
}

/** A tool call as the log sees it: which one, and what came of it. */
export interface CallTrace {
  backend: Backend | null;
  tool: string;
  arguments: unknown;
}

const INSTRUCTIONS = 'Tools of several servers; each name begins with its server.';
const LISTS: Record<string, { field: string; name: 'name' | 'uri' | 'uriTemplate' }> = {
  'tools/list': { field: 'tools', name: 'name' },
  'prompts/list': { field: 'prompts', name: 'name' },
  'resources/list': { field: 'resources', name: 'uri' },
  'resources/templates/list': { field: 'resourceTemplates', name: 'uriTemplate' },
};
const PAGES_MAX = 20;
const LIST_MS = 20_000;

export const SERVER_INFO = { name: 'gatewarden', title: 'Gatewarden MCP gateway', version: '1' };

/** What the gateway can do for a client, whatever stands behind it. */
function capabilities(): Record<string, unknown> {
  return { tools: {}, resources: {}, prompts: {}, completions: {} };
}

export function discovered(isAggregated: boolean): Record<string, unknown> {
  return {
    supportedVersions: [MODERN],
    capabilities: capabilities(),
    serverInfo: SERVER_INFO,
    ...(isAggregated ? { instructions: INSTRUCTIONS } : {}),
  };
}

export function initialized(version: string, isAggregated: boolean): Record<string, unknown> {
  return {
    protocolVersion: version,
    capabilities: capabilities(),
    serverInfo: SERVER_INFO,
    ...(isAggregated ? { instructions: INSTRUCTIONS } : {}),
  };
}

/**
 * Carries a request out. Yields what servers send meanwhile, and the answer last. `trace` is filled for a tool call.
 * Throws RpcError.
 */
export async function* carryOut(
  scene: Scene,
  message: Rpc,
  trace: CallTrace | null,
): AsyncGenerator<Rpc> {
  const { method = '', params } = message;
  const id = message.id as Id;
  const answer = (result: Record<string, unknown>): Rpc => ({
    jsonrpc: '2.0',
    id,
    result: fitted(result, method, scene.era),
  });
  if (method === 'ping') return void (yield answer({}));
  if (method === 'server/discover') return void (yield answer(discovered(scene.isAggregated)));
  if (method === 'logging/setLevel') return void (yield answer({}));
  if (method in LISTS) return void (yield answer(await merged(scene, method, params)));
  const route = routeOf(scene, method, params);
  if (trace !== null) {
    trace.backend = route.backend;
    trace.tool = String(route.params.name ?? '');
    trace.arguments = route.params.arguments;
  }
  await refuseBlocked(scene, route, method);
  yield* passed(scene, route.backend, { id, method, params: route.params });
}

/** Throws Blocked, with why. */
async function refuseBlocked(
  { pins, callId }: Scene,
  { backend, params }: Route,
  method: string,
): Promise<void> {
  const isCall = method === 'tools/call';
  const tool = isCall ? String(params.name ?? '') : null;
  const what = tool === null ? `The MCP server "${backend.name}"` : `The tool "${tool}"`;
  if (tool !== null) {
    if (!mayUse(tool, backend.tools)) {
      throw new Blocked(what, 'tool_not_offered', 'it is not among what is offered', callId);
    }
    if (!(await pins.mayCall(backend, tool))) {
      const why = 'it is not as it was when it was approved, and waits for a review';
      throw new Blocked(what, 'tool_under_review', why, callId);
    }
  }
  const decision = backend.ruled(tool);
  if (!decision.allowed) throw new Blocked(what, decision.why, ruleWords(decision), callId);
}

async function* passed(
  scene: Scene,
  backend: Backend,
  request: { id: Id; method: string; params: Record<string, unknown> },
): AsyncGenerator<Rpc> {
  const { owner, signal, era } = scene;
  for await (const one of guarded(scene, backend, () =>
    scene.upstreams.call(backend, owner, request, signal),
  )) {
    if (one.method !== undefined) {
      // The server's own request: its answer must find the way back.
      yield one.id == null ? one : { ...one, id: rewrittenId(backend.backendId, one.id) };
      continue;
    }
    if (one.result === undefined) {
      yield {
        jsonrpc: '2.0',
        id: request.id,
        error: one.error ?? { code: RPC.upstream, message: 'No result.' },
      };
      continue;
    }
    const result = fitted(one.result, request.method, era);
    yield { jsonrpc: '2.0', id: request.id, result: withUris(scene, backend, result) };
  }
}

/** Throws RpcError at once where the server is left alone or has too much to do. */
async function* guarded(
  { guard, person, signal }: Scene,
  backend: Backend,
  call: () => AsyncGenerator<Rpc>,
): AsyncGenerator<Rpc> {
  const entered = guard.enter(backend.backendId, person);
  if (!entered.admitted) throw unreachable(backend, entered.why);
  let outcome: 'ok' | 'failed' = 'ok';
  try {
    yield* call();
  } catch (error) {
    const isPersons = error instanceof KeyMissing || error instanceof TokenRefused;
    if (!signal.aborted && !isPersons) outcome = 'failed';
    throw error;
  } finally {
    entered.end(outcome);
  }
}

/** Links in a result lead back to where they came from. */
function withUris(scene: Scene, backend: Backend, result: Record<string, unknown>) {
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
  const { content, contents } = result;
  return {
    ...result,
    ...(Array.isArray(content) ? { content: content.map(renamed) } : {}),
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

interface Route {
  backend: Backend;
  params: Record<string, unknown>;
}

/** Which backend a request is for, and its parameters as that one knows them. */
function routeOf(scene: Scene, method: string, params: Record<string, unknown> = {}): Route {
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
      );
    return {
      backend: backendOf(scene, found.slug, String(params.uri)),
      params: { ...params, uri: found.uri },
    };
  }
  if (method === 'completion/complete' && isObject(params.ref)) {
    const { ref } = params;
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
  throw new RpcError(RPC.methodNotFound, `Method not found: ${method.slice(0, 100)}`);
}

function only({ backends }: Scene): Backend {
  const [backend] = backends;
  if (backend === undefined) throw new RpcError(RPC.upstream, 'There is no such server any more.');
  return backend;
}

function namedIn(name: unknown): { slug: string; name: string } {
  const found = typeof name === 'string' ? splitName(name) : null;
  if (found === null) throw unknown(String(name));
  return found;
}

function backendOf({ backends }: Scene, slug: string, named: string): Backend {
  const found = backends.find((one) => one.slug === slug);
  if (found === undefined) throw unknown(named);
  return found;
}

const unknown = (name: string) =>
  new RpcError(RPC.invalidParams, `Unknown name: ${name.slice(0, 200)}`);

/** The list of one backend, page by page as it gives it; of all, everything at once. A server that is down is left out. */
async function merged(
  scene: Scene,
  method: string,
  params: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  const { field, name } = LISTS[method] as (typeof LISTS)[string];
  if (!scene.isAggregated) {
    const backend = only(scene);
    if (isHidden(backend, method)) return { [field]: [] };
    const result = await resultOf(scene, backend, method, params, scene.signal);
    return { ...result, [field]: await permitted(scene, result[field], backend, method) };
  }
  const signal = AbortSignal.any([scene.signal, AbortSignal.timeout(LIST_MS)]);
  const lists = await Promise.all(
    scene.backends.map(async (backend) => {
      if (isHidden(backend, method)) return [];
      try {
        const items = await everything(scene, backend, method, field, signal);
        const shown = await permitted(scene, items, backend, method);
        return shown.map((one) => renamed(one, backend.slug, name));
      } catch (error) {
        // One server that is down, or does not know the method, must not hide the others.
        if (error instanceof RpcError || signal.aborted) return [];
        throw error;
      }
    }),
  );
  return { [field]: lists.flat() };
}

async function everything(
  scene: Scene,
  backend: Backend,
  method: string,
  field: string,
  signal: AbortSignal,
): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await resultOf(scene, backend, method, params, signal);
    items.push(...(Array.isArray(result[field]) ? (result[field] as unknown[]) : []));
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return items;
}

async function resultOf(
  scene: Scene,
  backend: Backend,
  method: string,
  params: Record<string, unknown> | undefined,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const request = { id: `list-${method}`, method, params };
  const { upstreams, owner } = scene;
  for await (const one of guarded(scene, backend, () =>
    upstreams.call(backend, owner, request, signal),
  )) {
    if (one.method !== undefined || one.id !== request.id) continue;
    if (one.error !== undefined) throw new RpcError(one.error.code, one.error.message);
    return one.result ?? {};
  }
  return {};
}

/** Of a server as a whole; each tool is looked at for itself. */
const isHidden = ({ ruled }: Backend, method: string) =>
  method !== 'tools/list' && !ruled(null).allowed;

async function permitted(
  { pins }: Scene,
  items: unknown,
  backend: Backend,
  method: string,
): Promise<unknown[]> {
  const all = Array.isArray(items) ? items : [];
  if (method !== 'tools/list') return all;
  const shown = await pins.shown(backend, all);
  return shown.filter(
    (one) =>
      isObject(one) &&
      mayUse(String(one.name), backend.tools) &&
      backend.ruled(String(one.name)).allowed,
  );
}

/** The tools of one backend as it names them itself, all of them. Throws RpcError where it gives no list. */
export function toolsOf(scene: Scene, backend: Backend): Promise<unknown[]> {
  return everything(scene, backend, 'tools/list', 'tools', scene.signal);
}

function renamed(item: unknown, slug: string, field: 'name' | 'uri' | 'uriTemplate'): unknown {
  if (!isObject(item) || typeof item[field] !== 'string') return item;
  const value = item[field] as string;
  return { ...item, [field]: field === 'name' ? prefixed(slug, value) : prefixedUri(slug, value) };
}
