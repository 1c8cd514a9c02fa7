// The context of a request through the pipeline, and the trace that its steps fill for the log.
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { Approvals } from '../call-approvals/index.ts';
import type { ServerLists } from '../catalog/index.ts';
import type { Guardrails } from '../guardrails/index.ts';
import type { ProtocolRevision, RpcMessage } from '../protocol/index.ts';
import type { ReplyChannel, SessionDeps } from '../sessions/index.ts';
import type { ToolPins } from '../tool-pinning/index.ts';
import type { Backend, CircuitBreaker, SessionOwner, Upstreams } from '../upstream/index.ts';
import type { CallLog } from './call-log.ts';
import type { CallMetrics } from './call-metrics.ts';
import type { CallTrace } from './call-trace.ts';

/** Services of the gateway. */
export interface GatewayDeps extends SessionDeps {
  callLog: CallLog;
  callMetrics: CallMetrics;
  approvals: Approvals;
  cursors: CursorSealer;
  replyChannel: ReplyChannel;
}

/** Needed to request input from a client. */
export interface InputContext {
  tenantId: string;
  owner: SessionOwner;
  replyChannel: ReplyChannel;
  cursors: CursorSealer;
  signal: AbortSignal;
  /** False: messages before the result do not reach this client. */
  acceptsStream: boolean;
}

/** A request of a client. */
export interface CallContext extends InputContext {
  revision: ProtocolRevision;
  /** True at the aggregated URL, where names have the prefix of their backend. */
  isAggregated: boolean;
  backends: readonly Backend[];
  upstreams: Upstreams;
  lists: ServerLists;
  pins: ToolPins;
  breaker: CircuitBreaker;
  guardrails: Guardrails;
  approvals: Approvals;
  /** The caller for approvals: the e-mail address, or the token of a caller without. */
  callerName: string;
  /** The user for lists and limits: the user id, or the holder of the token. Never a claimed name. */
  userKey: string;
  /** Arguments that the client repeated as headers, for a server of the revision 2026-07-28. */
  repeatedArguments: { arguments: unknown; headers: Record<string, string> } | null;
  /** Aborts everything that the request started, also after its client received a response. */
  abort: AbortController;
  /** Null: the client has no session of a legacy revision. */
  subscribe: ((backend: Backend, uri: string, isSubscribed: boolean) => Promise<void>) | null;
}

/** A request with its backend and the names of that backend. */
export interface ResolvedCall {
  method: string;
  backend: Backend;
  /** Null: the request is not a tool call. */
  tool: string | null;
  params: Record<string, unknown>;
}

const GUARDED_METHODS = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);
const SUBSCRIPTION_METHODS = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** Returns whether guardrails apply to the method. */
export const isGuarded = (method: string) => GUARDED_METHODS.has(method);
/** Returns whether the method changes a subscription. */
export const isSubscription = (method: string) => SUBSCRIPTION_METHODS.has(method);

/** Returns an empty trace, or null for a method that no rule concerns. */
export function startTrace({ method = '', params = {} }: RpcMessage): CallTrace | null {
  if (!isGuarded(method) && !isSubscription(method)) return null;
  const tool = method === 'tools/call' ? String(params.name ?? '') : null;
  return {
    method,
    backend: null,
    tool,
    arguments: loggedArguments(tool, params),
    findings: null,
    access: null,
  };
}

/** Returns the part of the parameters that a log row contains: arguments of a tool call, or the parameters of others. */
export function loggedArguments(tool: string | null, params: Record<string, unknown>): unknown {
  if (tool !== null) return params.arguments;
  const { _meta, requestState, inputResponses, ...requested } = params;
  return requested;
}
