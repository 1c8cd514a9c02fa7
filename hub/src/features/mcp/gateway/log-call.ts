// What of a call the log is told, and when.
import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import type { Decided } from '../../logs/events/index.ts';
import type { Caller } from '../tokens/index.ts';
import { CALL, type CallLog } from './call-log.ts';
import { Blocked, type Id, type Rpc, type RpcError } from './messages.ts';
import type { CallTrace } from './methods.ts';

/** A collector must not wait for a call that goes on: its row is written then, and completed at its end. */
export const STILL_RUNS_MS = 10 * 60_000;

interface Logged {
  message: Rpc;
  trace: CallTrace | null;
  startedAt: number;
  requestId: string;
  eventId: string;
}

/** `ended` is null of a call that still runs. */
export function logCall(
  callLog: CallLog,
  caller: Caller & { tenantId: string },
  call: Logged,
  ended: { last: Rpc | null; failure: RpcError | null } | null,
): void {
  const { trace } = call;
  // What failed before its server was looked for says nothing of where it was to go.
  if (trace === null || trace.backend === null) return;
  const { backend, tool, method, guarded } = trace;
  if (method !== CALL && !isRemarkable(guarded, ended?.failure ?? null)) return;
  callLog.add({
    eventId: call.eventId,
    tenantId: caller.tenantId,
    backend,
    rpcId: call.message.id as Id,
    tool,
    method,
    authMode: caller.via,
    email: caller.email,
    agent: caller.agent,
    arguments: guarded === null ? trace.arguments : guarded.arguments,
    ...(guarded === null ? {} : { guardrails: { input: guarded.input, output: guarded.output } }),
    startedAt: call.startedAt,
    completedAt: Date.now(),
    outcome: ended === null ? { kind: 'running' } : outcomeOf(method, ended),
    extra: { request_id: call.requestId, ...(method === CALL ? {} : { method }) },
    decided: decidedOf(caller, trace),
  });
}

/** Of what is no call, only what was blocked or in which the rules found something has a row. */
function isRemarkable(guarded: CallTrace['guarded'], failure: RpcError | null): boolean {
  const verdicts = guarded === null ? [] : [guarded.input, guarded.output];
  return failure instanceof Blocked || verdicts.some((one) => one.outcome !== 'normal');
}

function decidedOf(caller: Caller, { access, guarded }: CallTrace): Decided {
  const { backend_version = null, ...reason } = access ?? {};
  return {
    token_id: caller.via === 'api_token' ? caller.tokenId : null,
    backend_version,
    access: access === null ? null : (reason as AccessReason),
    approval_id: guarded?.approvalId ?? null,
  };
}

function outcomeOf(
  method: string,
  { last, failure }: { last: Rpc | null; failure: RpcError | null },
) {
  if (last?.result?.resultType === 'input_required') return { kind: 'asked' } as const;
  const problem = failure?.message ?? last?.error?.message;
  if (problem === undefined && method !== CALL) {
    const { _meta, resultType, ...content } = last?.result ?? {};
    return { kind: 'answered', content, isError: false } as const;
  }
  if (problem === undefined) {
    const { content, structuredContent, isError } = last?.result ?? {};
    // What a tool says twice it may say in one of both only.
    const said = structuredContent === undefined ? content : { content, structuredContent };
    return { kind: 'answered', content: said, isError: isError === true } as const;
  }
  const isBlocked = failure instanceof Blocked;
  return { kind: isBlocked ? 'blocked' : 'failed', message: problem } as const;
}
