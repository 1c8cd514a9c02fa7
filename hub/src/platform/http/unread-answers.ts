// What clients do not read. A connection is answered one request at a time, so that its unread answers are one at most;
// an answer of which nothing is read for a while ends its connection; and over all connections there is a budget, above
// which those go whose answer waits longest. Event streams are bounded by themselves (events.ts) and counted here.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createInOrder, type InOrder } from './in-order.ts';
import { createKernelQueues } from './kernel-queues.ts';

export interface UnreadLimits {
  /** An answer of which Node sees no byte go for so long is looked at; it ends once the kernel saw none either. */
  stalledMs: number;
  /** Answers that are written piece by piece are looked at so often; those that are written at once need it not. */
  lookEveryMs: number;
  /** Unread answers and waiting requests, over all connections. */
  bytes: number;
  /** Requests of one connection that wait for an answer to be read; one more ends it. Our clients send none ahead. */
  waiting: number;
}

export const UNREAD_LIMITS: UnreadLimits = {
  stalledMs: 30_000,
  lookEveryMs: 5_000,
  bytes: 128 * 1024 * 1024,
  waiting: 24,
};

export interface UnreadAnswers {
  /** Serves the request, at once or when those before it on its connection are answered and read. */
  admit(response: ServerResponse, serve: () => void): void;
  /** The responses under way. */
  readonly open: InOrder<ServerResponse>;
  /** Node's own time for the connection is up: nothing went, or nothing was asked for. */
  timedOut(socket: Socket): Promise<void>;
  bytes(): number;
  stop(): void;
}

/** So often the kernel holds the same: with much room for what comes in, the other end tells late that it took some. */
const STILL_LOOKS = 2;

/** What a request that waits takes, about. */
const WAITING_BYTES = 8 * 1024;

/**
 * Node makes a request of everything that it has read from a connection already, also once that is cut, and holds them
 * until it closes: a quarter of a megabyte each time. It has no other way to be told; a parser that serves another
 * connection is given its own ear again.
 */
function hearNoMore(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } | null };
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => 0;
}

interface Line {
  busy: boolean;
  waiting: { response: ServerResponse; serve: () => void }[];
}

export function createUnreadAnswers(limits: UnreadLimits): UnreadAnswers {
  const lines = new WeakMap<Socket, Line>();
  const open = createInOrder<ServerResponse>();
  /** By connection, that which waits longest first. */
  const unread = new Map<Socket, number>();
  let total = 0;
  const kernel = createKernelQueues(limits.stalledMs / 30);
  /** What was seen of connections that stand still, and how often it was the same. */
  const still = new WeakMap<Socket, { seen: string; times: number }>();

  const charge = (socket: Socket, bytes: number) => {
    total += bytes - (unread.get(socket) ?? 0);
    if (bytes === 0) unread.delete(socket);
    else unread.set(socket, bytes);
    for (const slowest of unread.keys()) {
      // One always fits, or a small budget would answer nothing.
      if (total <= limits.bytes || unread.size === 1) break;
      cut(slowest);
    }
  };
  const cut = (socket: Socket) => {
    charge(socket, 0);
    socket.destroy();
    hearNoMore(socket);
  };
  const measure = (socket: Socket) => {
    const waiting = lines.get(socket)?.waiting.length ?? 0;
    charge(socket, socket.writableLength + waiting * WAITING_BYTES);
  };
  function onEnded(this: ServerResponse) {
    const { socket } = this;
    if (socket === null || socket.writableLength === 0) return;
    // Node counts what the other end takes as activity, and sets its own time again once all is taken.
    socket.setTimeout(limits.stalledMs);
    measure(socket);
  }
  const look = setInterval(() => {
    for (const response of open) {
      const { socket } = response;
      if (socket === null || response.writableEnded) continue;
      // Set again it would begin anew with every look, and never end.
      if (socket.writableLength > 0) {
        if (socket.timeout !== limits.stalledMs) socket.setTimeout(limits.stalledMs);
      } else if (unread.has(socket)) socket.setTimeout(0);
      measure(socket);
    }
  }, limits.lookEveryMs).unref();

  const begin = (line: Line, socket: Socket, response: ServerResponse, serve: () => void) => {
    line.busy = true;
    const leave = open.add(response);
    response.on('prefinish', onEnded);
    response.on('close', () => {
      leave();
      line.busy = false;
      // Also where only our end is closed: what is asked behind it would be carried out, and nobody told.
      const isOver = socket.destroyed || socket.writableEnded;
      const next = isOver ? undefined : line.waiting.shift();
      if (isOver) line.waiting = [];
      if (unread.has(socket)) measure(socket);
      if (next !== undefined) begin(line, socket, next.response, next.serve);
    });
    serve();
  };

  return {
    open,
    async timedOut(socket) {
      if (socket.writableLength === 0) return void socket.destroy();
      const held = await kernel.heldFor(socket);
      // It went on meanwhile, and has a time of its own again.
      if (socket.destroyed || socket.writableLength === 0) return;
      const seen = `${held} ${socket.bytesWritten} ${socket.writableLength}`;
      const before = still.get(socket);
      const times = before?.seen === seen ? before.times + 1 : 0;
      if (held === null || times === STILL_LOOKS) return cut(socket);
      still.set(socket, { seen, times });
      socket.setTimeout(limits.stalledMs);
    },
    bytes: () => total,
    admit(response, serve) {
      const { socket } = response.req;
      if (socket.destroyed) return;
      let line = lines.get(socket);
      if (line === undefined) {
        line = { busy: false, waiting: [] };
        lines.set(socket, line);
      }
      if (!line.busy) return begin(line, socket, response, serve);
      if (line.waiting.length >= limits.waiting) return cut(socket);
      line.waiting.push({ response, serve });
      measure(socket);
    },
    stop: () => clearInterval(look),
  };
}
