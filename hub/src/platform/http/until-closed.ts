// What a request holds is given back when its answer is out, or nobody waits for it any more.
import type { FastifyReply } from 'fastify';

/** Calls it once, at once where the client has gone already: nothing is heard of that again. */
export function onResponseClosed({ raw }: FastifyReply, giveBack: () => void): void {
  if (raw.closed) giveBack();
  else raw.once('close', giveBack);
}
