// Keeps what a response sent, so that a client of the older revisions whose connection broke off resumes the stream by the id
// of its last event (Last-Event-ID), at any hub process.
//
// States of a stream: attached (events are written to the response; the newest ones are in memory) → detached (its client
// went, or resumed it elsewhere; events are rows) → over. A stream that ended while it was attached is in memory still, for
// its last event may not have arrived. Both are kept for ten minutes. Bounded: of an attached stream so many events and
// characters, of ended ones so many characters in each process, of a session so many streams, of a stored event its size.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { parseLossless, stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { errorMessage, type Id, RPC, type Rpc, RpcError } from './messages.ts';
import {
  insertEvent,
  insertStream,
  SEALED_EVENTS,
  type StoredEvent,
  type StreamKey,
  selectEvents,
  selectStream,
  touchStream,
} from './stream-store.ts';

const BUFFERED_EVENTS = 64;
const BUFFERED_CHARS = 1024 * 1024;
const STREAMS_PER_SESSION = 16;
const EVENT_MAX_CHARS = 4 * 1024 * 1024;
/** Of all ended streams of this process. */
const ENDED_CHARS = 32 * 1024 * 1024;
const ENDED_MS = 10 * 60_000;
/** While a hub process has the call it says so this often; without a sign for four times as long it has ended. */
const SIGN_MS = 15_000;

/** A stored event was added. */
const ADDED = 'mcp-stream-event';
/** Whoever has the response of the stream gives it up: its client resumes it. */
const RESUMED = 'mcp-stream-resumed';

const EVENT_ID = /^gws1\.([0-9a-f-]{36})\.(\d{1,9})$/;

export interface LoggedEvent {
  seq: number;
  message: Rpc;
  isLast: boolean;
}

export interface LoggedStream {
  eventId(seq: number): string;
  /** Buffers an event that was written to the response. */
  sent(event: LoggedEvent): void;
  /** Stores the buffered events; resolves when they are rows. */
  store(): Promise<void>;
  /** Stores an event that has no response to go to. */
  append(event: LoggedEvent): Promise<void>;
  /** Ends the stream. What is buffered is remembered for a client that resumes the stream later. */
  close(): void;
}

interface EndedStream {
  chars: number;
  until: number;
  store(): void;
}

export interface EventLog {
  /** `giveUp` is called when the client resumes the stream while its response is still open here. */
  open(owner: Buffer, requestId: Id, giveUp: () => void): LoggedStream;
  /** Where a stream is resumed; null where the id is none of ours, or nothing is kept of its stream. */
  find(owner: Buffer, lastEventId: string): Promise<(StreamKey & { after: number }) | null>;
  /** The stored events after the one that came last, as they are added, until the last of the stream. */
  read(from: StreamKey & { after: number }, signal: AbortSignal): AsyncGenerator<LoggedEvent>;
}

const nameOf = ({ owner, streamId }: StreamKey) => `${owner.toString('hex')} ${streamId}`;
const placeOf = ({ owner, streamId }: StreamKey, seq: number) =>
  locationOf(SEALED_EVENTS, [owner.toString('hex'), streamId, String(seq)]);

export function createEventLog(db: Db, sealer: Sealer, notifications: Notifications): EventLog {
  const attached = new Map<string, () => void>();
  const ended = new Map<string, EndedStream>();
  let endedChars = 0;
  const forgetEnded = (name: string) => {
    endedChars -= ended.get(name)?.chars ?? 0;
    ended.delete(name);
  };
  const rememberEnded = (name: string, stream: EndedStream) => {
    ended.set(name, stream);
    endedChars += stream.chars;
    for (const [oldest, { until }] of ended) {
      if (endedChars <= ENDED_CHARS && until > performance.now()) break;
      forgetEnded(oldest);
    }
  };
  const added = new EventEmitter().setMaxListeners(0);
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget') return;
    if (notice.cache === RESUMED) {
      for (const key of notice.keys) {
        attached.get(key)?.();
        ended.get(key)?.store();
        forgetEnded(key);
      }
    }
    if (notice.cache === ADDED) for (const key of notice.keys) added.emit(key);
  });
  const announce = (cache: string, key: StreamKey) =>
    notify(db, { kind: 'forget', cache, keys: [nameOf(key)] });
  /** Resolves with the next stored event of the stream, or after the time: a notice may be lost. */
  const nextEvent = async (key: StreamKey, ms: number, signal: AbortSignal) => {
    const either = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    await once(added, nameOf(key), { signal: either }).catch(() => undefined);
  };

  async function storeEvent(key: StreamKey, { seq, message, isLast }: LoggedEvent): Promise<void> {
    const all = stringifyLossless(message);
    const text = all.length > EVENT_MAX_CHARS ? stringifyLossless(tooLarge(message)) : all;
    const event: StoredEvent = {
      seq,
      sealed_message: sealer.seal(text, placeOf(key, seq)),
      is_last: isLast,
    };
    await insertEvent(db, key, event);
  }

  return {
    open(owner, requestId, giveUp) {
      const key: StreamKey = { owner, streamId: randomUUID() };
      const name = nameOf(key);
      attached.set(name, giveUp);
      let buffered: (LoggedEvent & { chars: number })[] = [];
      let signs: NodeJS.Timeout | undefined;
      let work: Promise<void> = Promise.resolve();
      // One after the other. Where the database is away the events are lost, and the call goes on.
      const inTurn = (task: () => Promise<void>) => {
        work = work.then(task).catch(() => undefined);
        return work;
      };
      const store = () => {
        attached.delete(name);
        const events = buffered;
        buffered = [];
        return inTurn(async () => {
          await insertStream(db, key, requestId, STREAMS_PER_SESSION);
          for (const event of events) await storeEvent(key, event);
          await announce(ADDED, key);
        });
      };
      return {
        eventId: (seq) => `gws1.${key.streamId}.${seq}`,
        sent(event) {
          buffered.push({ ...event, chars: charsOf(event.message) });
          let chars = buffered.reduce((sum, one) => sum + one.chars, 0);
          while (
            buffered.length > BUFFERED_EVENTS ||
            (buffered.length > 1 && chars > BUFFERED_CHARS)
          ) {
            chars -= buffered.shift()?.chars ?? 0;
          }
        },
        store() {
          signs ??= setInterval(() => void inTurn(() => touchStream(db, key)), SIGN_MS).unref();
          return store();
        },
        append: (event) =>
          inTurn(async () => {
            await storeEvent(key, event);
            await announce(ADDED, key);
          }),
        close() {
          attached.delete(name);
          clearInterval(signs);
          if (buffered.length === 0) return;
          const chars = buffered.reduce((sum, one) => sum + one.chars, 0);
          const until = performance.now() + ENDED_MS;
          rememberEnded(name, { chars, until, store: () => void store() });
        },
      };
    },
    async find(owner, lastEventId) {
      const [, streamId, seq] = EVENT_ID.exec(lastEventId) ?? [];
      if (streamId === undefined) return null;
      const key: StreamKey = { owner, streamId };
      // The process that has the response may not know yet that its client has gone.
      const stored = nextEvent(key, 2_000, new AbortController().signal);
      await announce(RESUMED, key);
      if ((await selectStream(db, key)) === null) await stored;
      return (await selectStream(db, key)) === null ? null : { ...key, after: Number(seq) };
    },
    async *read({ after: from, ...key }, signal) {
      let after = from;
      while (!signal.aborted) {
        const next = nextEvent(key, SIGN_MS, signal);
        const events = await selectEvents(db, key, after);
        for (const { seq, sealed_message: sealed, is_last: isLast } of events) {
          const message = parseLossless(sealer.unseal(sealed, placeOf(key, seq))) as Rpc;
          after = seq;
          yield { seq, message, isLast };
          if (isLast) return;
        }
        if (events.length > 0) continue;
        const stream = await selectStream(db, key);
        if (stream === null) return;
        if (stream.silent_ms > 4 * SIGN_MS) {
          yield { seq: after + 1, message: lost(stream.request_id), isLast: true };
          return;
        }
        await next;
      }
    },
  };
}

/** About how long it is: what comes with a result is almost all in a few long texts. */
const charsOf = (message: Rpc) => stringifyLossless(message).length;

const tooLarge = ({ id = null }: Rpc) =>
  errorMessage(
    id,
    new RpcError(
      RPC.upstream,
      `The connection was lost, and the response is longer than the ${EVENT_MAX_CHARS} characters that can be replayed.`,
    ),
  );

const lost = (id: Id) =>
  errorMessage(id, new RpcError(RPC.upstream, 'The call was lost: its server process ended.'));
