// The listening socket of the hub. It opens before everything else: a taken port is reported at once, /healthz answers
// immediately, and an automatic port is known before the origin is needed. The application is attached when it is ready.
// Main types: `Listener`. States: starting (503), serving, draining.
// Invariant: running requests finish or time out before the process ends. Depends on the slow reader guard.
// Start reading at `listen`.

import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../config/config.ts';
import { ERRORS } from '../errors/error-list.ts';
import { errorBody } from '../errors/errors.ts';
import type { FastPath } from '../limits/fast-path.ts';
import {
  createSlowReaderGuard,
  SLOW_READER_LIMITS,
  type SlowReaderGuard,
  type SlowReaderLimits,
} from '../limits/slow-reader-guard.ts';
import { requestIdOf } from './request-id.ts';

export interface Listener {
  server: Server;
  /** URL for requests of this process to itself. */
  localUrl: string;
  port: number;
  /** Sets the application's handler. It is not called before `serve`, because the application may not be ready. */
  attach(handler: RequestListener): Server;
  serve(): void;
  /** Sets the fast path, which runs before the application. */
  setFastPath(fastPath: FastPath): void;
  /** Rejects new connections and waits up to `graceMs` for running requests. Returns whether all of them ended. */
  drain(graceMs: number): Promise<boolean>;
}

/** While draining, idle connections are ended after this long without a request. */
const QUIET_MS = 100;
/** While draining, idle connections are ended after this long, even if requests still arrive. */
const QUIET_TIMEOUT_MS = 1_000;
const SWEEP_INTERVAL_MS = 50;
/** While draining, a request body without progress for this long is aborted. Its client sends it again elsewhere. */
const STALLED_BODY_MS = 2_000;
const MAX_CONNECTIONS = 20_000;
/** Share of connections that may be kept alive. Agents keep theirs between polls, and a fleet would leave no room. */
const KEEP_ALIVE_SHARE = 0.8;
/** Connections waiting to be accepted. Beyond Node's default of 511, a returning fleet would wait seconds to retry. */
const BACKLOG = 4_096;

/** Opens the socket. Throws ConfigError if the address or port cannot be used. */
export async function listen(
  host: string,
  port: number,
  limits: SlowReaderLimits = SLOW_READER_LIMITS,
  maxConnections = MAX_CONNECTIONS,
): Promise<Listener> {
  const server = createServer({
    // Fastify's defaults disable Node's own timeouts: a slow body would never be cut.
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 2_000,
    // Node's own error response would not have the hub's format.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;
  // The time without progress after which the guard looks at a connection.
  server.timeout = limits.stalledMs;
  const guard = createSlowReaderGuard(limits);
  const state: ListenerState = {
    ...{ server, guard, maxConnections, connections: 0, lastRequestAt: 0 },
    ...{ handler: answerWhileStarting, fastPath: () => false, isServing: false, isDraining: false },
  };
  handleEvents(state);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const address = server.address() as AddressInfo;
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : bracketed(host);
  return {
    server,
    localUrl: `http://${local}:${address.port}`,
    port: address.port,
    attach(handler) {
      state.handler = handler;
      return server;
    },
    serve() {
      state.isServing = true;
    },
    setFastPath(fastPath) {
      state.fastPath = fastPath;
    },
    drain: (graceMs) => drain(state, graceMs),
  };
}

interface ListenerState {
  readonly server: Server;
  readonly guard: SlowReaderGuard;
  readonly maxConnections: number;
  connections: number;
  /** Monotonic time in milliseconds. */
  lastRequestAt: number;
  handler: RequestListener;
  fastPath: FastPath;
  isServing: boolean;
  isDraining: boolean;
}

function handleEvents(state: ListenerState): void {
  const { server, guard } = state;
  server.on('connection', (socket) => {
    state.connections++;
    socket.once('close', () => state.connections--);
  });
  server.on('request', (request, response) => {
    state.lastRequestAt = performance.now();
    guard.admit(response, () => {
      const isCrowded = state.connections > state.maxConnections * KEEP_ALIVE_SHARE;
      if (state.isDraining || isCrowded) response.setHeader('connection', 'close');
      if (!state.isServing) answerWhileStarting(request, response);
      else if (!state.fastPath(request, response)) state.handler(request, response);
    });
  });
  // Without this listener Node would end every connection without progress, also one that waits for its response.
  server.on('timeout', guard.handleTimeout);
  // Without this listener Node would answer an unknown expectation with its own 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

async function drain(state: ListenerState, graceMs: number): Promise<boolean> {
  const { server, guard } = state;
  state.isDraining = true;
  const drainingSince = performance.now();
  // The method of net.Server is used: that of http.Server would end connections at once that seem idle.
  const closed = new Promise<void>((resolve) =>
    TcpServer.prototype.close.call(server, () => resolve()),
  );
  for (const response of guard.open) {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }
  const grace = new AbortController();
  const timeout = sleep(graceMs, 'late' as const, { signal: grace.signal }).catch(
    () => 'late' as const,
  );
  const endStalledBodies = createStalledBodySweep(guard);
  const sweep = () => {
    endIdleConnections(state, drainingSince);
    endStalledBodies();
  };
  // Events that have arrived are handled before a sweep.
  const sweeps = setInterval(() => setImmediate(sweep), SWEEP_INTERVAL_MS);
  const outcome = await Promise.race([closed.then(() => 'closed' as const), timeout]);
  clearInterval(sweeps);
  grace.abort();
  if (outcome === 'late') server.closeAllConnections();
  await closed;
  return outcome === 'closed';
}

/**
 * Ends keep-alive connections whose last response was sent before the drain. While requests still arrive, each response
 * closes its connection, and a request in transit would be lost. A written response that is still being sent postpones the
 * sweep too: Node regards its connection as idle.
 */
function endIdleConnections(state: ListenerState, drainingSince: number): void {
  const now = performance.now();
  const isQuiet = now - state.lastRequestAt >= QUIET_MS || now - drainingSince >= QUIET_TIMEOUT_MS;
  const isWriting = [...state.guard.open].some((response) => response.writableEnded);
  if (isQuiet && !isWriting) state.server.closeIdleConnections();
}

/** Returns a sweep that aborts requests whose body made no progress since earlier sweeps. */
function createStalledBodySweep(guard: SlowReaderGuard): () => void {
  const progress = new Map<Socket, { bytes: number; at: number }>();
  return () => {
    for (const { req, socket, headersSent } of guard.open) {
      if (socket === null || req.complete || headersSent) continue;
      // The hub itself has paused the body, for example during authentication or a write.
      if (req.readableFlowing !== true) continue;
      const last = progress.get(socket);
      if (last?.bytes !== socket.bytesRead) {
        progress.set(socket, { bytes: socket.bytesRead, at: performance.now() });
      } else if (performance.now() - last.at >= STALLED_BODY_MS) socket.destroy();
    }
  };
}

const answerWhileStarting: RequestListener = (request, response) => {
  const isHealth = request.url === '/healthz';
  const { status, message } = ERRORS.starting;
  const requestId = requestIdOf(request);
  response.writeHead(isHealth ? 200 : status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(isHealth ? {} : { 'retry-after': '1' }),
  });
  response.end(
    JSON.stringify(isHealth ? { status: 'ok' } : errorBody('starting', message, requestId)),
  );
};

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(
      `port ${port} on ${host} is taken: stop what listens there, or set HUB_PORT to another`,
    );
  }
  if (error.code === 'EACCES') {
    return new ConfigError(`port ${port} may not be opened by this user: set HUB_PORT above 1023`);
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new ConfigError(`HUB_HOST ${host} is not an address of this machine`);
  }
  return error;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
