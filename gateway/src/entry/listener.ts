// Listens on one port for HTTP/1.1 and for HTTP/2 without TLS. AWS SDKs call Bedrock by HTTP/2 with prior knowledge
// (RFC 9113 §3.3): the connection preface distinguishes them, because no HTTP/1.1 request begins with its bytes.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import { createServer as createHttp2Server, type Http2Session } from 'node:http2';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';

export interface Listener {
  /** The HTTP/1.1 server. It never listens itself: connections are handed to it. */
  http: Server;
  listen(host: string, port: number): Promise<string>;
  /** Accepts no more connections, and resolves when the running requests have ended. */
  drain(): Promise<void>;
  /** Closes all connections. */
  destroy(): void;
}

/** The first bytes of a WebSocket that arrived with its handshake. */
const upgradeHeads = new WeakMap<IncomingMessage, Buffer>();

/** Returns the first bytes behind the handshake of a WebSocket; null for a request without a handshake. */
export function takeUpgradeHead(request: IncomingMessage): Buffer | null {
  return upgradeHeads.get(request) ?? null;
}

const PREFACE = Buffer.from('PRI');
/** A load balancer in front keeps connections shorter than this. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;

/** Returns a listener that passes every request to the handler. */
export function createListener(handler: RequestListener): Listener {
  let isDraining = false;
  const http = createHttp1(handler, () => isDraining);
  // The compatibility API of HTTP/2 has the members of a request and a response that are used here.
  const http2 = createHttp2Server(handler as unknown as Parameters<typeof createHttp2Server>[0]);
  // A broken session ends its own streams, and nothing else.
  http2.on('sessionError', () => undefined);
  const sessions = new Set<Http2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const sockets = new Set<Socket>();
  /** Connections without a first byte, which neither server knows. */
  const silent = new Set<Socket>();
  const front = createNetServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      silent.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.setTimeout(HEADERS_TIMEOUT_MS, () => socket.destroy());
    socket.once('readable', () => {
      silent.delete(socket);
      socket.setTimeout(0).removeAllListeners('timeout');
      const first = socket.read() as Buffer | null;
      if (first === null) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      const isHttp2 = first.subarray(0, PREFACE.length).equals(PREFACE);
      (isHttp2 ? http2 : http).emit('connection', socket);
    });
  });
  return {
    http,
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        front.once('error', reject);
        front.listen(port, host, resolve);
      });
      // The server tracks idle connections from this event on, which it would otherwise never get.
      http.emit('listening');
      const { address, family, port: bound } = front.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
    },
    async drain() {
      isDraining = true;
      const closed = new Promise<void>((resolve) => front.close(() => resolve()));
      for (const session of sessions) session.close();
      http.closeIdleConnections();
      for (const socket of silent) socket.destroy();
      await closed;
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Returns the HTTP/1.1 server. While the listener drains, an answer ends its connection. */
function createHttp1(handler: RequestListener, isDraining: () => boolean): Server {
  const http = createHttpServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      // Clients offer other protocols, such as `h2c`, with ordinary requests that have a body.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    (request, response) => {
      if (isDraining()) response.shouldKeepAlive = false;
      // The head of an answer that began before may have promised the client that the connection stays open.
      response.once('finish', () => {
        if (isDraining()) request.socket.end();
      });
      handler(request, response);
    },
  );
  http.on('upgrade', (request, socket: Socket, head) => {
    // A refused WebSocket gets an ordinary answer; an accepted one leaves this response (realtime.ts).
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    upgradeHeads.set(request, head);
    handler(request, response);
  });
  return http;
}
