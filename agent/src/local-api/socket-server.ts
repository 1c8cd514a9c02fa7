// Purpose: serves the command line and the tray over two local sockets; the socket decides which requests are allowed.
// Main types: `LocalSocket`, `Answers` (handlers by method and path).
// Invariants: `status` is open to every user, `control` to the service's account; a key identifies a user on `status`.
// Depends on: socket-paths, user-keys, and the routes of service/local-api-routes.ts.
// Start reading at `listenLocally`.
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { restrictPipe } from '../native/windows/access-control.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';
import { http } from '../runtime/http-modules.ts';
import { watchOpenFile } from '../runtime/open-file.ts';
import type { SocketKind } from './socket-paths.ts';

/** Handlers by `METHOD /path`. `key`: the caller's bearer token, or null; `body` as it was sent. */
export type Answers = Record<string, (key: string | null, body: string) => unknown>;

const MAX_BODY_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 64;

/** Unix sockets: everybody may connect to the first, only the owner (and root) to the second. */
const MODES: Record<SocketKind, number> = { status: 0o666, control: 0o600 };

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new PlainError('the question is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export interface LocalSocket {
  /**
   * Checks whether the socket is at its path still, and opens it again where it is not. Returns whether it was
   * opened.
   */
  reopenIfRemoved(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Listens on a socket; because of the data folder's lock a socket that exists already is a leftover. `place` is read
 * again at each check: a session's own folder may disappear, and the path changes then.
 */
export async function listenLocally(
  place: string | (() => string),
  kind: SocketKind,
  answers: Answers,
): Promise<LocalSocket> {
  const find = typeof place === 'string' ? () => place : place;
  const open = async () => {
    const path = find();
    const server = await listen(path, kind, answers);
    return { path, server, isInPlace: watchOpenFile(path) };
  };
  let now = await open();
  return {
    async reopenIfRemoved() {
      // Pipes of Windows have no name that could be taken away.
      if (process.platform === 'win32' || (now.path === find() && now.isInPlace())) return false;
      // First: closing takes away whatever lies under its name.
      await closeServer(now.server);
      now = await open();
      return true;
    },
    close: () => closeServer(now.server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Also where it was closed before.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function listen(path: string, kind: SocketKind, answers: Answers): Promise<Server> {
  const server = http.createServer((request, response) => {
    const answer = answers[`${request.method} ${request.url}`];
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (answer === undefined) {
      request.resume();
      return reply(404, { error: 'not known here' });
    }
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    readBody(request)
      .then((body) => answer(key, body))
      .then(
        (body) => reply(200, body ?? {}),
        (error: unknown) =>
          reply(error instanceof PlainError ? 400 : 500, { error: messageOf(error) }),
      );
  });
  // A new connection is always accepted, and the oldest is closed: no client can lock out others.
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    const [oldest] = connections;
    if (connections.size > MAX_CONNECTIONS) oldest?.destroy();
  });
  server.requestTimeout = 10_000;
  if (process.platform !== 'win32') rmSync(path, { force: true });
  // Between binding and chmod nobody else may slip in.
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(umask);
  }
  // A pipe that Windows does not open to others stays with the service's account.
  if (process.platform === 'win32') restrictPipe(path, kind === 'status');
  else chmodSync(path, MODES[kind]);
  return server;
}
