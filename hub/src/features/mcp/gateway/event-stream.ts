// The response to a client's request: one JSON document, or an event stream that begins with the first message before the
// answer, or when the answer takes long. A stream carries a comment at fixed intervals, so that no client or proxy takes it
// for dead.
//
// States: pending (nothing was sent) → streaming → over; or detached, once the connection is lost: what is still written is
// stored in the event log, if there is one.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hijackResponse } from '../../../platform/http/server/security-headers.ts';
import type { LoggedStream } from './event-log.ts';
import type { Rpc } from './messages.ts';
import { eventText, PRIMING } from './sse.ts';

export interface StreamTimings {
  /** Until the head of the response is sent although there is no message. */
  headMs: number;
  /** Between two comments. */
  keepAliveMs: number;
}

export const STREAM_TIMINGS: StreamTimings = { headMs: 500, keepAliveMs: 15_000 };

const OPENED = ': open\n\n';
export const KEEP_ALIVE = ': keep-alive\n\n';

export interface ResponseStream {
  /** False: the client accepts JSON only, and gets nothing but the answer. */
  takes: boolean;
  /** Resolves when the client takes more: a server that sends faster than its client reads waits. */
  write(message: Rpc): Promise<void>;
  /** Sends the answer; `status` counts where no stream has begun. */
  end(message: Rpc, status: number): Promise<FastifyReply>;
}

export const takesEvents = (request: FastifyRequest) =>
  /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '');

interface StreamOptions {
  timings: StreamTimings;
  /** Makes the log of the stream, if the stream can be resumed; `giveUp` ends the response. */
  log(giveUp: () => void): LoggedStream | null;
  /** The client knows events without data, which only tell their id. */
  isPrimed: boolean;
}

export function responseStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { timings, log: openLog, isPrimed }: StreamOptions,
): ResponseStream {
  const { raw } = reply;
  const takes = takesEvents(request);
  let log = takes ? openLog(() => raw.destroy()) : null;
  let state: 'pending' | 'streaming' | 'detached' | 'over' = 'pending';
  let seq = 0;
  let keepAlive: NodeJS.Timeout | undefined;
  const begin = (first: string) => {
    state = 'streaming';
    clearTimeout(head);
    // Its body stays counted: the stream is as long as the call, and the call has its arguments until then.
    hijackResponse(reply).writeHead(200, {
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const id = log?.eventId(seq);
    raw.write(`${first}${id === undefined ? '' : isPrimed ? PRIMING(id) : `id: ${id}\n\n`}`);
    keepAlive = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(KEEP_ALIVE);
    }, timings.keepAliveMs).unref();
  };
  const beginEarly = () => {
    if (state === 'pending' && !raw.destroyed) begin(OPENED);
  };
  const head = takes ? setTimeout(beginEarly, timings.headMs).unref() : undefined;
  const stop = () => {
    clearTimeout(head);
    clearInterval(keepAlive);
  };
  const detach = () => {
    stop();
    if (state === 'over') return;
    // Nobody knows the id of a stream that has not begun.
    if (state === 'streaming') void log?.store();
    else {
      log?.close();
      log = null;
    }
    state = 'detached';
  };
  raw.once('close', detach);
  return {
    takes,
    async write(message) {
      if (!takes) return;
      if (state === 'pending' && !raw.destroyed) begin('');
      seq++;
      const event = { seq, message, isLast: false };
      if (state !== 'streaming') return log?.append(event);
      log?.sent(event);
      if (!raw.write(eventText(message, log?.eventId(seq)))) await drained(raw);
    },
    async end(message, status) {
      stop();
      const before = state;
      seq++;
      const event = { seq, message, isLast: true };
      if (before === 'detached') await log?.append(event);
      state = 'over';
      if (before === 'streaming') {
        log?.sent(event);
        raw.end(eventText(message, log?.eventId(seq)));
      }
      log?.close();
      return before === 'pending' ? reply.code(status).send(message) : reply;
    },
  };
}

export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.once('drain', done).once('close', done);
  });
}
