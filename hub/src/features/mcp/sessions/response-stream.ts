// The response to a client's request: a JSON document, or an event stream. A stream begins with the first message before
// the result, or when the result takes long, and carries keep-alive comments.
//
// States: pending (nothing was sent) → streaming → over. A lost connection leads from pending or streaming to detached:
// messages then go to the event log, if the stream has a log. `end` leads from any state to over.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { releaseBody } from '../../../platform/http/limits/in-flight-bodies.ts';
import { hijackResponse } from '../../../platform/http/server/security-headers.ts';
import {
  formatEvent,
  formatPrimingEvent,
  RPC,
  RpcError,
  type RpcMessage,
} from '../protocol/index.ts';
import type { LoggedStream } from './event-log.ts';

export interface StreamTimings {
  /** Time until the head of a stream is sent without any message. */
  headMs: number;
  /** Interval of keep-alive comments. */
  keepAliveMs: number;
}

export const STREAM_TIMINGS: StreamTimings = { headMs: 500, keepAliveMs: 15_000 };

const OPENED = ': open\n\n';
export const KEEP_ALIVE = ': keep-alive\n\n';
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/** Writes the head of a stream that may stay open for days, and releases the memory of the request's body. */
export function writeStreamHead(reply: FastifyReply): void {
  releaseBody(reply.request);
  hijackResponse(reply).writeHead(200, STREAM_HEADERS);
}

/** Returns the error for a token or user with too many open streams. */
export const tooManyStreams = () =>
  new RpcError(RPC.upstream, 'Too many open streams for this token.', { status: 429 });

export interface ResponseStream {
  /** False: the client accepts JSON only, and receives the result without earlier messages. */
  acceptsStream: boolean;
  /** Resolves when the client has room for more, so that a fast server waits for a slow client. */
  write(message: RpcMessage): Promise<void>;
  /** Sends the result. `status` applies if no stream has begun. */
  end(message: RpcMessage, status: number): Promise<FastifyReply>;
}

/** Returns whether the client accepts `text/event-stream`. */
export const acceptsEventStream = (request: FastifyRequest) =>
  /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '');

interface StreamOptions {
  timings: StreamTimings;
  /** Returns the log of a resumable stream, or null. `abandon` closes the response. */
  openLog(abandon: () => void): LoggedStream | null;
  /** True: the client knows events without data, which only have an id. */
  isPrimed: boolean;
}

/** Returns the response in the state `pending`. */
export function openResponseStream(
  request: FastifyRequest,
  reply: FastifyReply,
  options: StreamOptions,
): ResponseStream {
  return new HttpResponseStream(acceptsEventStream(request), reply, options);
}

class HttpResponseStream implements ResponseStream {
  readonly acceptsStream: boolean;
  readonly #reply: FastifyReply;
  readonly #raw: ServerResponse;
  readonly #options: StreamOptions;
  readonly #headTimer: NodeJS.Timeout | undefined;
  #log: LoggedStream | null;
  #state: 'pending' | 'streaming' | 'detached' | 'over' = 'pending';
  #seq = 0;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(acceptsStream: boolean, reply: FastifyReply, options: StreamOptions) {
    this.acceptsStream = acceptsStream;
    this.#reply = reply;
    this.#raw = reply.raw;
    this.#options = options;
    this.#log = acceptsStream ? options.openLog(() => this.#raw.destroy()) : null;
    const beginWithoutMessage = () => {
      if (this.#state === 'pending' && !this.#raw.destroyed) this.#begin(OPENED);
    };
    this.#headTimer = acceptsStream
      ? setTimeout(beginWithoutMessage, options.timings.headMs).unref()
      : undefined;
    this.#raw.once('close', () => this.#detach());
  }

  async write(message: RpcMessage): Promise<void> {
    if (!this.acceptsStream) return;
    if (this.#state === 'pending' && !this.#raw.destroyed) this.#begin('');
    const event = { seq: ++this.#seq, message, isLast: false };
    if (this.#state !== 'streaming') return this.#log?.append(event);
    this.#log?.buffer(event);
    const text = formatEvent(message, this.#log?.eventId(this.#seq));
    if (!this.#raw.write(text)) await awaitDrain(this.#raw);
  }

  async end(message: RpcMessage, status: number): Promise<FastifyReply> {
    this.#stopTimers();
    const stateBefore = this.#state;
    const event = { seq: ++this.#seq, message, isLast: true };
    if (stateBefore === 'detached') await this.#log?.append(event);
    this.#state = 'over';
    if (stateBefore === 'streaming') {
      this.#log?.buffer(event);
      this.#raw.end(formatEvent(message, this.#log?.eventId(this.#seq)));
    }
    this.#log?.close();
    return stateBefore === 'pending' ? this.#reply.code(status).send(message) : this.#reply;
  }

  /** Sends the head. The request's body stays reserved: the call keeps its arguments as long as the stream is open. */
  #begin(firstText: string): void {
    this.#state = 'streaming';
    clearTimeout(this.#headTimer);
    hijackResponse(this.#reply).writeHead(200, STREAM_HEADERS);
    this.#raw.write(`${firstText}${this.#firstEvent()}`);
    this.#keepAlive = setInterval(() => {
      if (!this.#raw.writableNeedDrain) this.#raw.write(KEEP_ALIVE);
    }, this.#options.timings.keepAliveMs).unref();
  }

  #firstEvent(): string {
    const id = this.#log?.eventId(this.#seq);
    if (id === undefined) return '';
    return this.#options.isPrimed ? formatPrimingEvent(id) : `id: ${id}\n\n`;
  }

  #detach(): void {
    this.#stopTimers();
    if (this.#state === 'over') return;
    if (this.#state === 'streaming') void this.#log?.persist();
    else {
      // No client knows the id of a stream that has not begun.
      this.#log?.close();
      this.#log = null;
    }
    this.#state = 'detached';
  }

  #stopTimers(): void {
    clearTimeout(this.#headTimer);
    clearInterval(this.#keepAlive);
  }
}

/** Resolves when the response has room for more, or is closed. */
export function awaitDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.once('drain', done).once('close', done);
  });
}
