// What of a call the log is told, and when.
import type { Caller } from '../tokens/index.ts';
import type { CallLog } from './call-log.ts';
import { Blocked, type Id, type Rpc, type RpcError } from './messages.ts';
import type { CallTrace } from './methods.ts';

/** A collector must not wait for a call that goes on: its row is written then, and completed at its end. */
export const STILL_RUNS_MS = 10 * 60_000;

const NOWHERE = 'unknown';
const NAME_MAX = 200;

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
  if (trace === null || (trace.backend === null && trace.nowhere === null)) return;
  const { guarded } = trace;
  callLog.add({
    eventId: call.eventId,
    tenantId: caller.tenantId,
    rpcId: call.message.id as Id,
    ...calledOf(trace),
    authMode: caller.via,
    email: caller.email,
    agent: caller.agent,
    arguments: guarded === null ? trace.arguments : guarded.arguments,
    ...(guarded === null ? {} : { guardrails: { input: guarded.input, output: guarded.output } }),
    startedAt: call.startedAt,
    completedAt: Date.now(),
    outcome: ended === null ? { kind: 'running' } : outcomeOf(ended),
    extra: { request_id: call.requestId },
  });
}

/** Of a name that led nowhere what it says: somebody tries names, or what was there is gone. */
function calledOf({ backend, nowhere, tool }: CallTrace) {
  if (backend !== null) {
    return { backend: { backend_id: backend.backendId, name: backend.name }, tool };
  }
  const name = nowhere?.slug?.slice(0, NAME_MAX) ?? NOWHERE;
  return { backend: { backend_id: null, name }, tool: nowhere?.name ?? tool };
}

function outcomeOf({ last, failure }: { last: Rpc | null; failure: RpcError | null }) {
  if (last?.result?.resultType === 'input_required') return { kind: 'asked' } as const;
  const problem = failure?.message ?? last?.error?.message;
  if (problem === undefined) {
    const { result } = last ?? {};
    return {
      kind: 'answered',
      content: result?.content,
      isError: result?.isError === true,
    } as const;
  }
  const isBlocked = failure instanceof Blocked;
  return { kind: isBlocked ? 'blocked' : 'failed', message: problem } as const;
}
