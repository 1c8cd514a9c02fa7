// GET C/events and C/own/events: server-sent events for pages that live. A stream ends when the person may no longer see the tenant,
// when the notifications are lost (the browser comes back and reads everything anew), and when the hub stops.

import type { ServerResponse } from 'node:http';
import { foldName } from '@gatewarden/shared/names.ts';
import { OWN_NAMED_TOPICS, OWN_TOPICS } from '@gatewarden/shared/wire/console/events.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { personOf } from '../auth/person.ts';
import type { Notifications } from '../feed/notifications.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app.ts';
import { letBodyGo } from './held-bodies.ts';

const KEEP_ALIVE_MS = 20_000;
/** A page that does not read is cut off; it reconnects. */
const UNREAD_MAX_BYTES = 256 * 1024;

interface Stream {
  tenantId: string;
  personKey: string;
  /** Whether it tells only what concerns its person. */
  isOwn: boolean;
  response: ServerResponse;
}

const STREAM = Type.String({ description: 'Server-sent events, for as long as the client stays.' });

const has = (topics: readonly string[], topic: string) => topics.includes(topic);
const concerns = (personKey: string, { topic, of }: { topic: string; of?: string[] }): boolean =>
  has(OWN_TOPICS, topic) || (has(OWN_NAMED_TOPICS, topic) && of?.includes(personKey) === true);

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
  notifications.onNotice((notice) => {
    for (const stream of [...streams]) {
      if (notice.kind === 'page' && notice.tenant === stream.tenantId) {
        if (stream.isOwn ? !concerns(stream.personKey, notice) : notice.isMore === true) continue;
        write(stream, `event: changed\ndata: ${JSON.stringify({ topic: notice.topic })}\n\n`);
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
  const beat = setInterval(() => {
    for (const stream of streams) write(stream, ': still here\n\n');
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
