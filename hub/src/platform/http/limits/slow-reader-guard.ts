// Protects the process from clients that do not read their responses (`SlowReaderGuard`).
// Main types: `SlowReaderGuard`, `SlowReaderLimits`.
// Invariants: a connection has at most a single unread response, because pipelined requests wait; a response without
// progress ends its connection; over all connections the unread bytes are limited, and the oldest unread response is cut
// first. Event streams limit themselves (event-streams.ts). Depends on the socket timeout of Node, which counts partial
// progress within a large buffer. Start reading at `createSlowReaderGuard`.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createLinkedList, type LinkedList } from './linked-list.ts';

export interface SlowReaderLimits {
  /** A response of which the kernel accepts no byte for this long is cut. */
  stalledMs: number;
  /** Bytes of unread responses and waiting requests, over all connections. */
  maxBytes: number;
  /** Requests of a connection that wait for a response to be read. The next request cuts the connection. */
  maxPipelined: number;
}

export const SLOW_READER_LIMITS: SlowReaderLimits = {
  stalledMs: 60_000,
  maxBytes: 128 * 1024 * 1024,
  maxPipelined: 24,
};

export interface SlowReaderGuard {
  /** Serves the request now, or when earlier requests of its connection are answered and their responses are read. */
  admit(response: ServerResponse, serve: () => void): void;
  /** The responses in flight. */
  readonly open: LinkedList<ServerResponse>;
  /** Handles a connection without progress, in place of Node, which would also end one that waits for its response. */
  handleTimeout(socket: Socket): void;
  bytes(): number;
}

/** Estimated memory of a waiting request. */
const WAITING_REQUEST_BYTES = 8 * 1024;

interface Pipeline {
  busy: boolean;
  waiting: { response: ServerResponse; serve: () => void }[];
}

/** Returns a guard for the connections of a listener. */
export function createSlowReaderGuard(limits: SlowReaderLimits): SlowReaderGuard {
  return new ConnectionGuard(limits);
}

class ConnectionGuard implements SlowReaderGuard {
  readonly open = createLinkedList<ServerResponse>();
  readonly #limits: SlowReaderLimits;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  /** Unread bytes by connection, oldest unread response first. */
  readonly #unread = new Map<Socket, number>();
  readonly #measureAtEnd: (this: ServerResponse) => void;
  #total = 0;

  constructor(limits: SlowReaderLimits) {
    this.#limits = limits;
    const measure = (socket: Socket) => this.#measure(socket);
    // A single listener for all responses, without a closure for each.
    this.#measureAtEnd = function measureAtEnd(this: ServerResponse) {
      if (this.socket !== null && this.socket.writableLength > 0) measure(this.socket);
    };
  }

  admit(response: ServerResponse, serve: () => void): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    let pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) {
      pipeline = { busy: false, waiting: [] };
      this.#pipelines.set(socket, pipeline);
    }
    if (!pipeline.busy) this.#begin(pipeline, socket, response, serve);
    else if (pipeline.waiting.length >= this.#limits.maxPipelined) this.#cut(socket);
    else {
      pipeline.waiting.push({ response, serve });
      this.#measure(socket);
    }
  }

  readonly handleTimeout = (socket: Socket): void => {
    if (socket.writableLength > 0) this.#cut(socket);
    else if (this.#pipelines.get(socket)?.busy !== true) socket.destroy();
  };

  readonly bytes = (): number => this.#total;

  #begin(pipeline: Pipeline, socket: Socket, response: ServerResponse, serve: () => void): void {
    pipeline.busy = true;
    const remove = this.open.add(response);
    response.on('prefinish', this.#measureAtEnd);
    response.on('close', () => {
      remove();
      pipeline.busy = false;
      // Requests behind a closed connection are dropped, also if only the server's end is closed: their clients would never
      // learn the result.
      const isOver = socket.destroyed || socket.writableEnded;
      const next = isOver ? undefined : pipeline.waiting.shift();
      if (isOver) pipeline.waiting = [];
      if (this.#unread.has(socket)) this.#measure(socket);
      if (next !== undefined) this.#begin(pipeline, socket, next.response, next.serve);
    });
    serve();
  }

  /** Counts the unread bytes of a connection. Beyond the limit, the oldest unread responses are cut. */
  #measure(socket: Socket): void {
    this.#count(socket);
    for (const oldest of this.#unread.keys()) {
      // A single response always fits, or a small limit would cut every response.
      if (this.#total <= this.#limits.maxBytes || this.#unread.size === 1) break;
      this.#count(oldest);
      if (this.#total > this.#limits.maxBytes) this.#cut(oldest);
    }
  }

  #count(socket: Socket): void {
    const waiting = this.#pipelines.get(socket)?.waiting.length ?? 0;
    const bytes = socket.destroyed ? 0 : socket.writableLength + waiting * WAITING_REQUEST_BYTES;
    this.#total += bytes - (this.#unread.get(socket) ?? 0);
    if (bytes === 0) this.#unread.delete(socket);
    else this.#unread.set(socket, bytes);
  }

  #cut(socket: Socket): void {
    // A reset frees the kernel's buffer at once. After a normal close it would stay for minutes, megabytes each.
    socket.resetAndDestroy();
    this.#count(socket);
  }
}
