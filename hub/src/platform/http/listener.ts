// The listening socket: opened before anything else, so that a taken port is one clear line, /healthz answers at
// once and port 0 is known before the origin is needed. The application is attached when it is ready.

import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config.ts';
import { ERRORS } from './error-list.ts';
import { errorBody } from './errors.ts';
import type { FastPath } from './quick-answers.ts';
import { requestIdOf } from './request-id.ts';
import {
  createSlowReaderGuard,
  SLOW_READER_LIMITS,
  type SlowReaderLimits,
} from './unread-answers.ts';

export interface Listener {
  server: Server;
  /** Where this process itself can reach it. */
  localUrl: string;
  port: number;
  /** Takes the application's handler; it is not called before `serve`, for until then it may not be ready. */
  attach(handler: RequestListener): Server;
  serve(): void;
  /** Is asked before the application, from `serve` on. */
  answerFirst(quickly: FastPath): void;
  /** No new connections; running requests end within `graceMs`, then they are cut. Gives whether all ended. */
  drain(graceMs: number): Promise<boolean>;
}

/** Of a drain: how long no request came, or how long is waited for that, until connections that are idle end. */
const [QUIET_MS, QUIET_WITHIN_MS, SWEEP_MS] = [100, 1_000, 50];
/** Of a drain: a body of which nothing came for so long is not waited for. Its client sends it again, elsewhere. */
const STANDS_STILL_MS = 2_000;
const MAX_CONNECTIONS = 20_000;
/** Of these so many may be kept alive: an agent keeps its own from poll to poll, and a fleet would leave nobody room. */
const KEPT_SHARE = 0.8;
/** Of connections that were not taken yet: beyond Node's 511 a fleet that returns at once waits seconds to try again. */
const BACKLOG = 4_096;

export async function listen(
  host: string,
  port: number,
  limits: SlowReaderLimits = SLOW_READER_LIMITS,
  maxConnections = MAX_CONNECTIONS,
): Promise<Listener> {
  let attached: RequestListener = answerWhileStarting;
  let serving = false;
  let quickly: FastPath = () => false;
  let draining = false;
  const answers = createSlowReaderGuard(limits);
  const server = createServer({
    // Fastify's defaults leave Node's own guard off: a slow body would never be cut.
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 2_000,
    // Node's own answer would be in no shape of ours.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    socket.once('close', () => connections--);
  });
  let asked = 0;
  server.on('request', (request, response) => {
    asked = performance.now();
    answers.admit(response, () => {
      const isCrowded = connections > maxConnections * KEPT_SHARE;
      if (draining || isCrowded) response.setHeader('connection', 'close');
      if (!serving) answerWhileStarting(request, response);
      else if (!quickly(request, response)) attached(request, response);
    });
  });
  // Node alone would end the connection of one that reads slowly.
  server.on('timeout', answers.timedOut);
  // Node alone would answer a 417 in no shape of ours to what it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
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
      attached = handler;
      return server;
    },
    serve() {
      serving = true;
    },
    answerFirst(handler) {
      quickly = handler;
    },
    async drain(graceMs) {
      draining = true;
      const drainingSince = performance.now();
      // As a server of sockets: one of HTTP would end at once what seems idle.
      const closed = new Promise<void>((resolve) =>
        TcpServer.prototype.close.call(server, () => resolve()),
      );
      for (const response of answers.open) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
      const late = new AbortController();
      const limit = sleep(graceMs, 'late' as const, { signal: late.signal }).catch(
        () => 'late' as const,
      );
      // Kept-alive connections whose last answer went out before the drain began end here. Not while requests still come on
      // such: each is told to close, and one that is just being sent would be lost. Nor while an answer that was written is
      // going out: for Node its connection is idle.
      const endIdle = () => {
        const now = performance.now();
        const isQuiet = now - asked >= QUIET_MS || now - drainingSince >= QUIET_WITHIN_MS;
        const isWriting = [...answers.open].some((one) => one.writableEnded);
        if (isQuiet && !isWriting) server.closeIdleConnections();
      };
      const came = new Map<Socket, { bytes: number; at: number }>();
      const endStill = () => {
        for (const { req, socket, headersSent } of answers.open) {
          if (socket === null || req.complete || headersSent) continue;
          // The hub itself does not read it, as while its gate waits or what came is stored.
          if (req.readableFlowing !== true) continue;
          const seen = came.get(socket);
          if (seen?.bytes !== socket.bytesRead) {
            came.set(socket, { bytes: socket.bytesRead, at: performance.now() });
          } else if (performance.now() - seen.at >= STANDS_STILL_MS) socket.destroy();
        }
      };
      // What has come meanwhile is heard first.
      const endSome = () => {
        endIdle();
        endStill();
      };
      const sweep = setInterval(() => setImmediate(endSome), SWEEP_MS);
      const outcome = await Promise.race([closed.then(() => 'closed' as const), limit]);
      clearInterval(sweep);
      late.abort();
      if (outcome === 'late') server.closeAllConnections();
      await closed;
      answers.stop();
      return outcome === 'closed';
    },
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
