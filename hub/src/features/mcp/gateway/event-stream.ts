// The response to a client's request: one JSON document, or an event stream that begins with the first message before the
// answer, or when the answer takes long. A stream carries a comment at fixed intervals, so that no client or proxy takes it
// for dead.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeResponse } from '../../../platform/http/security-headers.ts';
import type { Rpc } from './messages.ts';
import { eventText } from './sse.ts';

export interface StreamTimings {
  /** Until the head of the response is sent although there is no message. */
  headMs: number;
  /** Between two comments. */
  keepAliveMs: number;
}

export const STREAM_TIMINGS: StreamTimings = { headMs: 3_000, keepAliveMs: 15_000 };

const OPENED = ': open\n\n';
export const KEEP_ALIVE = ': keep-alive\n\n';

export interface ResponseStream {
  /** False: the client accepts JSON only, and gets nothing but the answer. */
  takes: boolean;
  /** Resolves when the client takes more: a server that sends faster than its client reads waits. */
  write(message: Rpc): Promise<void>;
  /** Sends the answer; `status` counts where no stream has begun. */
  end(message: Rpc, status: number): FastifyReply;
}

export const takesEvents = (request: FastifyRequest) =>
  /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '');

export function responseStream(
  request: FastifyRequest,
  reply: FastifyReply,
  timings: StreamTimings,
): ResponseStream {
  const { raw } = reply;
  const takes = takesEvents(request);
  let isBegun = false;
  let keepAlive: NodeJS.Timeout | undefined;
  const begin = () => {
    isBegun = true;
    clearTimeout(head);
    // Its body stays counted: the stream is as long as the call, and the call has its arguments until then.
    takeResponse(reply).writeHead(200, {
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    keepAlive = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(KEEP_ALIVE);
    }, timings.keepAliveMs).unref();
  };
  const beginEarly = () => {
    if (isBegun || raw.destroyed) return;
    begin();
    raw.write(OPENED);
  };
  const head = takes ? setTimeout(beginEarly, timings.headMs).unref() : undefined;
  const stop = () => {
    clearTimeout(head);
    clearInterval(keepAlive);
  };
  raw.once('close', stop);
  return {
    takes,
    async write(message) {
      if (!takes || raw.destroyed) return;
      if (!isBegun) begin();
      if (!raw.write(eventText(message))) await drained(raw);
    },
    end(message, status) {
      stop();
      if (!isBegun) return reply.code(status).send(message);
      raw.end(eventText(message));
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
