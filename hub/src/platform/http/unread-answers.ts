// What clients do not read. A connection is answered one request at a time, so that its unread answers are one at most;
// an answer of which nothing is read for a while ends its connection; and over all connections there is a budget, above
// which those go whose answer waits longest. Event streams are bounded by themselves (events.ts) and counted here.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createLinkedList, type LinkedList } from './in-order.ts';
import { createKernelQueues } from './kernel-queues.ts';

export interface SlowReaderLimits {
  /** An answer of which neither Node nor the kernel saw a byte go for about so long ends its connection: less one look. */
  stalledMs: number;
  /** Answers that wait to be read are looked at so often. */
  lookEveryMs: number;
  /** Unread answers and waiting requests, over all connections. */
  bytes: number;
  /** Requests of one connection that wait for an answer to be read; one more ends it. Our clients send none ahead. */
  waiting: number;
}

export const SLOW_READER_LIMITS: SlowReaderLimits = {
  stalledMs: 30_000,
  lookEveryMs: 5_000,
  bytes: 128 * 1024 * 1024,
  waiting: 24,
};

export interface SlowReaderGuard {
  /** Serves the request, at once or when those before it on its connection are answered and read. */
  admit(response: ServerResponse, serve: () => void): void;
  /** The responses under way. */
  readonly open: LinkedList<ServerResponse>;
  /** Node's own time for the connection is up: nothing was asked for. */
  timedOut(socket: Socket): void;
  bytes(): number;
  stop(): void;
}

/** Where the kernel does not say what it holds: of one that reads slowly Node sees nothing for longer. */
const BLIND_TIMES = 2;

/** What a request that waits takes, about. */
const WAITING_BYTES = 8 * 1024;

/**
 * Node makes a request of everything that it has read from a connection already, also once that is cut, and holds them
 * until it closes: a quarter of a megabyte each time. It has no other way to be told; a parser that serves another
 * connection is given its own ear again.
 */
function detachParser(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } | null };
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => 0;
}

/** What was seen of a connection that waits to be read, and since when it was the same. */
interface Stand {
  own: string;
  /** Undefined until the kernel was asked. */
  held: string | null | undefined;
  since: number;
}

/** What Node knows of what it has not handed to the kernel yet; of one large piece only its handle sees a part go. */
function ownStand(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`;
}

interface Line {
  busy: boolean;
  waiting: { response: ServerResponse; serve: () => void }[];
}

export function createSlowReaderGuard(limits: SlowReaderLimits): SlowReaderGuard {
  const lines = new WeakMap<Socket, Line>();
  const open = createLinkedList<ServerResponse>();
  /** By connection, that which waits longest first. */
  const unread = new Map<Socket, number>();
  let total = 0;
  const kernel = createKernelQueues(limits.lookEveryMs / 2);
  const stands = new WeakMap<Socket, Stand>();
  // Looks are not that exact: half of one more or less would make a look of difference.
  const stillMs = Math.max(limits.stalledMs - 1.5 * limits.lookEveryMs, limits.stalledMs / 2);

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
    // Reset, or the kernel would keep what nobody reads for minutes more: megabytes for each.
    socket.resetAndDestroy();
    detachParser(socket);
  };
  const measure = (socket: Socket) => {
    const waiting = lines.get(socket)?.waiting.length ?? 0;
    charge(socket, socket.writableLength + waiting * WAITING_BYTES);
  };
  function onEnded(this: ServerResponse) {
    const { socket } = this;
    if (socket === null || socket.writableLength === 0) return;
    measure(socket);
  }
  const lookAt = async (socket: Socket) => {
    const own = ownStand(socket);
    const stand = stands.get(socket);
    if (stand?.own !== own) {
      stands.set(socket, { own, held: undefined, since: performance.now() });
      return;
    }
    const held = await kernel.heldFor(socket);
    if (socket.destroyed || ownStand(socket) !== own) return;
    // Asked for the first time it may have shrunk until now.
    if (stand.held !== held) stand.since = performance.now();
    stand.held = held;
    const patience = held === null ? limits.stalledMs * BLIND_TIMES : stillMs;
    if (performance.now() - stand.since >= patience) cut(socket);
  };
  /** Of a connection that is idle for Node the kernel may hold an answer that nobody reads. */
  const endIdle = async (socket: Socket) => {
    const held = await kernel.heldFor(socket);
    if (lines.get(socket)?.busy === true) return;
    if (held !== null && Number.parseInt(held, 16) > 0) socket.resetAndDestroy();
    else socket.destroy();
  };
  let looking = false;
  const lookAtAll = async () => {
    if (looking) return;
    looking = true;
    const waiting: Socket[] = [];
    for (const { socket } of open) {
      if (socket === null) continue;
      if (socket.writableLength > 0) waiting.push(socket);
      measure(socket);
    }
    await Promise.all(waiting.map(lookAt));
    looking = false;
  };
  const look = setInterval(() => void lookAtAll(), limits.lookEveryMs).unref();

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
    timedOut(socket) {
      if (socket.writableLength === 0) void endIdle(socket);
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
