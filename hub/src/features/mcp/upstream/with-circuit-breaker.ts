// A call through the circuit breaker, which records whether the call reached the server.
import type { RpcMessage } from '../protocol/index.ts';
import type { CircuitBreaker, Outcome } from './circuit-breaker.ts';
import {
  type Backend,
  isServerReached,
  ServerUnreachableError,
  unavailableError,
} from './targets.ts';

interface BreakerContext {
  breaker: CircuitBreaker;
  userKey: string;
  signal: AbortSignal;
}

/** Throws RpcError at once while the circuit of the server is open, or too many calls are in flight. */
export async function* withCircuitBreaker(
  { breaker, userKey, signal }: BreakerContext,
  backend: Pick<Backend, 'tenantId' | 'backendId' | 'name'>,
  call: () => AsyncGenerator<RpcMessage>,
): AsyncGenerator<RpcMessage> {
  const admission = breaker.admit(backend.backendId, userKey);
  if (!admission.admitted) {
    throw admission.isOpen
      ? new ServerUnreachableError(backend, admission.why)
      : unavailableError(backend, admission.why);
  }
  let outcome: Outcome = 'neither';
  let reason: string | null = null;
  try {
    for await (const message of call()) {
      // The caller may stop after the response, so the outcome is set before.
      if (message.method === undefined) outcome = 'reached';
      yield message;
    }
  } catch (error) {
    if (!signal.aborted) outcome = outcomeOf(error);
    if (outcome === 'unreachable') reason = (error as Error).message;
    throw error;
  } finally {
    admission.end(outcome);
    if (outcome !== 'neither') breaker.onOutcome?.(backend, outcome, reason);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServerUnreachableError) return 'unreachable';
  return isServerReached(error) ? 'reached' : 'neither';
}
