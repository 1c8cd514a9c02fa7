// A call of a server by way of the guard: what comes of it is counted, however it ends.
import type { Guard, Outcome } from './guard.ts';
import type { Rpc } from './messages.ts';
import { type Backend, isNoFault, unreachable } from './targets.ts';

/** Whose call it is, and until when. */
export interface GuardedBy {
  guard: Guard;
  person: string;
  signal: AbortSignal;
}

/** Throws RpcError at once where the server is left alone or has too much to do. */
export async function* guarded(
  { guard, person, signal }: GuardedBy,
  backend: Backend,
  call: () => AsyncGenerator<Rpc>,
): AsyncGenerator<Rpc> {
  const entered = guard.enter(backend.backendId, person);
  if (!entered.admitted) throw unreachable(backend, entered.why);
  let outcome: Outcome = 'neither';
  try {
    for await (const one of call()) {
      // Whoever has the answer asks for no more.
      if (one.method === undefined) outcome = 'ok';
      yield one;
    }
  } catch (error) {
    if (!signal.aborted && !isNoFault(error)) outcome = 'failed';
    throw error;
  } finally {
    entered.end(outcome);
  }
}
