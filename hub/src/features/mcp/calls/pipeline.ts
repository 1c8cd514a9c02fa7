// The pipeline of a request for a backend. Each step is a file; a step throws RpcError or BlockedError to refuse.
//
//   resolveBackend → authorizeTool → checkToolPin → validateArguments → guardInput → requireApproval
//     → forward (elicitation rounds inside) → guardOutput → recordCall
//
// recordCall runs at the end of every request, also of a refused one: see answer-request.ts. A request that continues an
// approved call (`requestState`) skips validateArguments and requireApproval, because it passed them before.
import { guardAnswers, noFindings, selectGuardrails } from '../guardrails/index.ts';
import type { RpcId, RpcMessage } from '../protocol/index.ts';
import { authorizeTool } from './authorize-tool.ts';
import { openCallState, sealServerState, useServerState, withoutState } from './call-state.ts';
import { checkToolPin } from './check-tool-pin.ts';
import {
  type CallContext,
  type CallTrace,
  isGuarded,
  isSubscription,
  loggedArguments,
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
  const id = message.id as RpcId;
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
  // Legacy revisions have no `requestState`: a client that sends one starts a new call.
  const sent = context.revision === 'legacy' ? withoutState(params) : params;
  const digest = requestDigest(method, sent);
  const state = openCallState(context, digest, sent);
  if (state.kind === 'approved') await useServerState(context, state);
  const isContinued = state.kind === 'approved' || state.kind === 'suspended';
  if (!isContinued) validateArguments(rules, sent, findings);
  let guarded = guardInput(rules, { ...call, params: sent }, findings);
  if (!isContinued) {
    const request = { ...call, params: guarded };
    const isRequested = yield* requireApproval(
      context,
      rules,
      request,
      { digest, state },
      findings,
    );
    if (isRequested) return;
    if (state.kind === 'approval-requested') guarded = withoutState(guarded);
  }
  if (state.kind === 'approved') guarded = { ...guarded, requestState: state.serverState };
  const responses = forward(context, backend, {
    id,
    method,
    params: guarded,
    guardAnswers: (answers) => guardAnswers(rules.input, answers, findings),
  });
  for await (const response of guardOutput(rules, responses, findings)) {
    const sealed =
      rules.approvals.length === 0 ? response : sealServerState(context, digest, response);
    yield sealed.method === undefined ? { ...sealed, id } : sealed;
  }
}
