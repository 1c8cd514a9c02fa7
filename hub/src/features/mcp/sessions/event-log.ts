// Log of the events of a response, so that a legacy client that lost its connection resumes the stream by the id of its last
// event (Last-Event-ID), at any hub process.
//
// States of a stream: attached (events go to the response, the newest are buffered in memory) → detached (the client
// disconnected, or resumed the stream elsewhere; events are rows) → over. A stream that ended while attached stays in
// memory for a while, because its last event may not have arrived. Rows and memory are deleted after ten minutes.
// Bounds: events and characters per attached stream, characters of ended streams per process, streams per session, and
// characters per stored event.

import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { RequestId } from '@modelcontextprotocol/client';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { parseLossless, stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { errorMessage, RPC, RpcError, type RpcMessage } from '../protocol/index.ts';
import { CHANNELS, type Channel, onSignals, sendSignal } from '../upstream/index.ts';
import {
  insertEvent,
  insertStream,
  SEALED_EVENTS,
  type StreamKey,
  selectEvents,
  selectStream,
  touchStream,
} from './stream-store.ts';

const BUFFERED_EVENTS = 64;
const BUFFERED_CHARS = 1024 * 1024;
const STREAMS_PER_SESSION = 16;
const EVENT_MAX_CHARS = 4 * 1024 * 1024;
/** Characters of all ended streams of this process. */
const ENDED_CHARS = 32 * 1024 * 1024;
const ENDED_MS = 10 * 60_000;
/** Heartbeat of the process that runs the call. After four missing heartbeats the call counts as lost. */
const HEARTBEAT_MS = 15_000;
const DETACH_WAIT_MS = 2_000;

const EVENT_ID = /^gws1\.([0-9a-f-]{36})\.(\d{1,9})$/;

export interface LoggedEvent {
  seq: number;
  message: RpcMessage;
  isLast: boolean;
}

export interface LoggedStream {
  eventId(seq: number): string;
  /** Buffers an event that was written to the response. */
  buffer(event: LoggedEvent): void;
  /** Stores the buffered events. Resolves when they are rows. */
  persist(): Promise<void>;
  /** Stores an event of a detached stream. */
  append(event: LoggedEvent): Promise<void>;
  /** Ends the stream. Buffered events stay in memory for a client that resumes the stream later. */
  close(): void;
}

export type StreamPosition = StreamKey & { after: number };

export interface EventLog {
  /** Opens the log of a response. `abandon` is called when the client resumes the stream elsewhere. */
  open(owner: Buffer, requestId: RequestId, abandon: () => void): LoggedStream;
  /** Returns the position of an event id, or null if the id is invalid or its stream is not stored. */
  find(owner: Buffer, lastEventId: string): Promise<StreamPosition | null>;
  /** Yields the stored events after the position as they are added, until the last event of the stream. */
  read(position: StreamPosition, signal: AbortSignal): AsyncGenerator<LoggedEvent>;
}

/** Returns the event log of this process. */
export function createEventLog(db: Db, sealer: Sealer, notifications: Notifications): EventLog {
  return new DatabaseEventLog(db, sealer, notifications);
}

const keyOf = ({ owner, streamId }: StreamKey) => `${owner.toString('hex')} ${streamId}`;
const locationIn = ({ owner, streamId }: StreamKey, seq: number) =>
  locationOf(SEALED_EVENTS, [owner.toString('hex'), streamId, String(seq)]);

interface EndedStream {
  chars: number;
  untilMs: number;
  persist(): void;
}

/** Ended streams whose events are buffered in memory, oldest first. */
class EndedStreams {
  readonly #streams = new Map<string, EndedStream>();
  #chars = 0;

  add(key: string, stream: EndedStream): void {
    this.#streams.set(key, stream);
    this.#chars += stream.chars;
    for (const [oldest, { untilMs }] of this.#streams) {
      if (this.#chars <= ENDED_CHARS && untilMs > performance.now()) break;
      this.#delete(oldest);
    }
  }

  /** Stores the events of a stream, whose client resumes it. */
  persist(key: string): void {
    this.#streams.get(key)?.persist();
    this.#delete(key);
  }

  #delete(key: string): void {
    this.#chars -= this.#streams.get(key)?.chars ?? 0;
    this.#streams.delete(key);
  }
}

class DatabaseEventLog implements EventLog {
  readonly #db: Db;
  readonly #sealer: Sealer;
  /** Functions that abandon the response of an attached stream. */
  readonly #attached = new Map<string, () => void>();
  readonly #ended = new EndedStreams();
  readonly #stored = new EventEmitter().setMaxListeners(0);

  constructor(db: Db, sealer: Sealer, notifications: Notifications) {
    this.#db = db;
    this.#sealer = sealer;
    onSignals(notifications, {
      [CHANNELS.streamResumed]: (key) => {
        this.#attached.get(key)?.();
        this.#ended.persist(key);
      },
      [CHANNELS.eventStored]: (key) => void this.#stored.emit(key),
    });
  }

  open(owner: Buffer, requestId: RequestId, abandon: () => void): LoggedStream {
    const key: StreamKey = { owner, streamId: randomUUID() };
    const name = keyOf(key);
    this.#attached.set(name, abandon);
    return new BufferedStream(key, {
      detach: () => this.#attached.delete(name),
      insertStream: () => insertStream(this.#db, key, requestId, STREAMS_PER_SESSION),
      insertEvent: (event) => this.#insertEvent(key, event),
      announce: () => this.#signal(CHANNELS.eventStored, key),
      sendHeartbeat: () => touchStream(this.#db, key),
      keepEnded: (ended) => this.#ended.add(name, ended),
    });
  }

  async find(owner: Buffer, lastEventId: string): Promise<StreamPosition | null> {
    const [, streamId, seq] = EVENT_ID.exec(lastEventId) ?? [];
    if (streamId === undefined) return null;
    const key: StreamKey = { owner, streamId };
    // The process with the response may not have noticed yet that its client disconnected.
    const stored = this.#nextEvent(key, DETACH_WAIT_MS, new AbortController().signal);
    await this.#signal(CHANNELS.streamResumed, key);
    if ((await selectStream(this.#db, key)) === null) await stored;
    return (await selectStream(this.#db, key)) === null ? null : { ...key, after: Number(seq) };
  }

  async *read(position: StreamPosition, signal: AbortSignal): AsyncGenerator<LoggedEvent> {
    const { after: first, ...key } = position;
    let after = first;
    while (!signal.aborted) {
      const next = this.#nextEvent(key, HEARTBEAT_MS, signal);
      const events = await selectEvents(this.#db, key, after);
      for (const { seq, sealed_message: sealed, is_last: isLast } of events) {
        after = seq;
        const text = this.#sealer.unseal(sealed, locationIn(key, seq));
        yield { seq, message: parseLossless(text) as RpcMessage, isLast };
        if (isLast) return;
      }
      if (events.length > 0) continue;
      const stream = await selectStream(this.#db, key);
      if (stream === null) return;
      if (stream.silent_ms > 4 * HEARTBEAT_MS) {
        yield { seq: after + 1, message: lostCall(stream.request_id), isLast: true };
        return;
      }
      await next;
    }
  }

  async #insertEvent(key: StreamKey, { seq, message, isLast }: LoggedEvent): Promise<void> {
    const full = stringifyLossless(message);
    const text = full.length > EVENT_MAX_CHARS ? stringifyLossless(tooLongEvent(message)) : full;
    const sealed = this.#sealer.seal(text, locationIn(key, seq));
    await insertEvent(this.#db, key, { seq, sealed_message: sealed, is_last: isLast });
  }

  /** Resolves with the next stored event, or after the timeout, because a signal may be lost. */
  async #nextEvent(key: StreamKey, ms: number, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    await once(this.#stored, keyOf(key), { signal: either }).catch(() => undefined);
  }

  #signal(channel: Channel, key: StreamKey): Promise<void> {
    return sendSignal(this.#db, channel, keyOf(key));
  }
}

interface StreamStore {
  detach(): void;
  insertStream(): Promise<void>;
  insertEvent(event: LoggedEvent): Promise<void>;
  announce(): Promise<void>;
  sendHeartbeat(): Promise<void>;
  keepEnded(ended: EndedStream): void;
}

/** The log of a response. Writes run in sequence; if the database is down, events are lost and the call continues. */
class BufferedStream implements LoggedStream {
  readonly #key: StreamKey;
  readonly #store: StreamStore;
  #buffered: (LoggedEvent & { chars: number })[] = [];
  #heartbeat: NodeJS.Timeout | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(key: StreamKey, store: StreamStore) {
    this.#key = key;
    this.#store = store;
  }

  eventId(seq: number): string {
    return `gws1.${this.#key.streamId}.${seq}`;
  }

  buffer(event: LoggedEvent): void {
    this.#buffered.push({ ...event, chars: stringifyLossless(event.message).length });
    let chars = this.#bufferedChars();
    const isOverLimit = () =>
      this.#buffered.length > BUFFERED_EVENTS ||
      (this.#buffered.length > 1 && chars > BUFFERED_CHARS);
    while (isOverLimit()) chars -= this.#buffered.shift()?.chars ?? 0;
  }

  persist(): Promise<void> {
    this.#heartbeat ??= setInterval(
      () => void this.#enqueue(() => this.#store.sendHeartbeat()),
      HEARTBEAT_MS,
    ).unref();
    return this.#storeBuffered();
  }

  append(event: LoggedEvent): Promise<void> {
    return this.#enqueue(async () => {
      await this.#store.insertEvent(event);
      await this.#store.announce();
    });
  }

  close(): void {
    this.#store.detach();
    clearInterval(this.#heartbeat);
    if (this.#buffered.length === 0) return;
    this.#store.keepEnded({
      chars: this.#bufferedChars(),
      untilMs: performance.now() + ENDED_MS,
      persist: () => void this.#storeBuffered(),
    });
  }

  #storeBuffered(): Promise<void> {
    this.#store.detach();
    const events = this.#buffered;
    this.#buffered = [];
    return this.#enqueue(async () => {
      await this.#store.insertStream();
      for (const event of events) await this.#store.insertEvent(event);
      await this.#store.announce();
    });
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(write).catch(() => undefined);
    return this.#lastWrite;
  }

  #bufferedChars(): number {
    return this.#buffered.reduce((sum, { chars }) => sum + chars, 0);
  }
}

const tooLongEvent = ({ id = null }: RpcMessage) =>
  errorMessage(
    id,
    new RpcError(
      RPC.upstream,
      `The connection was lost, and the response is longer than the ${EVENT_MAX_CHARS} characters that can be replayed.`,
    ),
  );

const lostCall = (id: RequestId) =>
  errorMessage(id, new RpcError(RPC.upstream, 'The call was lost: its server process ended.'));
