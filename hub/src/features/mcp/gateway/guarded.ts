// A call of a server by way of the guard, which learns whether the call reached the server.
import type { Guard, Outcome } from './guard.ts';
import type { Rpc } from './messages.ts';
import { type Backend, hasAnswered, ServerUnreachable, unavailable } from './targets.ts';

/** Whose call it is, and until when. */
export interface GuardedBy {
  guard: Guard;
  person: string;
  signal: AbortSignal;
}

/** Throws RpcError at once while the server's circuit is open, or too many calls are running. */
export async function* guarded(
  { guard, person, signal }: GuardedBy,
  backend: Pick<Backend, 'backendId' | 'name'>,
  call: () => AsyncGenerator<Rpc>,
): AsyncGenerator<Rpc> {
  const entered = guard.enter(backend.backendId, person);
  if (!entered.admitted) {
    throw entered.isOpen
      ? new ServerUnreachable(backend, entered.why)
      : unavailable(backend, entered.why);
  }
  let outcome: Outcome = 'neither';
  try {
    for await (const message of call()) {
      // Whoever has the answer asks for no more.
      if (message.method === undefined) outcome = 'reached';
      yield message;
    }
  } catch (error) {
    if (!signal.aborted) outcome = outcomeOf(error);
    throw error;
  } finally {
    entered.end(outcome);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServerUnreachable) return 'unreachable';
  return hasAnswered(error) ? 'reached' : 'neither';
}
