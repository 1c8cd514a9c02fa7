// Connections with servers of the revision 2024-11-05 (HTTP+SSE): an event stream per owner and server with all responses,
// and an address for messages, which is the first event. Such a connection is the session, so it exists in a single hub process.
import type { RequestId } from '@modelcontextprotocol/client';
import type { OpenResponse } from '../../../platform/http/outbound/outbound.ts';
import {
  BodyTooLarge,
  isRequest,
  RPC,
  type RpcMessage,
  readEvents,
  runWithTimeout,
  withIdleTimer,
} from '../protocol/index.ts';
import {
  InvalidResponseError,
  ResponseTooLargeError,
  type ServerCapabilities,
  type SessionOwner,
  statusError,
  timeoutError,
  type UpstreamTarget,
  unavailableError,
} from './targets.ts';
import type { UpstreamHttp } from './upstream-http.ts';
import { CLIENT_INFO, textOrNull } from './upstream-sessions.ts';

const VERSION = '2024-11-05';
const CONNECTIONS_MAX = 1_000;
/** Time without a call after which a connection is closed. */
const IDLE_MS = 60_000;
/** Time limit until the server sent its address and the result of `initialize`. */
const OPENING_MS = 10_000;
const INITIALIZE = 'initialize';
/** Unread messages of a call, beyond which the call fails. */
const UNREAD_MAX = 1_000;

export interface SseInbox {
  /** Returns the next message of the call. Throws RpcError if the connection failed. */
  next(signal: AbortSignal): Promise<RpcMessage>;
  close(): void;
}

export interface SseConnection {
  capabilities: ServerCapabilities;
  instructions: string | null;
  /** Opens the inbox of the request with this id. `onBytes` is called with every byte of the connection. */
  openInbox(id: string, onBytes: () => void): SseInbox;
  post(message: RpcMessage, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SseConnections {
  /** Returns the open connection, or opens it. Throws RpcError. */
  get(target: UpstreamTarget, owner: SessionOwner): Promise<SseConnection>;
  end(target: UpstreamTarget, owner: SessionOwner): void;
}

interface Deps {
  http: UpstreamHttp;
  timeoutMs: number;
  maxBytes: number;
}

/** Returns the connections of this process. */
export function createSseConnections(deps: Deps): SseConnections {
  const connections = new Map<string, Promise<SseConnection>>();
  return {
    get(target, owner) {
      const key = keyOf(target, owner);
      const existing = connections.get(key);
      if (existing !== undefined) return existing;
      if (connections.size >= CONNECTIONS_MAX) {
        return Promise.reject(unavailableError(target, 'too many connections are open'));
      }
      const onEnd = () => {
        if (connections.get(key) === opening) connections.delete(key);
      };
      const timeoutMs = Math.min(deps.timeoutMs, OPENING_MS);
      const opening: Promise<SseConnection> = runWithTimeout(
        timeoutMs,
        timeoutError(target),
        (signal) => openConnection(deps, target, owner, signal, () => onEnd()),
      );
      connections.set(key, opening);
      opening.catch(onEnd);
      return opening;
    },
    end(target, owner) {
      connections.get(keyOf(target, owner))?.then(
        (connection) => connection.close(),
        () => undefined,
      );
    },
  };
}

const keyOf = (target: UpstreamTarget, owner: SessionOwner) =>
  `${owner.hash.toString('hex')} ${target.backendId} ${target.version}`;

async function openConnection(
  deps: Deps,
  target: UpstreamTarget,
  owner: SessionOwner,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<SseConnection> {
  const response = await deps.http.request(target, {
    method: 'GET',
    headers: {},
    // The stream outlives its opening, so the signal bounds the wait below only.
    signal: new AbortController().signal,
    headMs: deps.timeoutMs,
  });
  const type = String(response.headers['content-type'] ?? '');
  if (response.status !== 200 || !type.startsWith('text/event-stream')) {
    response.body.destroy();
    throw statusError(target, response.status);
  }
  const abandon = () => response.body.destroy();
  signal.addEventListener('abort', abandon, { once: true });
  const stream = new SseStream(deps, target, response, onEnd);
  try {
    await stream.ready;
    const { capabilities, instructions } = await initialize(stream, target, owner, signal);
    return {
      openInbox: (id, onBytes) => stream.openInbox(id, onBytes),
      post: (message, postSignal) => stream.post(message, postSignal),
      close: () => stream.close(),
      capabilities: (capabilities ?? {}) as Record<string, unknown>,
      instructions: textOrNull(instructions),
    };
  } catch (error) {
    stream.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

async function initialize(
  stream: SseStream,
  target: UpstreamTarget,
  { capabilities }: SessionOwner,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const inbox = stream.openInbox(INITIALIZE, () => undefined);
  try {
    const params = { protocolVersion: VERSION, capabilities, clientInfo: CLIENT_INFO };
    await stream.post({ jsonrpc: '2.0', id: INITIALIZE, method: INITIALIZE, params }, signal);
    let message = await inbox.next(signal);
    while (message.method !== undefined) message = await inbox.next(signal);
    if (message.result === undefined) throw unavailableError(target, 'it rejected initialize');
    await stream.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, signal);
    return message.result;
  } finally {
    inbox.close();
  }
}

/** Messages of a call. */
class Inbox {
  readonly onBytes: () => void;
  readonly #target: UpstreamTarget;
  readonly #messages: RpcMessage[] = [];
  #failure: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(target: UpstreamTarget, onBytes: () => void) {
    this.#target = target;
    this.onBytes = onBytes;
  }

  push(message: RpcMessage): void {
    if (this.#messages.push(message) > UNREAD_MAX) {
      this.#failure = new InvalidResponseError(this.#target, 'it sends more than its client reads');
    }
    this.#wake();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  async next(signal: AbortSignal): Promise<RpcMessage> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#failure !== null) throw this.#failure;
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

/** The event stream of a connection. It reads until the server ends the stream, or nobody uses it. */
class SseStream {
  /** Resolves when the server has sent its address for messages. */
  readonly ready: Promise<unknown>;
  readonly #deps: Deps;
  readonly #target: UpstreamTarget;
  readonly #response: OpenResponse;
  readonly #onEnd: () => void;
  readonly #inboxes = new Map<string, Inbox>();
  readonly #endpoint = Promise.withResolvers<UpstreamTarget>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(deps: Deps, target: UpstreamTarget, response: OpenResponse, onEnd: () => void) {
    this.#deps = deps;
    this.#target = target;
    this.#response = response;
    this.#onEnd = onEnd;
    this.ready = this.#endpoint.promise;
    this.#read().then(
      () => this.close(),
      (error: unknown) => this.#fail(this.#readError(error)),
    );
  }

  openInbox(id: string, onBytes: () => void): SseInbox {
    clearTimeout(this.#idleTimer);
    const inbox = new Inbox(this.#target, onBytes);
    this.#inboxes.set(id, inbox);
    return {
      next: (signal) => inbox.next(signal),
      close: () => {
        this.#inboxes.delete(id);
        if (this.#inboxes.size > 0) return;
        this.#idleTimer = setTimeout(() => this.close(), IDLE_MS).unref();
      },
    };
  }

  async post(message: RpcMessage, signal: AbortSignal): Promise<void> {
    const endpoint = await this.#endpoint.promise;
    const options = { headers: {}, signal, headMs: this.#deps.timeoutMs };
    const { status, body } = await this.#deps.http.post(endpoint, message, options);
    body.destroy();
    if (status >= 300) throw statusError(this.#target, status);
  }

  close(): void {
    this.#fail(unavailableError(this.#target, 'its connection ended'));
  }

  #fail(error: Error): void {
    clearTimeout(this.#idleTimer);
    this.#response.body.destroy();
    this.#endpoint.reject(error);
    for (const inbox of this.#inboxes.values()) inbox.fail(error);
    this.#onEnd();
  }

  async #read(): Promise<void> {
    const refresh = () => {
      for (const { onBytes } of this.#inboxes.values()) onBytes();
    };
    const body = withIdleTimer(this.#response.body, { refresh });
    const onOtherEvent = (name: string | undefined, data: string) => {
      if (name === 'endpoint') this.#setEndpoint(data);
    };
    const events = readEvents(body, this.#deps.maxBytes, { onOtherEvent });
    for await (const message of events) this.#dispatch(message);
  }

  #readError(error: unknown): Error {
    return error instanceof BodyTooLarge
      ? new ResponseTooLargeError(this.#target, error)
      : unavailableError(this.#target, 'its response was interrupted or unreadable');
  }

  /** The credential must only be sent to the origin that the administrator configured. */
  #setEndpoint(path: string): void {
    const { url: base } = this.#target;
    const url = URL.canParse(path, base) ? new URL(path, base) : null;
    if (url?.origin === new URL(base).origin) {
      this.#endpoint.resolve({ ...this.#target, url: url.href });
    } else {
      const reason = 'its address for messages is at another origin';
      this.#fail(new InvalidResponseError(this.#target, reason));
    }
  }

  #dispatch(message: RpcMessage): void {
    if (message.method === undefined) {
      this.#inboxes.get(String(message.id))?.push(message);
      return;
    }
    // Requests and notifications do not name their call; the newest call most likely has a connected client.
    const newest = [...this.#inboxes.values()].at(-1);
    if (newest !== undefined && message.method !== 'ping') newest.push(message);
    else if (isRequest(message)) this.#respond(message);
  }

  #respond({ id, method }: RpcMessage): void {
    const error = { code: RPC.methodNotFound, message: 'No client is connected to respond.' };
    const response: RpcMessage = {
      jsonrpc: '2.0',
      id: id as RequestId,
      ...(method === 'ping' ? { result: {} } : { error }),
    };
    const signal = AbortSignal.timeout(this.#deps.timeoutMs);
    void this.post(response, signal).catch(() => undefined);
  }
}
