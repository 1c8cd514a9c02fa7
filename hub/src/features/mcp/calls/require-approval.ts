// Step requireApproval: a call that needs approval waits for the caller's answer (elicitation), or for a decision in the console.

import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/client';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { ApprovalRequirement, GuardrailFindings, GuardrailSet } from '../guardrails/index.ts';
import { BlockedError, type RpcMessage, supportsInputRequest } from '../protocol/index.ts';
import { type CallState, newApprovalState } from './call-state.ts';
import type { CallContext, ResolvedCall } from './context.ts';
import { requestClientInput } from './elicitation.ts';

/** Returns true if the client must return with an answer, and false if the call may continue. Throws BlockedError. */
export async function* requireApproval(
  context: CallContext,
  { approvals }: GuardrailSet,
  call: ResolvedCall,
  { id, digest, state }: { id: RequestId; digest: string; state: CallState },
  findings: GuardrailFindings,
): AsyncGenerator<RpcMessage, boolean> {
  // A reviewer's decision counts for more than the caller's own.
  const requirement = approvals.find(({ by }) => by === 'reviewer') ?? approvals[0];
  if (requirement === undefined) return false;
  const request = approvalCall(context, requirement, call);
  findings.approvalId = await context.approvals.use(request);
  if (findings.approvalId !== null) return false;
  const question = approvalQuestion(call);
  const canAsk = requirement.by === 'caller' && supportsInputRequest(context.owner, question);
  const isModern = context.revision === 'modern';
  if (canAsk && isModern && state.kind !== 'approval-requested') {
    const result = {
      resultType: 'input_required',
      inputRequests: { approval: question },
      requestState: newApprovalState(context, digest),
    };
    yield { jsonrpc: '2.0', id, result };
    return true;
  }
  if (canAsk && (isModern || context.acceptsStream)) {
    const isApproved = isApproval(yield* receiveAnswer(context, call, question));
    const approvalId = approvalIdOf(state);
    const isRecorded = await context.approvals.recordDecision(request, approvalId, isApproved);
    findings.approvalId = isRecorded && isApproved ? approvalId : null;
    if (findings.approvalId !== null) return false;
    throw blockedByApproval(findings, requirement, `The call of "${call.tool}" was denied.`);
  }
  const pendingId = await context.approvals.request(request);
  throw blockedByApproval(findings, requirement, pendingMessage(call, requirement, pendingId), {
    approval_id: pendingId,
  });
}

function pendingMessage(
  { tool }: ResolvedCall,
  { by }: ApprovalRequirement,
  pendingId: string | null,
): string {
  const approver = by === 'reviewer' ? 'a reviewer' : 'you';
  return pendingId === null
    ? `The tool "${tool}" needs approval, but too many calls are already waiting.`
    : `The tool "${tool}" needs approval by ${approver}, in the console under Tool approvals. Repeat the call after it is approved.`;
}

const approvalIdOf = (state: CallState) =>
  state.kind === 'approval-requested' ? state.approvalId : randomUUID();

const approvalCall = (
  { tenantId, callerName }: CallContext,
  { ruleId, by }: ApprovalRequirement,
  { backend, tool, params }: ResolvedCall,
) => ({
  tenantId,
  ruleId,
  backendId: backend.backendId,
  tool: tool ?? '',
  email: callerName,
  arguments: params.arguments,
  byReviewer: by === 'reviewer',
});

function blockedByApproval(
  findings: GuardrailFindings,
  { ruleId, name }: ApprovalRequirement,
  message: string,
  data: object = {},
): BlockedError {
  const rule = { rule_id: ruleId, rule: name };
  const prediction = { ...rule, action: 'block', category: 'approval' };
  findings.input = { outcome: 'blocked', predictions: [prediction] };
  return new BlockedError(message, { ...rule, ...data });
}

async function* receiveAnswer(
  context: CallContext,
  { params }: ResolvedCall,
  question: ReturnType<typeof approvalQuestion>,
): AsyncGenerator<RpcMessage, unknown> {
  if (context.revision === 'modern') {
    return isObject(params.inputResponses) ? params.inputResponses.approval : undefined;
  }
  const answers = yield* requestClientInput(context, { approval: question });
  return answers.approval;
}

const APPROVAL_FORM = {
  type: 'object',
  properties: {
    approve: { type: 'boolean', title: 'Approve this call', default: false },
  },
  required: ['approve'],
};

const SHOWN_CHARS = 2_000;

/** Returns the elicitation that shows the tool and its arguments. */
export function approvalQuestion(call: {
  backend: { name: string };
  tool: string | null;
  params: Record<string, unknown>;
}) {
  const text = stringifyLossless(call.params.arguments ?? {});
  const hiddenChars = text.length - SHOWN_CHARS;
  const shown =
    hiddenChars > 0 ? `${text.slice(0, SHOWN_CHARS)}… (and ${hiddenChars} characters more)` : text;
  const message = `Allow a call of the tool "${call.tool}" of "${call.backend.name}" with ${shown}?`;
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: APPROVAL_FORM },
  };
}

const isApproval = (answer: unknown) =>
  isObject(answer) &&
  answer.action === 'accept' &&
  isObject(answer.content) &&
  answer.content.approve === true;
