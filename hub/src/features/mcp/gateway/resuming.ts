// GET with the id of the last event that a client got of the response to a call: the rest of it, as it comes.
import type { FastifyReply } from 'fastify';
import { drained } from './event-stream.ts';
import { RPC, RpcError } from './messages.ts';
import { eventText } from './sse.ts';
import type { Owner } from './targets.ts';
import { type GatewayDeps, holderOf, type Visit } from './visit.ts';

interface Resumption {
  owner: Owner;
  lastEventId: string;
  /** Writes the head of the stream. */
  begin(reply: FastifyReply): void;
  /** Throws where the client may no longer be here. */
  again(): Promise<unknown>;
}

/** False where nothing is kept of such a stream. Throws RpcError. */
export async function resumeStream(
  deps: GatewayDeps,
  visit: Visit,
  { owner, lastEventId, begin, again }: Resumption,
  reply: FastifyReply,
): Promise<boolean> {
  const from = await deps.eventLog.find(owner.hash, lastEventId);
  if (from === null) return false;
  const stream = deps.streams.open({
    tenantId: visit.caller.tenantId,
    tokenId: visit.caller.tokenId,
    holder: holderOf(visit.caller),
    // Beside the stream of its session, which stays.
    session: null,
    backendId: visit.namespace.kind === 'backend' ? visit.namespace.backendId : null,
    response: reply.raw,
    form: () => null,
    again,
    refresh: () => undefined,
  });
  if (stream === null) {
    throw new RpcError(RPC.upstream, 'Too many open streams for this token.', { status: 429 });
  }
  begin(reply);
  const copy = async () => {
    for await (const { seq, message } of deps.eventLog.read(from, stream.signal)) {
      const id = `${lastEventId.slice(0, lastEventId.lastIndexOf('.'))}.${seq}`;
      if (!reply.raw.write(eventText(message, id))) await drained(reply.raw);
    }
  };
  // Where the database is away the client resumes it once more.
  void copy()
    .catch(() => undefined)
    .finally(() => stream.end());
  return true;
}
