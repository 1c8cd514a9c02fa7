// Resumption of a response: GET with the id of the last event that the client received sends the rest of its events.
import type { FastifyReply } from 'fastify';
import { formatEvent } from '../protocol/index.ts';
import type { SessionOwner } from '../upstream/index.ts';
import {
  backendIdOf,
  type RequestContext,
  type SessionDeps,
  tokenHolder,
} from './request-context.ts';
import { awaitDrain, tooManyStreams, writeStreamHead } from './response-stream.ts';

interface Resumption {
  owner: SessionOwner;
  lastEventId: string;
  /** Throws if the client lost its access. */
  revalidate(): Promise<unknown>;
}

/** Resumes a response. Returns false if no events of it are stored. Throws RpcError. */
export async function resumeStream(
  deps: SessionDeps,
  context: RequestContext,
  { owner, lastEventId, revalidate }: Resumption,
  reply: FastifyReply,
): Promise<boolean> {
  const resumePoint = await deps.eventLog.find(owner.hash, lastEventId);
  if (resumePoint === null) return false;
  const stream = deps.streams.open({
    tenantId: context.caller.tenantId,
    tokenId: context.caller.tokenId,
    holder: tokenHolder(context.caller),
    // The GET stream of the session stays open beside it.
    session: null,
    backendId: backendIdOf(context.namespace),
    response: reply.raw,
    toClient: () => null,
    revalidate,
    refresh: () => undefined,
  });
  if (stream === null) throw tooManyStreams();
  writeStreamHead(reply);
  const copyEvents = async () => {
    for await (const { seq, message } of deps.eventLog.read(resumePoint, stream.signal)) {
      const id = `${lastEventId.slice(0, lastEventId.lastIndexOf('.'))}.${seq}`;
      if (!reply.raw.write(formatEvent(message, id))) await awaitDrain(reply.raw);
    }
  };
  // If the database is down, the stream ends and the client resumes it again.
  void copyEvents()
    .catch(() => undefined)
    .finally(() => stream.end());
  return true;
}
