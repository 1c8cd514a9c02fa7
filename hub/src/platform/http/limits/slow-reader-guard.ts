// Protects the process from clients that do not read their responses (`SlowReaderGuard`).
// Main types: `SlowReaderGuard`, `SlowReaderLimits`.
// Invariants: a connection has at most a single unread response, because pipelined requests wait; a response without
// progress ends its connection; over all connections the unread bytes are limited, and the oldest unread response is cut
// first. Event streams limit themselves (event-streams.ts) but count here. Start reading at `createSlowReaderGuard`.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createLinkedList, type LinkedList } from './linked-list.ts';
import { createSocketQueues, type SocketQueues } from './socket-queues.ts';

export interface SlowReaderLimits {
  /** A response of which neither Node nor the kernel sent a byte for about this long (up to a check less) is cut. */
  stalledMs: number;
  /** Unread responses are checked at this interval. */
  checkIntervalMs: number;
  /** Bytes of unread responses and waiting requests, over all connections. */
  maxBytes: number;
  /** Requests of a connection that wait for a response to be read. The next request cuts the connection. */
  maxPipelined: number;
}

export const SLOW_READER_LIMITS: SlowReaderLimits = {
  stalledMs: 30_000,
  checkIntervalMs: 5_000,
  maxBytes: 128 * 1024 * 1024,
  maxPipelined: 24,
};

export interface SlowReaderGuard {
  /** Serves the request now, or when earlier requests of its connection are answered and their responses are read. */
  admit(response: ServerResponse, serve: () => void): void;
  /** The responses in flight. */
  readonly open: LinkedList<ServerResponse>;
  /** Handles Node's idle timeout of a connection. */
  handleTimeout(socket: Socket): void;
  bytes(): number;
  stop(): void;
}

/** Multiplies the timeout where the kernel does not report its queue: Node sees progress of a slow reader later. */
const TIMEOUT_FACTOR_WITHOUT_KERNEL = 2;

/** Estimated memory of a waiting request. */
const WAITING_REQUEST_BYTES = 8 * 1024;

/**
 * Makes the HTTP parser drop requests that Node has read already. Otherwise Node creates and retains them until the
 * connection closes, also after it was cut: a quarter of a megabyte each time. Node has no public way to stop them; a
 * parser that serves the next connection gets a new callback.
 */
function detachParser(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } | null };
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => 0;
}

/** Last observed progress of a connection with an unread response, and since when it has not changed. */
interface Progress {
  node: string;
  /** Undefined until the kernel was queried. */
  kernel: string | null | undefined;
  since: number;
}

/** Returns what Node has not passed to the kernel yet. Only the handle shows progress within a large buffer. */
function nodeProgress(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`;
}

interface Pipeline {
  busy: boolean;
  waiting: { response: ServerResponse; serve: () => void }[];
}

/** Returns a guard that checks unread responses until `stop`. */
export function createSlowReaderGuard(limits: SlowReaderLimits): SlowReaderGuard {
  return new ConnectionGuard(limits);
}

class ConnectionGuard implements SlowReaderGuard {
  readonly open = createLinkedList<ServerResponse>();
  readonly handleTimeout = (socket: Socket): void => {
    if (socket.writableLength === 0) void this.#endIdle(socket);
  };
  readonly #limits: SlowReaderLimits;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  /** Unread bytes by connection, oldest unread response first. */
  readonly #unread = new Map<Socket, number>();
  readonly #progress = new WeakMap<Socket, Progress>();
  readonly #queues: SocketQueues;
  readonly #stalledMs: number;
  readonly #checks: NodeJS.Timeout;
  readonly #measureAtEnd: (this: ServerResponse) => void;
  #total = 0;
  #isChecking = false;

  constructor(limits: SlowReaderLimits) {
    const { stalledMs, checkIntervalMs } = limits;
    this.#limits = limits;
    this.#queues = createSocketQueues(checkIntervalMs / 2);
    // Checks are not exact: half an interval more or less would make a difference of a whole check.
    this.#stalledMs = Math.max(stalledMs - 1.5 * checkIntervalMs, stalledMs / 2);
    this.#checks = setInterval(() => void this.#checkAll(), checkIntervalMs).unref();
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

  readonly bytes = (): number => this.#total;

  stop(): void {
    clearInterval(this.#checks);
  }

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

  #measure(socket: Socket): void {
    const waiting = this.#pipelines.get(socket)?.waiting.length ?? 0;
    this.#charge(socket, socket.writableLength + waiting * WAITING_REQUEST_BYTES);
  }

  #charge(socket: Socket, bytes: number): void {
    this.#total += bytes - (this.#unread.get(socket) ?? 0);
    if (bytes === 0) this.#unread.delete(socket);
    else this.#unread.set(socket, bytes);
    for (const slowest of this.#unread.keys()) {
      // A single response always fits, or a small limit would cut every response.
      if (this.#total <= this.#limits.maxBytes || this.#unread.size === 1) break;
      this.#cut(slowest);
    }
  }

  #cut(socket: Socket): void {
    this.#charge(socket, 0);
    // A reset frees the kernel's buffer at once. After a normal close it would stay for minutes, megabytes each.
    socket.resetAndDestroy();
    detachParser(socket);
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const unread: Socket[] = [];
    for (const { socket } of this.open) {
      if (socket === null) continue;
      if (socket.writableLength > 0) unread.push(socket);
      this.#measure(socket);
    }
    await Promise.all(unread.map((socket) => this.#check(socket)));
    this.#isChecking = false;
  }

  async #check(socket: Socket): Promise<void> {
    const node = nodeProgress(socket);
    const progress = this.#progress.get(socket);
    if (progress?.node !== node) {
      this.#progress.set(socket, { node, kernel: undefined, since: performance.now() });
      return;
    }
    const kernel = await this.#queues.unacknowledgedBytes(socket);
    if (socket.destroyed || nodeProgress(socket) !== node) return;
    // The first query counts as progress: the queue may have shrunk before it.
    if (progress.kernel !== kernel) progress.since = performance.now();
    progress.kernel = kernel;
    const timeout =
      kernel === null ? this.#limits.stalledMs * TIMEOUT_FACTOR_WITHOUT_KERNEL : this.#stalledMs;
    if (performance.now() - progress.since >= timeout) this.#cut(socket);
  }

  /** Ends a connection that Node regards as idle. The kernel may still have an unread response of it. */
  async #endIdle(socket: Socket): Promise<void> {
    const kernel = await this.#queues.unacknowledgedBytes(socket);
    if (this.#pipelines.get(socket)?.busy === true) return;
    if (kernel !== null && Number.parseInt(kernel, 16) > 0) socket.resetAndDestroy();
    else socket.destroy();
  }
}
