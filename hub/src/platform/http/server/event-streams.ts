// Server-sent events for open pages of the console: GET C/events and C/own/events.
// Main types: `EventStreams`, `Stream`.
// Invariants: a stream ends with the session or token that opened it, when the user loses access, when notifications were
// lost (the browser reconnects and reloads), beyond the limits of streams, and when the hub stops. Depends on feed/.
// Start reading at `createEventStreams`.

import type { ServerResponse } from 'node:http';
import { foldName } from '@gatewarden/shared/names.ts';
import { OWN_NAMED_TOPICS, OWN_TOPICS } from '@gatewarden/shared/wire/console/events.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { personOf } from '../../auth/person.ts';
import type { Notifications, PageNotice } from '../../feed/notifications.ts';
import { createRecentPageChanges } from '../../feed/recent-page-changes.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { releaseBody } from '../limits/in-flight-bodies.ts';
import type { App } from './app.ts';
import { hijackResponse } from './security-headers.ts';

const KEEP_ALIVE_MS = 20_000;
/** A stream with more unread bytes is cut; its page reconnects. */
const UNREAD_MAX_BYTES = 256 * 1024;
/** The longest delay of a timer. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Limit of streams per user. The console shares a stream between its tabs. */
const STREAMS_PER_USER = 16;
/** A page loads data while it connects. Changes of this period before the stream are sent, as the data may be older. */
const REPLAY_MS = 10_000;

interface Stream {
  tenantId: string;
  personKey: string;
  /** Null if an administrator's token opened it. */
  sessionId: string | null;
  /** Ends the stream with its session or token. */
  expiry: NodeJS.Timeout;
  /** Sends only changes that concern the user. */
  isOwn: boolean;
  response: ServerResponse;
}

const STREAM = {
  description: 'Server-sent events, for as long as the client stays.',
  content: {
    'text/event-stream': {
      schema: Type.String({ examples: ['event: changed\ndata: {"topic":"devices"}\n\n'] }),
    },
  },
};

const includes = (topics: readonly string[], topic: string) => topics.includes(topic);

const concernsUser = (personKey: string, { topic, of }: PageNotice): boolean =>
  includes(OWN_TOPICS, topic) ||
  (includes(OWN_NAMED_TOPICS, topic) && of?.includes(personKey) === true);

const isRecipient = ({ isOwn, personKey }: Stream, notice: PageNotice): boolean =>
  isOwn ? concernsUser(personKey, notice) : notice.isMore !== true;

/** The console reconnects after `access_changed` only. */
type CloseReason = 'too_many_streams' | 'access_changed' | 'signed_out';

const losesAccess = (stream: Stream, notice: { cache: string; keys: string[] }): boolean => {
  const { personKey, sessionId, tenantId } = stream;
  if (notice.cache === 'person') return notice.keys.includes(personKey);
  if (notice.cache !== 'session' || sessionId === null) return false;
  return notice.keys.includes(sessionId) || notice.keys.includes(`${sessionId}/${tenantId}`);
};

const formatChange = (event: { topic: string; ago_ms?: number }): string =>
  `event: changed\ndata: ${JSON.stringify(event)}\n\n`;

/** Streams by a key, oldest first, with a limit for each key. */
class StreamIndex {
  readonly #max: number;
  readonly #streams = new Map<string, Set<Stream>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the oldest stream of the key if there are more than the limit now. */
  add(key: string, stream: Stream): Stream | null {
    const streams = this.#streams.get(key) ?? new Set();
    this.#streams.set(key, streams.add(stream));
    const [oldest] = streams;
    return streams.size > this.#max && oldest !== undefined ? oldest : null;
  }

  delete(key: string, stream: Stream): void {
    const streams = this.#streams.get(key);
    if (streams?.delete(stream) && streams.size === 0) this.#streams.delete(key);
  }
}

export interface EventStreams {
  register(app: App): void;
  /** Ends all streams, so that a draining hub need not wait for them. */
  stop(): void;
}

/**
 * Returns the streams of this process. `tenantMax`: streams per tenant. Beyond a limit the oldest stream ends with a
 * `closed` event.
 */
export function createEventStreams(
  notifications: Notifications,
  metrics: Metrics,
  { tenantMax }: { tenantMax: number },
): EventStreams {
  return new StreamRegistry(notifications, metrics, tenantMax);
}

class StreamRegistry implements EventStreams {
  readonly #metrics: Metrics;
  readonly #streams = new Set<Stream>();
  readonly #byPerson = new StreamIndex(STREAMS_PER_USER);
  readonly #byTenant: StreamIndex;
  readonly #recent = createRecentPageChanges(REPLAY_MS);
  readonly #keepAlive: NodeJS.Timeout;

  constructor(notifications: Notifications, metrics: Metrics, tenantMax: number) {
    this.#metrics = metrics;
    this.#byTenant = new StreamIndex(tenantMax);
    notifications.onNotice((notice) => {
      if (notice.kind === 'page') this.#publish(notice);
      else if (notice.kind === 'forget') this.#revoke(notice);
    });
    notifications.onLost(() => this.#endAll());
    this.#keepAlive = setInterval(() => {
      for (const stream of this.#streams) this.#write(stream, ': still here\n\n');
      this.#recent.prune();
    }, KEEP_ALIVE_MS).unref();
  }

  register(app: App): void {
    const schema = { tags: ['events'], response: { 200: STREAM } };
    app.get(
      '/events',
      {
        config: { access: 'Viewer' },
        schema: { ...schema, summary: 'Stream changes for open pages' },
      },
      (request, reply) => this.#open(request, reply, false),
    );
    app.get(
      '/own/events',
      {
        config: { access: 'Member' },
        schema: { ...schema, summary: 'Stream changes of your own data' },
      },
      (request, reply) => this.#open(request, reply, true),
    );
  }

  stop(): void {
    clearInterval(this.#keepAlive);
    this.#endAll();
  }

  #open(request: FastifyRequest, reply: FastifyReply, isOwn: boolean): void {
    const person = personOf(request);
    releaseBody(request);
    const response = hijackResponse(reply);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const stream: Stream = {
      tenantId: person.tenantId,
      personKey: foldName(person.email),
      sessionId: person.sessionId,
      expiry: setTimeout(
        () => this.#close(stream, 'signed_out'),
        Math.min(person.expiresAt.getTime() - Date.now(), TIMEOUT_MAX_MS),
      ).unref(),
      isOwn,
      response,
    };
    this.#add(stream);
    response.on('close', () => this.#end(stream));
    response.write('retry: 1000\nevent: hello\ndata: {}\n\n');
    for (const [topic, ago] of this.#recentTopics(stream)) {
      this.#write(stream, formatChange({ topic, ago_ms: ago }));
    }
  }

  #add(stream: Stream): void {
    this.#streams.add(stream);
    this.#metrics.openStreams.set(this.#streams.size);
    const replaced = [
      this.#byPerson.add(stream.personKey, stream),
      this.#byTenant.add(stream.tenantId, stream),
    ];
    for (const oldest of replaced) if (oldest !== null) this.#close(oldest, 'too_many_streams');
  }

  #publish(notice: PageNotice): void {
    this.#recent.record(notice);
    for (const stream of [...this.#streams]) {
      if (notice.tenant !== stream.tenantId || !isRecipient(stream, notice)) continue;
      this.#write(stream, formatChange({ topic: notice.topic }));
    }
  }

  #revoke(notice: { cache: string; keys: string[] }): void {
    for (const stream of [...this.#streams]) {
      if (losesAccess(stream, notice)) this.#close(stream, 'access_changed');
    }
  }

  #recentTopics({ tenantId, isOwn, personKey }: Stream) {
    const all = [...this.#recent.topics(tenantId)];
    if (!isOwn) return all;
    const named = [...this.#recent.topics(tenantId, personKey)];
    return [
      ...all.filter(([topic]) => includes(OWN_TOPICS, topic)),
      ...named.filter(([topic]) => includes(OWN_NAMED_TOPICS, topic)),
    ];
  }

  #write(stream: Stream, text: string): void {
    if (stream.response.writableLength > UNREAD_MAX_BYTES) stream.response.destroy();
    else stream.response.write(text);
  }

  #close(stream: Stream, reason: CloseReason): void {
    this.#write(stream, `event: closed\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#end(stream);
  }

  #end(stream: Stream): void {
    if (!this.#streams.delete(stream)) return;
    this.#byPerson.delete(stream.personKey, stream);
    this.#byTenant.delete(stream.tenantId, stream);
    clearTimeout(stream.expiry);
    this.#metrics.openStreams.set(this.#streams.size);
    stream.response.end();
  }

  #endAll(): void {
    for (const stream of [...this.#streams]) this.#end(stream);
  }
}
