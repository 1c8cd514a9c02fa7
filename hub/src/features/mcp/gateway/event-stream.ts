// An answer to a client that may become an event stream on the way.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeResponse } from '../../../platform/http/security-headers.ts';
import type { Rpc } from './messages.ts';
import { eventText } from './sse.ts';

/** Begun by the first message that is not the answer; until then everything may still be one JSON document. */
export function eventStream(request: FastifyRequest, reply: FastifyReply) {
  let begun = false;
  const takes = /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '');
  return {
    takes,
    /** Resolves when the client takes more: a server that sends faster than its client reads waits. */
    async write(message: Rpc): Promise<void> {
      // A client that takes no stream is not told what comes before the answer.
      if (!takes) return;
      if (!begun) {
        begun = true;
        // Its body stays counted: the stream is as long as the call, and the call has its arguments until then.
        takeResponse(reply).writeHead(200, {
          'content-type': 'text/event-stream',
          'x-accel-buffering': 'no',
        });
      }
      if (!reply.raw.write(eventText(message))) await drained(reply.raw);
    },
    end(message: Rpc, status: number): FastifyReply {
      if (!begun) return reply.code(status).send(message);
      reply.raw.end(eventText(message));
      return reply;
    },
  };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.once('drain', done).once('close', done);
  });
}
