// Step recordCall: adds the row of a tool call to the call log, at its end or after ten minutes while it runs. Other requests
// have a row only if they were blocked or a guardrail had a finding.

import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import type { RequestId } from '@modelcontextprotocol/client';
import type { Decided } from '../../logs/events/index.ts';
import type { Caller } from '../access-tokens/index.ts';
import { BlockedError, type RpcError } from '../protocol/index.ts';
import { CALL, type CallLog } from './call-log.ts';
import type { CallTrace, RecordedRequest, RequestEnd } from './call-trace.ts';

/** Age at which the row of a running call is written. It is completed at the end of the call. */
export const RUNNING_ROW_MS = 10 * 60_000;

/** Adds the row of a request. `end` is null while the call runs. */
export function recordCall(
  callLog: CallLog,
  caller: Caller & { tenantId: string },
  call: RecordedRequest,
  end: RequestEnd | null,
): void {
  const { trace } = call;
  // A request that failed before its backend was resolved has no row.
  if (trace === null || trace.backend === null) return;
  const { backend, tool, method, findings } = trace;
  if (method !== CALL && !isNotable(findings, end?.failure ?? null)) return;
  callLog.add({
    eventId: call.eventId,
    tenantId: caller.tenantId,
    backend,
    rpcId: call.message.id as RequestId,
    tool,
    method,
    authMode: caller.via,
    email: caller.email,
    agent: caller.agent,
    arguments: findings === null ? trace.arguments : findings.arguments,
    ...(findings === null
      ? {}
      : { guardrails: { input: findings.input, output: findings.output } }),
    startedAt: call.startedAt,
    completedAt: Date.now(),
    outcome: end === null ? { kind: 'running' } : outcomeOf(method, end),
    extra: { request_id: call.requestId, ...(method === CALL ? {} : { method }) },
    decided: decisionsOf(caller, trace),
  });
}

function isNotable(findings: CallTrace['findings'], failure: RpcError | null): boolean {
  const verdicts = findings === null ? [] : [findings.input, findings.output];
  return failure instanceof BlockedError || verdicts.some(({ outcome }) => outcome !== 'normal');
}

function decisionsOf(caller: Caller, { access, findings }: CallTrace): Decided {
  const { backend_version = null, ...reason } = access ?? {};
  return {
    token_id: caller.via === 'api_token' ? caller.tokenId : null,
    backend_version,
    access: access === null ? null : (reason as AccessReason),
    approval_id: findings?.approvalId ?? null,
  };
}

function outcomeOf(method: string, { response, failure }: RequestEnd) {
  if (response?.result?.resultType === 'input_required') return { kind: 'asked' } as const;
  const problem = failure?.message ?? response?.error?.message;
  if (problem !== undefined) {
    const isBlocked = failure instanceof BlockedError;
    return { kind: isBlocked ? 'blocked' : 'failed', message: problem } as const;
  }
  const { _meta, resultType, ...rest } = response?.result ?? {};
  if (method !== CALL) return { kind: 'answered', content: rest, isError: false } as const;
  const { content, structuredContent, isError } = rest;
  // Tools should repeat structured content as text, but some send only one form.
  const logged = structuredContent === undefined ? content : { content, structuredContent };
  return { kind: 'answered', content: logged, isError: isError === true } as const;
}
