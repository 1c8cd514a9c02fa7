// Sessions of the gateway with legacy servers: a session per owner and server, stored as rows, so that any hub process uses them.
import { Readable } from 'node:stream';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { OpenResponse } from '../../../platform/http/outbound/outbound.ts';
import {
  LEGACY,
  type RpcMessage,
  raceAbort,
  readText,
  runWithTimeout,
  startIdleTimer,
} from '../protocol/index.ts';
import { CHANNELS, sendSignal } from './signals.ts';
import { sealedSessionLocation, selectUpstreamSession, storeUpstreamSession } from './store.ts';
import {
  ConnectionLostError,
  InitializeRejectedError,
  type ServerCapabilities,
  ServerUnreachableError,
  type SessionOwner,
  statusError,
  timeoutError,
  type UpstreamTarget,
  unavailableError,
} from './targets.ts';

/** `clientInfo` that the gateway sends to servers. */
export const CLIENT_INFO = { name: 'gatewarden', version: '1' };
const SESSIONS_MAX = 50_000;
/** Bytes of an error response that are searched for a hint at the session. */
const HEAD_BYTES = 64 * 1024;
/** Statuses of `initialize` at a server that only has the transport HTTP+SSE of 2024-11-05. */
const LEGACY_SSE_STATUSES = new Set([400, 404, 405]);

interface Session {
  /** Null: the server gave the session no id. */
  id: string | null;
  version: string;
  capabilities: ServerCapabilities;
  instructions: string | null;
  /** Resolves when the server's requests outside of responses reach the client. */
  streamFollowed: Promise<void>;
}

export interface SessionDeps {
  db: Db;
  sealer: Sealer;
  post(
    target: UpstreamTarget,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenResponse>;
  readMessages(target: UpstreamTarget, response: OpenResponse): AsyncGenerator<RpcMessage>;
  /** Resolves when the server's stream is followed for the client of the owner, or cannot be. */
  awaitFollowed(owner: SessionOwner, target: UpstreamTarget): Promise<void>;
  /** Time limit for the start of a session. */
  timeoutMs: number;
}

type SendWithHeaders = (headers: Record<string, string>) => Promise<OpenResponse>;
type EndSession = (headers: Record<string, string>) => Promise<void>;

export interface UpstreamSessions {
  /**
   * Sends a request in the owner's session. If the server does not know the session any more, the request is sent once more in
   * a new session. `awaitStream` false: the request does not wait for the server's stream.
   */
  sendInSession(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
    send: SendWithHeaders,
    options?: { awaitStream: boolean },
  ): Promise<OpenResponse>;
  fetchCapabilities(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<ServerCapabilities>;
  /** Fetches instructions in a separate session, because a server sends them at the start only. `end` ends that session. */
  fetchInstructions(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
    end: EndSession,
  ): Promise<string | null>;
  /** Ends the session. `end` is called if the session has an id. The caller deletes the row. */
  endSession(target: UpstreamTarget, owner: SessionOwner, end: EndSession): Promise<void>;
}

/** Returns the sessions of this process. */
export function createUpstreamSessions(deps: SessionDeps): UpstreamSessions {
  return new StoredUpstreamSessions(deps);
}

class StoredUpstreamSessions implements UpstreamSessions {
  readonly #deps: SessionDeps;
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  async sendInSession(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
    send: SendWithHeaders,
    { awaitStream } = { awaitStream: true },
  ): Promise<OpenResponse> {
    const key = keyOf(target, owner);
    const loading = this.#get(target, owner);
    const session = await raceAbort(loading, signal);
    if (awaitStream) await raceAbort(session.streamFollowed, signal);
    const response = await withHead(await send(headersOf(session)), this.#deps.timeoutMs);
    if (session.id === null || !isSessionUnknown(response)) return response;
    response.body.destroy();
    // The first of several waiting calls begins the new session for all of them.
    const current = this.#sessions.get(key);
    const renewed =
      current === undefined || current === loading
        ? this.#cache(key, this.#begin(target, owner))
        : current;
    const next = await raceAbort(renewed, signal);
    if (awaitStream) await raceAbort(next.streamFollowed, signal);
    return send(headersOf(next));
  }

  async endSession(target: UpstreamTarget, owner: SessionOwner, end: EndSession): Promise<void> {
    const key = keyOf(target, owner);
    const session = await (this.#sessions.get(key) ?? this.#load(target, owner));
    this.#sessions.delete(key);
    if (session !== null && session.id !== null) await end(headersOf(session));
  }

  async fetchInstructions(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
    end: EndSession,
  ): Promise<string | null> {
    const session = await this.#initialize(target, owner, signal);
    // If the server cannot be reached, its session ends by its own timeout.
    if (session.id !== null) void end(headersOf(session)).catch(() => undefined);
    return session.instructions;
  }

  async fetchCapabilities(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<ServerCapabilities> {
    return (await raceAbort(this.#get(target, owner), signal)).capabilities;
  }

  #get(target: UpstreamTarget, owner: SessionOwner): Promise<Session> {
    const key = keyOf(target, owner);
    const cached = this.#sessions.get(key);
    if (cached !== undefined) return cached;
    const loading = this.#load(target, owner);
    return this.#cache(
      key,
      loading.then((session) => session ?? this.#begin(target, owner)),
    );
  }

  #cache(key: string, session: Promise<Session>): Promise<Session> {
    this.#sessions.set(key, session);
    session.catch(() => {
      if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    });
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS_MAX) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }

  async #load(target: UpstreamTarget, owner: SessionOwner): Promise<Session | null> {
    const { db, sealer } = this.#deps;
    const stored = await selectUpstreamSession(db, owner.hash, target.backendId);
    if (stored === null) return null;
    const { sealed_session: sealed, protocol_version: version } = stored;
    const location = sealedSessionLocation(owner.hash, target.backendId);
    const id = sealed === null ? null : sealer.unseal(sealed, location);
    return newSession(id, version);
  }

  #begin(target: UpstreamTarget, owner: SessionOwner): Promise<Session> {
    return runWithTimeout(this.#deps.timeoutMs, timeoutError(target), (signal) =>
      this.#beginWithin(target, owner, signal),
    );
  }

  async #beginWithin(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<Session> {
    const { db, sealer, post } = this.#deps;
    const session = await this.#initialize(target, owner, signal);
    const { id } = session;
    const location = sealedSessionLocation(owner.hash, target.backendId);
    await storeUpstreamSession(db, owner.hash, target.backendId, {
      sealed_session: id === null ? null : sealer.seal(id, location),
      protocol_version: session.version,
    });
    const headers = headersOf(session);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    (await post(target, initialized, headers, signal)).body.destroy();
    if (owner.logLevel !== null && isObject(session.capabilities?.logging)) {
      const params = { level: owner.logLevel };
      const message = { jsonrpc: '2.0', id: 'level', method: 'logging/setLevel', params };
      (await post(target, message, headers, signal)).body.destroy();
    }
    // A server may send a request during the first call. It is lost unless the client's stream follows the server.
    session.streamFollowed = this.#deps.awaitFollowed(owner, target);
    await sendSignal(db, CHANNELS.upstreamSessionBegun, owner.hash.toString('hex'));
    return session;
  }

  async #initialize(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<Session> {
    const { post, readMessages } = this.#deps;
    const { capabilities } = owner;
    const params = { protocolVersion: LEGACY, capabilities, clientInfo: CLIENT_INFO };
    const message = { jsonrpc: '2.0', id: 'initialize', method: 'initialize', params };
    const response = await post(target, message, {}, signal).catch((error: unknown) => {
      throw error instanceof ConnectionLostError ? new ServerUnreachableError(target) : error;
    });
    if (response.status !== 200) {
      response.body.destroy();
      throw initializeError(target, response.status);
    }
    const session = newSession(sessionIdIn(response), LEGACY);
    for await (const { id, error, result = {} } of readMessages(target, response)) {
      if (id !== 'initialize') continue;
      if (error !== undefined) throw unavailableError(target, 'it rejected initialize');
      applyInitializeResult(session, result);
      break;
    }
    return session;
  }
}

const newSession = (id: string | null, version: string): Session => ({
  id,
  version,
  capabilities: null,
  instructions: null,
  streamFollowed: Promise.resolve(),
});

function initializeError(target: UpstreamTarget, status: number) {
  const reason = `it responded with ${status} to initialize`;
  return LEGACY_SSE_STATUSES.has(status)
    ? new InitializeRejectedError(target, reason)
    : statusError(target, status, reason);
}

/** Returns the session id, or null for an id that is not valid in a header. */
function sessionIdIn({ headers }: OpenResponse): string | null {
  const header = headers['mcp-session-id'];
  return typeof header === 'string' && /^[\x21-\x7e]{1,1000}$/.test(header) ? header : null;
}

function applyInitializeResult(session: Session, result: Record<string, unknown>): void {
  const { protocolVersion, capabilities, instructions } = result;
  if (typeof protocolVersion === 'string' && /^[\w.-]{1,40}$/.test(protocolVersion)) {
    session.version = protocolVersion;
  }
  session.capabilities = isObject(capabilities) ? capabilities : {};
  session.instructions = textOrNull(instructions);
}

/** Reads the beginning of a response with the status 400, which may concern the session. The body can be read again. */
async function withHead(
  response: OpenResponse,
  timeoutMs: number,
): Promise<OpenResponse & { head?: string }> {
  if (response.status !== 400) return response;
  const timer = startIdleTimer(response.body, timeoutMs);
  const head = await readText(response.body, HEAD_BYTES, timer).catch(() => '');
  timer.end();
  response.body.destroy();
  return { ...response, head, body: Readable.from(head === '' ? [] : [Buffer.from(head)]) };
}

/** The protocol requires 404. Many servers, such as the examples of the SDK, send 400 with a text about the session. */
const isSessionUnknown = ({ status, head = '' }: { status: number; head?: string }) =>
  status === 404 || (status === 400 && /session/i.test(head));

/** Returns a text that is not blank, or null. */
export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const keyOf = (target: UpstreamTarget, owner: SessionOwner) =>
  `${owner.hash.toString('hex')} ${target.backendId} ${target.version}`;
const headersOf = ({ id, version }: Session): Record<string, string> => ({
  'mcp-protocol-version': version,
  ...(id === null ? {} : { 'mcp-session-id': id }),
});
