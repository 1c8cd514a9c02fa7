// What each method of MCP means at a gateway: answered here, asked of every backend and merged, or passed to the one
// that a name belongs to.

import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { Rules } from '../call-rules/index.ts';
import { isTaskOnly, type ToolPins } from '../pins/index.ts';
import { mayUse } from '../rules/index.ts';
import { checkedAnswers } from './answers.ts';
import {
  type Answers,
  answered,
  type InputRequired,
  inputRequired,
  isParked,
  park,
  requestDigest,
  resume,
} from './asking.ts';
import { mayReachClient } from './besides.ts';
import { notForThem, ruleWords } from './blocked.ts';
import { type Checking, checked, type Guarded, keptOf, rulesFor, unguarded } from './checks.ts';
import { discovered } from './greetings.ts';
import type { Guard } from './guard.ts';
import { guarded } from './guarded.ts';
import { instructionsFor } from './instructions.ts';
import { presentable } from './items.ts';
import { LISTS, type ListSpec } from './list-pages.ts';
import { listAsk } from './listing.ts';
import { type Lists, whyMissing, withOneLogin } from './lists.ts';
import { type Id, isRequest, RPC, type Rpc, RpcError } from './messages.ts';
import { renamed } from './names.ts';
import { pageOf } from './paging.ts';
import { fitted } from './revisions.ts';
import {
  type CalledBackend,
  only,
  type Route,
  tracedRoute,
  withErrorUri,
  withUris,
} from './routing.ts';
import { changedList, fromServer } from './server-messages.ts';
import type { Backend } from './targets.ts';
import { mayBeOfTasks, toldOfTasks } from './task-only.ts';
import type { Upstreams } from './upstreams.ts';

export interface Scene extends Checking {
  callRules: Rules;
  /** Who it is for lists and bounds that are one's own: who signed in, else who holds the token. */
  whose: string;
  /** At a backend's own URL names carry no prefix. */
  isAggregated: boolean;
  backends: readonly Backend[];
  upstreams: Upstreams;
  lists: Lists;
  pins: ToolPins;
  guard: Guard;
  /** Arguments that the client repeats as headers, for a server of the newest revision. */
  repeated: { of: unknown; headers: Record<string, string> } | null;
  /** Ends what the request began, after its client was answered too. */
  abort: AbortController;
  /** Of a session of the older revision; null where the client has none. */
  subscribe: ((backend: Backend, uri: string, follows: boolean) => Promise<void>) | null;
}

/** A tool call as the log sees it, or another request that the rules look at: which one, and what came of it. */
export interface CallTrace {
  method: string;
  backend: CalledBackend | null;
  /** Null: no call of a tool. */
  tool: string | null;
  /** Of a call its arguments, else what was asked for. */
  arguments: unknown;
  /** What the rules found; null where none concerns it. */
  guarded: Guarded | null;
  /** What decided whether its caller may call it; null: it did not come so far. */
  access: (AccessReason & { backend_version: number }) | null;
}

/**
 * Carries a request out. Yields what servers send meanwhile, and the answer last. `trace` is filled.
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
  if (method === 'server/discover') {
    return void (yield answer(discovered(await instructionsFor(scene))));
  }
  if (Object.hasOwn(LISTS, method)) return void (yield answer(await merged(scene, method, params)));
  const route = tracedRoute(scene, method, params, trace);
  if (trace !== null) trace.arguments = keptOf(trace.tool, route.params);
  await refuseBlocked(scene, route, method, trace);
  if (SUBSCRIBING.has(method) && (await subscribed(scene, route.backend, method, route.params))) {
    return void (yield answer({}));
  }
  const set = CHECKED.has(method) ? await scene.callRules.of(scene.tenantId) : null;
  const asked = { ...route, method, tool: trace === null ? null : trace.tool };
  const rules = set === null ? null : rulesFor(set, asked);
  if (rules === null) {
    yield* passed(scene, route.backend, { id, method, params: route.params });
    return;
  }
  const guarded = { ...unguarded(), arguments: keptOf(asked.tool, route.params) };
  if (trace !== null) trace.guarded = guarded;
  const pass = (given: Record<string, unknown>) =>
    passed(scene, route.backend, {
      id,
      method,
      params: given,
      look: (answers) => checkedAnswers(rules.input, answers, guarded),
    });
  for await (const one of checked(scene, rules, asked, guarded, pass)) {
    yield one.method === undefined ? { ...one, id } : one;
  }
}

/** Throws Blocked, with why; `trace` is told what decided it, either way. */
async function refuseBlocked(
  scene: Scene,
  { backend, params }: Route,
  method: string,
  trace: CallTrace | null,
): Promise<void> {
  const noted = (why: AccessReason['why'], rule_id: string | null = null) => {
    if (trace !== null) trace.access = { why, rule_id, backend_version: backend.version };
  };
  const isCall = method === 'tools/call';
  const tool = isCall ? String(params.name ?? '') : null;
  const what = tool === null ? `The MCP server "${backend.name}"` : `The tool "${tool}"`;
  if (tool !== null) {
    if (!mayUse(tool, backend.tools)) {
      noted('tool_not_offered');
      throw notForThem(what, 'tool_not_offered', "it isn't offered");
    }
    if (await isUnderReview(scene, backend, tool)) {
      noted('tool_under_review');
      const why = 'it changed since its approval and is waiting for review';
      throw notForThem(what, 'tool_under_review', why);
    }
  }
  const decision = backend.ruled(tool);
  noted(decision.why, decision.rule?.rule_id ?? null);
  if (!decision.allowed) throw notForThem(what, decision.why, ruleWords(decision));
}

/**
 * A server may change a tool without a word, and its clients may never list. One that gives no list now is as it was.
 * What was listed a moment ago lets a call through, and refuses none: it may have been approved meanwhile.
 */
async function isUnderReview(scene: Scene, backend: Backend, tool: string): Promise<boolean> {
  const { pins, lists } = scene;
  if (backend.drift !== 'hide' || (await pins.reviewOf(backend, tool)) === null) return false;
  const asking = withOneLogin(listAsk(scene, backend, 'tools/list'));
  const lately = await lists.lately(asking);
  if (lately !== null && (await pins.mayCall(backend, tool, lately))) return false;
  return !(await pins.mayCall(backend, tool, await lists.soon(asking)));
}

const CHECKED = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete']);
const SUBSCRIBING = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** What the log is told of this request; null: what it may hold concerns no rule. */
export function traceOf({ method = '', params }: Rpc): CallTrace | null {
  if (!CHECKED.has(method) && !SUBSCRIBING.has(method)) return null;
  const tool = method === 'tools/call' ? String(params?.name ?? '') : null;
  return {
    method,
    backend: null,
    tool,
    arguments: keptOf(tool, params ?? {}),
    guarded: null,
    access: null,
  };
}

/** A server of the newest revision knows no such request: its stream is asked for what the session follows. */
async function subscribed(
  scene: Scene,
  backend: Backend,
  method: string,
  { uri }: Record<string, unknown>,
): Promise<boolean> {
  if ((await scene.upstreams.eraOf(backend, scene.signal)) === 'legacy') return false;
  if (scene.subscribe === null || typeof uri !== 'string') {
    throw new RpcError(RPC.invalidRequest, 'Resource subscriptions need a session.');
  }
  await scene.subscribe(backend, uri, method === 'resources/subscribe');
  return true;
}

interface Passed {
  id: Id;
  method: string;
  params: Record<string, unknown>;
  /** What a client of the older revision answered, as it may pass. Throws Blocked. */
  look?: (answers: Answers) => Answers;
}

async function* passed(scene: Scene, backend: Backend, request: Passed): AsyncGenerator<Rpc> {
  const finish = (one: Rpc) =>
    one.method === undefined ? finished(scene, backend, request, one) : one;
  if (scene.era === 'modern') {
    if (isParked(request.params)) {
      const digest = requestDigest(request.method, request.params);
      for await (const one of resume(scene, digest, request.params)) yield finish(one);
      return;
    }
    yield* once(scene, backend, request);
    return;
  }
  const asked = yield* once(scene, backend, request);
  if (asked === null) return;
  const { look = (one) => one } = request;
  yield* answered(scene, asked, ({ inputResponses, ...more }) => {
    const params = { ...request.params, ...more, inputResponses: look(inputResponses) };
    return once(scene, backend, { ...request, params });
  });
}

/** Sends the request. Gives what it asks of a client that must be asked by requests; null where it was answered. */
async function* once(
  scene: Scene,
  backend: Backend,
  request: Passed,
): AsyncGenerator<Rpc, InputRequired | null> {
  const { owner, signal, upstreams } = scene;
  const { repeated } = scene;
  // What a rule changed is not sent along as it was.
  const headers =
    repeated !== null && repeated.of === request.params.arguments ? repeated.headers : undefined;
  const sent = headers === undefined ? request : { ...request, headers };
  // Not by the name: that somebody may only claim.
  const by = { guard: scene.guard, person: scene.whose, signal };
  const messages = guarded(by, backend, () => upstreams.call(backend, owner, sent, signal));
  let isHeld = false;
  try {
    for (;;) {
      const { value: one, done } = await messages.next();
      if (done === true) return null;
      if (one.method === undefined) {
        const asked = one.result === undefined ? null : inputRequired(one.result);
        if (asked !== null && scene.era === 'legacy') return asked;
        const isOfTasks = request.method === 'tools/call' && mayBeOfTasks(one);
        const { name } = request.params;
        const said = isOfTasks ? await toldOfTasks(scene, backend, name, one) : one;
        yield finished(scene, backend, request, said);
        return null;
      }
      if (isRequest(one) && scene.era === 'modern') {
        isHeld = true;
        yield* handedOver(scene, backend, request, { messages, question: one });
        return null;
      }
      const kind = changedList(one);
      if (kind !== null) scene.lists.changed(backend, kind);
      else if (!isRequest(one) || (await mayReachClient(scene, { backend, owner }, one)))
        yield fromServer(one, backend, scene.isAggregated);
    }
  } finally {
    if (!isHeld) await messages.return(undefined);
  }
}

/** The client is sent for its answer, and the server kept waiting. */
async function* handedOver(
  scene: Scene,
  backend: Backend,
  request: Passed,
  { messages, question }: { messages: AsyncGenerator<Rpc>; question: Rpc },
): AsyncGenerator<Rpc> {
  const { abort, owner, upstreams } = scene;
  let isTaken = false;
  try {
    const result = park(
      scene,
      requestDigest(request.method, request.params),
      {
        messages: relay(scene, backend, messages),
        tell: (message) => upstreams.tell(backend, owner, message, abort.signal),
        abort,
        // What was never begun does not end what it would have read.
        end: async () => void (await messages.return(undefined)),
      },
      question,
    );
    yield finished(scene, backend, request, { jsonrpc: '2.0', result });
    isTaken = true;
  } finally {
    // Where the client cannot be asked, or a rule stops the question, nobody comes back with an answer.
    if (!isTaken) {
      abort.abort();
      await messages.return(undefined);
    }
  }
}

/** The rest of what a server says to a client that comes back for it: its own requests as they are. */
async function* relay(
  scene: Scene,
  backend: Backend,
  messages: AsyncGenerator<Rpc>,
): AsyncGenerator<Rpc> {
  for await (const one of messages) {
    const isTheirs = one.method !== undefined && !isRequest(one);
    yield isTheirs ? fromServer(one, backend, scene.isAggregated) : one;
  }
}

function finished(scene: Scene, backend: Backend, { id, method }: Passed, one: Rpc): Rpc {
  if (one.result === undefined) {
    const error = one.error ?? { code: RPC.upstream, message: 'No result.' };
    const named = method.startsWith('resources/') ? withErrorUri(scene, backend, error) : error;
    return { jsonrpc: '2.0', id, error: named };
  }
  const result = fitted(withoutOurs(one.result), method, scene.era);
  return { jsonrpc: '2.0', id, result: withUris(scene, backend, result) };
}

/** The list of one backend, or of all of them: whose is missing is said. Page by page. */
async function merged(
  scene: Scene,
  method: string,
  params: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  const spec = LISTS[method] as ListSpec;
  const missing: { server: string; reason: string }[] = [];
  const listOf = async (backend: Backend) => {
    if (isHidden(backend, method)) return [];
    const items = await scene.lists.of(listAsk(scene, backend, method));
    return permitted(scene, items, backend, method);
  };
  if (!scene.isAggregated) {
    // One part, whatever its server comes to be called meanwhile.
    const items = (await listOf(only(scene))).map((one) => renamed(one, null, spec.name));
    const part = { slug: '', items };
    return pageOf(scene, method, spec, [part], params);
  }
  const parts = await Promise.all(
    scene.backends.map(async (backend) => {
      const { slug } = backend;
      try {
        return { slug, items: (await listOf(backend)).map((one) => renamed(one, slug, spec.name)) };
      } catch (error) {
        const reason = whyMissing(error);
        if (reason === null) throw error;
        // A server that has no such list lacks nothing.
        if ((error as RpcError).code !== RPC.methodNotFound) {
          missing.push({ server: slug, reason });
        }
        return { slug, items: [] };
      }
    }),
  );
  const page = pageOf(scene, method, spec, parts, params);
  return missing.length === 0 ? page : { ...page, _meta: { [MISSING]: missing } };
}

const OURS = 'dev.gatewarden/';
const MISSING = `${OURS}missing`;

/** What only the gateway says is taken from no server. */
function withoutOurs(result: Record<string, unknown>): Record<string, unknown> {
  const { _meta: meta } = result;
  if (!isObject(meta) || !Object.keys(meta).some((key) => key.startsWith(OURS))) return result;
  const theirs = Object.entries(meta).filter(([key]) => !key.startsWith(OURS));
  return { ...result, _meta: Object.fromEntries(theirs) };
}

/** Of a server as a whole; each tool is looked at for itself. */
const isHidden = ({ ruled }: Backend, method: string) =>
  method !== 'tools/list' && !ruled(null).allowed;

async function permitted(
  { pins, era }: Scene,
  items: readonly unknown[],
  backend: Backend,
  method: string,
): Promise<unknown[]> {
  const isTools = method === 'tools/list';
  const shown = (isTools ? await pins.shown(backend, items) : items).filter(isObject);
  const may = (tool: Record<string, unknown>) =>
    mayUse(String(tool.name), backend.tools) &&
    backend.ruled(String(tool.name)).allowed &&
    !isTaskOnly(tool);
  const { field } = LISTS[method] as ListSpec;
  return (isTools ? shown.filter(may) : shown).map((one) => presentable(one, field, era));
}
