// The pipeline of a request for a backend. Each step is a file; a step throws RpcError or BlockedError to refuse.
//
//   resolveBackend → authorizeTool → checkToolPin → validateArguments → guardInput → requireApproval
//     → forward (elicitation rounds inside) → guardOutput → recordCall
//
// recordCall runs at the end of every request, also of a refused one: see answer-request.ts. A request that continues an
// approved call (`requestState`) skips validateArguments and requireApproval, because it passed them before.
import type { RequestId } from '@modelcontextprotocol/client';
import {
  type GuardrailFindings,
  type GuardrailSet,
  guardAnswers,
  noFindings,
  selectGuardrails,
} from '../guardrails/index.ts';
import type { RpcMessage } from '../protocol/index.ts';
import { authorizeTool } from './authorize-tool.ts';
import {
  type CallState,
  openCallState,
  sealServerState,
  useServerState,
  withoutState,
} from './call-state.ts';
import type { CallTrace } from './call-trace.ts';
import { checkToolPin } from './check-tool-pin.ts';
import {
  type CallContext,
  isGuarded,
  isSubscription,
  loggedArguments,
  type ResolvedCall,
} from './context.ts';
import { forward, requestDigest } from './forward.ts';
import { guardInput } from './guard-input.ts';
import { guardOutput } from './guard-output.ts';
import { requireApproval } from './require-approval.ts';
import { resolveAndTrace } from './resolve-backend.ts';
import { updateSubscription } from './subscribe.ts';
import { validateArguments } from './validate-arguments.ts';

/** Runs a request. Yields messages of the server, then the response. Fills `trace`. Throws RpcError. */
export async function* runPipeline(
  context: CallContext,
  message: RpcMessage,
  trace: CallTrace | null,
): AsyncGenerator<RpcMessage> {
  const { method = '' } = message;
  const id = message.id as RequestId;
  const { backend, params } = resolveAndTrace(context, method, message.params, trace);
  const call = { method, backend, tool: trace?.tool ?? null, params };
  if (trace !== null) trace.arguments = loggedArguments(call.tool, params);
  authorizeTool(call, trace);
  await checkToolPin(context, call, trace);
  if (isSubscription(method) && (await updateSubscription(context, call))) {
    yield { jsonrpc: '2.0', id, result: {} };
    return;
  }
  const set = isGuarded(method) ? await context.guardrails.get(context.tenantId) : null;
  const rules = set === null ? null : selectGuardrails(set, call);
  if (rules === null) {
    yield* forward(context, backend, { id, method, params });
    return;
  }
  const findings = { ...noFindings(), arguments: loggedArguments(call.tool, params) };
  if (trace !== null) trace.findings = findings;
  yield* runGuardedCall(context, call, id, rules, findings);
}

/** Runs the steps from validateArguments to guardOutput. */
async function* runGuardedCall(
  context: CallContext,
  call: ResolvedCall,
  id: RequestId,
  rules: GuardrailSet,
  findings: GuardrailFindings,
): AsyncGenerator<RpcMessage> {
  const { method, backend } = call;
  // Legacy revisions have no `requestState`: a client that sends a state starts a new call.
  const sent = context.revision === 'legacy' ? withoutState(call.params) : call.params;
  const digest = requestDigest(method, sent);
  const state = openCallState(context, digest, sent);
  if (state.kind === 'approved') await useServerState(context, state);
  const isContinued = state.kind === 'approved' || state.kind === 'suspended';
  if (!isContinued) validateArguments(rules, sent, findings);
  const guarded = guardInput(rules, { ...call, params: sent }, findings);
  if (!isContinued) {
    const request = { ...call, params: guarded };
    const step = requireApproval(context, rules, request, { id, digest, state }, findings);
    if (yield* step) return;
  }
  const responses = forward(context, backend, {
    id,
    method,
    params: withServerState(guarded, state),
    guardAnswers: (answers) => guardAnswers(rules.input, answers, findings),
  });
  const needsApproval = rules.approvals.length > 0;
  for await (const response of guardOutput(rules, responses, findings)) {
    const sealed = needsApproval ? sealServerState(context, digest, response) : response;
    yield sealed.method === undefined ? { ...sealed, id } : sealed;
  }
}

/** Replaces a state of the gateway by the state of the server. */
function withServerState(
  params: Record<string, unknown>,
  state: CallState,
): Record<string, unknown> {
  if (state.kind === 'approved') return { ...params, requestState: state.serverState };
  return state.kind === 'approval-requested' ? withoutState(params) : params;
}
