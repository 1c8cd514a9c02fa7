// GET C/events and C/own/events: server-sent events for open pages. A stream ends with the session or token that opened
// it, when the person may see less of the tenant, when notifications were lost (the browser reconnects and reads
// everything again), when newer streams take its place, and when the hub stops.

import type { ServerResponse } from 'node:http';
import { foldName } from '@gatewarden/shared/names.ts';
import { OWN_NAMED_TOPICS, OWN_TOPICS } from '@gatewarden/shared/wire/console/events.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { personOf } from '../auth/person.ts';
import type { Notifications, PageNotice } from '../feed/notifications.ts';
import { createRecentPages } from '../feed/recent-pages.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app.ts';
import { letBodyGo } from './held-bodies.ts';
import { takeResponse } from './security-headers.ts';

const KEEP_ALIVE_MS = 20_000;
/** A page that does not read is cut off; it reconnects. */
const UNREAD_MAX_BYTES = 256 * 1024;
/** The longest delay that timers take. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Streams of one person; the console shares one between its tabs. */
const STREAMS_PER_PERSON = 16;
/** A page reads while it connects: what changed this long before its stream began may have been read before the change. */
const READ_WITHIN_MS = 10_000;

interface Stream {
  tenantId: string;
  personKey: string;
  /** Null if an administrator's token opened it. */
  sessionId: string | null;
  /** Ends it with its session or token. */
  expiry: NodeJS.Timeout;
  /** Whether it tells only what concerns its person. */
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

const has = (topics: readonly string[], topic: string) => topics.includes(topic);
const concerns = (personKey: string, { topic, of }: PageNotice): boolean =>
  has(OWN_TOPICS, topic) || (has(OWN_NAMED_TOPICS, topic) && of?.includes(personKey) === true);

const isFor = ({ isOwn, personKey }: Stream, notice: PageNotice): boolean =>
  isOwn ? concerns(personKey, notice) : notice.isMore !== true;
/** Read by the console: it reconnects after `access_changed` only. */
type CloseReason = 'too_many_streams' | 'access_changed' | 'signed_out';

const endsWith = (stream: Stream, notice: { cache: string; keys: string[] }): boolean => {
  const { personKey, sessionId, tenantId } = stream;
  if (notice.cache === 'person') return notice.keys.includes(personKey);
  if (notice.cache !== 'session' || sessionId === null) return false;
  return notice.keys.includes(sessionId) || notice.keys.includes(`${sessionId}/${tenantId}`);
};
const changed = (event: { topic: string; ago_ms?: number }): string =>
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

/** `tenantMax`: streams of one tenant in this process. Beyond a limit the oldest stream ends with a `closed` event. */
export function createEventStreams(
  notifications: Notifications,
  metrics: Metrics,
  { tenantMax }: { tenantMax: number },
): EventStreams {
  const streams = new Set<Stream>();
  const byPerson = new StreamIndex(STREAMS_PER_PERSON);
  const byTenant = new StreamIndex(tenantMax);
  const end = (stream: Stream) => {
    if (!streams.delete(stream)) return;
    byPerson.delete(stream.personKey, stream);
    byTenant.delete(stream.tenantId, stream);
    clearTimeout(stream.expiry);
    metrics.openStreams.set(streams.size);
    stream.response.end();
  };
  const write = (stream: Stream, text: string) => {
    if (stream.response.writableLength > UNREAD_MAX_BYTES) stream.response.destroy();
    else stream.response.write(text);
  };
  const close = (stream: Stream, reason: CloseReason) => {
    write(stream, `event: closed\ndata: ${JSON.stringify({ reason })}\n\n`);
    end(stream);
  };
  const add = (stream: Stream) => {
    streams.add(stream);
    metrics.openStreams.set(streams.size);
    const replaced = [
      byPerson.add(stream.personKey, stream),
      byTenant.add(stream.tenantId, stream),
    ];
    for (const oldest of replaced) if (oldest !== null) close(oldest, 'too_many_streams');
  };
  const recent = createRecentPages(READ_WITHIN_MS);
  notifications.onNotice((notice) => {
    if (notice.kind === 'page') recent.note(notice);
    for (const stream of [...streams]) {
      if (notice.kind === 'page' && notice.tenant === stream.tenantId) {
        if (isFor(stream, notice)) write(stream, changed({ topic: notice.topic }));
      } else if (notice.kind === 'forget' && endsWith(stream, notice)) {
        close(stream, 'access_changed');
      }
    }
  });
  notifications.onLost(() => {
    for (const stream of [...streams]) end(stream);
  });
  const missedBy = ({ tenantId, isOwn, personKey }: Stream) => {
    const all = [...recent.topics(tenantId)];
    if (!isOwn) return all;
    const naming = [...recent.topics(tenantId, personKey)];
    return [
      ...all.filter(([topic]) => has(OWN_TOPICS, topic)),
      ...naming.filter(([topic]) => has(OWN_NAMED_TOPICS, topic)),
    ];
  };
  const beat = setInterval(() => {
    for (const stream of streams) write(stream, ': still here\n\n');
    recent.forget();
  }, KEEP_ALIVE_MS).unref();

  return {
    register(app) {
      const open = (request: FastifyRequest, reply: FastifyReply, isOwn: boolean) => {
        const person = personOf(request);
        letBodyGo(request);
        const response = takeResponse(reply);
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
            () => close(stream, 'signed_out'),
            Math.min(person.expiresAt.getTime() - Date.now(), TIMEOUT_MAX_MS),
          ).unref(),
          isOwn,
          response,
        };
        add(stream);
        response.on('close', () => end(stream));
        response.write('retry: 1000\nevent: hello\ndata: {}\n\n');
        for (const [topic, ago] of missedBy(stream)) {
          write(stream, changed({ topic, ago_ms: ago }));
        }
      };
      const schema = { tags: ['events'], response: { 200: STREAM } };
      app.get(
        '/events',
        {
          config: { access: 'Viewer' },
          schema: { ...schema, summary: 'Stream changes for open pages' },
        },
        (request, reply) => open(request, reply, false),
      );
      app.get(
        '/own/events',
        {
          config: { access: 'Member' },
          schema: { ...schema, summary: 'Stream changes of your own data' },
        },
        (request, reply) => open(request, reply, true),
      );
    },
    stop() {
      clearInterval(beat);
      for (const stream of [...streams]) end(stream);
    },
  };
}
