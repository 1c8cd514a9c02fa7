// GET C/events and C/own/events: server-sent events for pages that live. A stream ends when the person may no longer see the tenant,
// when the notifications are lost (the browser comes back and reads everything anew), and when the hub stops.

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

const KEEP_ALIVE_MS = 20_000;
/** A page that does not read is cut off; it reconnects. */
const UNREAD_MAX_BYTES = 256 * 1024;
/** A page reads while it connects: what changed this long before its stream began may have been read before the change. */
const READ_WITHIN_MS = 10_000;

interface Stream {
  tenantId: string;
  personKey: string;
  /** Whether it tells only what concerns its person. */
  isOwn: boolean;
  response: ServerResponse;
}

const STREAM = Type.String({ description: 'Server-sent events, for as long as the client stays.' });

const has = (topics: readonly string[], topic: string) => topics.includes(topic);
const concerns = (personKey: string, { topic, of }: PageNotice): boolean =>
  has(OWN_TOPICS, topic) || (has(OWN_NAMED_TOPICS, topic) && of?.includes(personKey) === true);

const isFor = ({ isOwn, personKey }: Stream, notice: PageNotice): boolean =>
  isOwn ? concerns(personKey, notice) : notice.isMore !== true;
const changed = (event: { topic: string; ago_ms?: number }): string =>
  `event: changed\ndata: ${JSON.stringify(event)}\n\n`;

export interface EventStreams {
  register(app: App): void;
  /** Ends all streams, so that a draining hub need not wait for them. */
  stop(): void;
}

export function createEventStreams(notifications: Notifications, metrics: Metrics): EventStreams {
  const streams = new Set<Stream>();
  const end = (stream: Stream) => {
    streams.delete(stream);
    metrics.openStreams.set(streams.size);
    stream.response.end();
  };
  const write = (stream: Stream, text: string) => {
    if (stream.response.writableLength > UNREAD_MAX_BYTES) stream.response.destroy();
    else stream.response.write(text);
  };
  const recent = createRecentPages(READ_WITHIN_MS);
  notifications.onNotice((notice) => {
    if (notice.kind === 'page') recent.note(notice);
    for (const stream of [...streams]) {
      if (notice.kind === 'page' && notice.tenant === stream.tenantId) {
        if (isFor(stream, notice)) write(stream, changed({ topic: notice.topic }));
      } else if (
        notice.kind === 'forget' &&
        notice.cache === 'person' &&
        notice.keys.includes(stream.personKey)
      ) {
        end(stream);
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
        reply.hijack();
        const response = reply.raw;
        response.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          'x-request-id': request.id,
        });
        const stream: Stream = {
          tenantId: person.tenantId,
          personKey: foldName(person.email),
          isOwn,
          response,
        };
        streams.add(stream);
        metrics.openStreams.set(streams.size);
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
          schema: { ...schema, summary: 'What changed, for open pages' },
        },
        (request, reply) => open(request, reply, false),
      );
      app.get(
        '/own/events',
        {
          config: { access: 'Member' },
          schema: { ...schema, summary: "What of one's own changed" },
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
