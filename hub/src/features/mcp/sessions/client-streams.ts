// Open streams of clients: the GET stream of a session, and `subscriptions/listen` requests. Each stream is revalidated at
// intervals and after a revocation, and receives list changes and messages of servers.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Db } from '../../../platform/db/database.ts';
import type { Notice, Notifications } from '../../../platform/feed/notifications.ts';
import { InvalidTokenError } from '../access-tokens/index.ts';
import { formatEvent, type ListKind, RpcError, type RpcMessage } from '../protocol/index.ts';
import { CHANNELS, onSignals, sendSignal } from '../upstream/index.ts';
import { ListChangeNotifier } from './list-change-notifier.ts';
import { KEEP_ALIVE } from './response-stream.ts';
import { REVALIDATION_CACHES, SESSION_CACHE } from './revalidation-caches.ts';

/** Streams are spread over so many slots of the keep-alive interval: ten thousand writes at once would delay all others. */
const KEEP_ALIVE_SLOTS = 100;
/** Streams that are handled before other work gets a turn. */
const BATCH_SIZE = 100;
const UNREAD_MAX_BYTES = 1024 * 1024;
/** Many users may share a token, and the e-mail that they claim is not proven. */
const STREAMS_PER_TOKEN = 4_096;
const STREAMS_PER_HOLDER = 256;
/** Wait of a new session with a server until the server's stream is followed. */
const FOLLOW_WAIT_MS = 1_000;
const STREAMING_SESSIONS_MAX = 50_000;

export interface StreamSpec {
  tenantId: string;
  tokenId: string;
  /** Holder of the token: for a direct API token, the token and its user. */
  holder: string;
  /** The session of a GET stream; a newer stream of the session replaces it. Null: the stream of a request. */
  session: string | null;
  /** Null: all backends of the tenant. */
  backendId: string | null;
  response: ServerResponse;
  /** Returns the message for this client; null: the client does not receive it. */
  toClient(message: RpcMessage): RpcMessage | null;
  /** Throws if the client lost its access. */
  revalidate(): Promise<unknown>;
  /** Loads again which servers the stream follows. */
  refresh(): void;
  /** Returns the last message of a stream that ends while its client is connected. */
  finalMessage?: () => RpcMessage;
}

export interface ClientStream {
  write(message: RpcMessage): void;
  /** Notifies of a change of all lists at once, because the client may have missed changes. */
  notifyAllListsChanged(): void;
  end(): void;
  /** Aborts when the stream ended. */
  signal: AbortSignal;
}

export interface ClientStreams {
  /** Notifies every process that the session is about to open its stream. Never throws. */
  announceOpening(session: string): Promise<void>;
  /** Returns null if the token or its holder has too many streams. */
  open(spec: StreamSpec): ClientStream | null;
  /** Sends a list change to the streams of the backend, debounced. */
  notifyListChanged(tenantId: string, backendId: string, kind: ListKind): void;
  /**
   * Resolves when a server's stream is followed for a session with an open stream in any process, at once for a session
   * without. Bounded by a timeout; never throws. Call it before the signal of the new session is sent.
   */
  awaitFollowed(session: string, backendId: string): Promise<void>;
  /** Announces that the server's stream is followed for this session, or that the server has none. */
  announceFollowed(session: string, backendId: string): void;
  size(): number;
  stop(): void;
}

interface OpenStream extends StreamSpec {
  id: string;
  /** Streams with the same slot of the keep-alive interval. */
  slot: Set<OpenStream>;
  abort: AbortController;
  listChanges: ListChangeNotifier;
}

/** Returns the streams of this process. `reportSize` receives their number after each change. */
export function createClientStreams(
  db: Db,
  notifications: Notifications,
  reportSize: (streams: number) => void,
  keepAliveMs: number,
): ClientStreams {
  return new ClientStreamRegistry({ db, notifications, reportSize, keepAliveMs });
}

/** Counts the open streams of tokens and their holders. */
class StreamQuota {
  readonly #counts = new Map<string, number>();

  isExhausted({ tokenId, holder }: StreamSpec): boolean {
    const { token, user } = this.#keys({ tokenId, holder });
    return this.#count(token) >= STREAMS_PER_TOKEN || this.#count(user) >= STREAMS_PER_HOLDER;
  }

  add(spec: StreamSpec, change: 1 | -1): void {
    for (const key of Object.values(this.#keys(spec))) {
      const count = this.#count(key) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }

  #keys({ tokenId, holder }: Pick<StreamSpec, 'tokenId' | 'holder'>) {
    return { token: `token ${tokenId}`, user: `holder ${holder}` };
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

class ClientStreamRegistry implements ClientStreams {
  readonly #db: Db;
  readonly #reportSize: (streams: number) => void;
  readonly #byTenant = new Map<string, Set<OpenStream>>();
  readonly #bySession = new Map<string, OpenStream>();
  readonly #quota = new StreamQuota();
  /** Sessions with an open stream in any process, newest last. */
  readonly #streamingSessions = new Set<string>();
  /** Emits `session backend` when a server's stream is followed. */
  readonly #followed = new EventEmitter().setMaxListeners(0);
  readonly #slots = Array.from({ length: KEEP_ALIVE_SLOTS }, () => new Set<OpenStream>());
  readonly #processId = randomUUID();
  readonly #keepAlive: NodeJS.Timeout;
  #currentSlot = 0;
  #lastNumber = 0;
  #size = 0;
  #isStopped = false;

  constructor(options: {
    db: Db;
    notifications: Notifications;
    reportSize: (streams: number) => void;
    keepAliveMs: number;
  }) {
    this.#db = options.db;
    this.#reportSize = options.reportSize;
    const { notifications } = options;
    notifications.onNotice((notice) => this.#onNotice(notice));
    const refresh = (session: string) => this.#bySession.get(session)?.refresh();
    onSignals(notifications, {
      [CHANNELS.upstreamSessionBegun]: refresh,
      [CHANNELS.subscriptionsChanged]: refresh,
      [CHANNELS.streamOpened]: (key) => this.#replaceStream(key),
      [CHANNELS.streamOpening]: (session) => this.#addStreamingSession(session),
      [CHANNELS.streamClosed]: (session) => {
        if (!this.#bySession.has(session)) this.#streamingSessions.delete(session);
      },
      [CHANNELS.serverFollowed]: (key) => void this.#followed.emit(key),
    });
    const slotMs = options.keepAliveMs / KEEP_ALIVE_SLOTS;
    this.#keepAlive = setInterval(() => this.#sendKeepAlive(), slotMs).unref();
  }

  async announceOpening(session: string): Promise<void> {
    this.#addStreamingSession(session);
    await sendSignal(this.#db, CHANNELS.streamOpening, session).catch(() => undefined);
  }

  open(spec: StreamSpec): ClientStream | null {
    if (this.#isStopped || this.#quota.isExhausted(spec)) return null;
    const number = ++this.#lastNumber;
    const stream: OpenStream = {
      ...spec,
      id: `${this.#processId}-${number}`,
      slot: this.#slots[number % KEEP_ALIVE_SLOTS] ?? new Set(),
      abort: new AbortController(),
      listChanges: new ListChangeNotifier((message) => this.#write(stream, message)),
    };
    this.#register(stream);
    spec.response.once('close', () => this.#end(stream));
    return {
      write: (message) => this.#write(stream, message),
      notifyAllListsChanged: () => stream.listChanges.notifyAllNow(),
      end: () => this.#end(stream),
      signal: stream.abort.signal,
    };
  }

  notifyListChanged = (tenantId: string, backendId: string, kind: ListKind): void => {
    for (const stream of this.#byTenant.get(tenantId) ?? []) {
      if (stream.backendId === null || stream.backendId === backendId) {
        stream.listChanges.notify(kind);
      }
    }
  };

  async awaitFollowed(session: string, backendId: string): Promise<void> {
    if (!this.#streamingSessions.has(session)) return;
    const signal = AbortSignal.timeout(FOLLOW_WAIT_MS);
    // After the timeout a message of the server may be lost, but the call is not delayed any longer.
    await once(this.#followed, `${session} ${backendId}`, { signal }).catch(() => undefined);
  }

  announceFollowed(session: string, backendId: string): void {
    const key = `${session} ${backendId}`;
    sendSignal(this.#db, CHANNELS.serverFollowed, key).catch(() => undefined);
  }

  size(): number {
    return this.#size;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#keepAlive);
    for (const stream of this.#allStreams()) this.#end(stream);
  }

  #register(stream: OpenStream): void {
    this.#quota.add(stream, 1);
    stream.slot.add(stream);
    const ofTenant = this.#byTenant.get(stream.tenantId) ?? new Set();
    this.#byTenant.set(stream.tenantId, ofTenant.add(stream));
    this.#reportSize(++this.#size);
    const { session } = stream;
    if (session === null) return;
    const replaced = this.#bySession.get(session);
    if (replaced !== undefined) this.#end(replaced, { isReplaced: true });
    this.#bySession.set(session, stream);
    const key = `${session} ${stream.id}`;
    sendSignal(this.#db, CHANNELS.streamOpened, key).catch(() => undefined);
  }

  #end(stream: OpenStream, { isReplaced = false } = {}): void {
    if (stream.abort.signal.aborted) return;
    stream.abort.abort();
    stream.slot.delete(stream);
    this.#reportSize(--this.#size);
    const ofTenant = this.#byTenant.get(stream.tenantId);
    ofTenant?.delete(stream);
    if (ofTenant?.size === 0) this.#byTenant.delete(stream.tenantId);
    this.#quota.add(stream, -1);
    this.#endSessionStream(stream, isReplaced);
    if (!stream.response.writable) return;
    const { finalMessage } = stream;
    stream.response.end(finalMessage === undefined ? '' : formatEvent(finalMessage()));
  }

  #endSessionStream(stream: OpenStream, isReplaced: boolean): void {
    const { session } = stream;
    if (session === null || this.#bySession.get(session) !== stream) return;
    this.#bySession.delete(session);
    if (isReplaced || this.#isStopped) return;
    this.#streamingSessions.delete(session);
    sendSignal(this.#db, CHANNELS.streamClosed, session).catch(() => undefined);
  }

  /** Ends the stream of a session that has a newer stream in another process. The key is session and stream id. */
  #replaceStream(key: string): void {
    const [session = '', id] = key.split(' ');
    // Streams of this process are replaced at once, and this signal may arrive after the next stream opened.
    if (id?.startsWith(this.#processId) === true) return;
    const stream = this.#bySession.get(session);
    if (stream !== undefined && stream.id !== id) this.#end(stream, { isReplaced: true });
  }

  #onNotice(notice: Notice): void {
    if (notice.kind !== 'forget') return;
    const { cache, keys } = notice;
    // Each of these runs after the caches were invalidated by the same notice.
    if (REVALIDATION_CACHES.has(cache)) {
      setImmediate(() => this.#forEachInBatches(this.#allStreams(), this.#revalidate));
    }
    if (cache === SESSION_CACHE) {
      setImmediate(() => {
        const streams = keys.map((key) => this.#bySession.get(key));
        streams.filter((stream) => stream !== undefined).forEach(this.#revalidate);
      });
    }
    if (cache === 'mcp-backends') {
      setImmediate(() => {
        for (const tenantId of keys) {
          this.#forEachInBatches([...(this.#byTenant.get(tenantId) ?? [])], this.#refreshBackends);
        }
      });
    }
  }

  #revalidate = (stream: OpenStream): void => {
    stream.revalidate().catch((error: Error) => {
      // A database that is down removes nobody's access.
      if (error instanceof InvalidTokenError || error instanceof RpcError) this.#end(stream);
    });
  };

  #refreshBackends = (stream: OpenStream): void => {
    if (stream.abort.signal.aborted) return;
    stream.refresh();
    stream.listChanges.notifyAll();
  };

  #write(stream: OpenStream, message: RpcMessage): void {
    const formatted = stream.toClient(message);
    if (formatted !== null) this.#writeText(stream, formatEvent(formatted));
  }

  #writeText(stream: OpenStream, text: string): void {
    if (stream.abort.signal.aborted) return;
    if (stream.response.writableLength <= UNREAD_MAX_BYTES) {
      stream.response.write(text);
      return;
    }
    this.#end(stream);
    stream.response.destroy();
  }

  #sendKeepAlive(): void {
    for (const stream of [...(this.#slots[this.#currentSlot] ?? [])]) {
      this.#writeText(stream, KEEP_ALIVE);
      this.#revalidate(stream);
    }
    this.#currentSlot = (this.#currentSlot + 1) % KEEP_ALIVE_SLOTS;
  }

  #addStreamingSession(session: string): void {
    const sessions = this.#streamingSessions;
    sessions.delete(session);
    sessions.add(session);
    if (sessions.size > STREAMING_SESSIONS_MAX)
      sessions.delete(sessions.values().next().value ?? '');
  }

  #allStreams(): OpenStream[] {
    return [...this.#byTenant.values()].flatMap((streams) => [...streams]);
  }

  /** Yields to other work between batches, so a stream may have ended before its turn. */
  #forEachInBatches(streams: readonly OpenStream[], handle: (stream: OpenStream) => void): void {
    for (const stream of streams.slice(0, BATCH_SIZE)) handle(stream);
    const rest = streams.slice(BATCH_SIZE);
    if (rest.length > 0) setImmediate(() => this.#forEachInBatches(rest, handle));
  }
}
