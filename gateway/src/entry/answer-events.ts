// The formats of streamed answers under one interface: bytes become events with JSON, and events become bytes again.

import { AwsEventReader, replacePayload } from '../upstream/aws-event-stream.ts';
import { replaceData, SseReader } from '../upstream/sse.ts';
import type { JsonObject } from './request-body.ts';

export interface AnswerEvent {
  /** Null where the event carries none, as `[DONE]` of OpenAI. */
  json: JsonObject | null;
  /** True for the event with which an API ends its stream. */
  isLast: boolean;
  /** Returns the bytes of the event: as they arrived, or with other JSON. */
  encode(json?: JsonObject): Buffer;
}

export interface EventReader {
  /** Returns the events that a chunk completes. Throws for a damaged stream. */
  push(chunk: Buffer): AnswerEvent[];
  /** Returns events that the end of the stream completes. */
  end(): AnswerEvent[];
}

/** Returns a reader for the content type of a streamed answer, or null for another content type. */
export function createEventReader(contentType: string): EventReader | null {
  if (contentType.startsWith('text/event-stream')) return createSseEvents();
  if (contentType.startsWith('application/vnd.amazon.eventstream')) return createAwsEvents();
  return null;
}

function createSseEvents(): EventReader {
  const reader = new SseReader();
  const describe = (event: ReturnType<SseReader['push']>[number]): AnswerEvent => {
    const json = parse(event.data);
    return {
      json,
      isLast: event.data === '[DONE]' || LAST_TYPES.has(String(json?.type)),
      encode: (changed) =>
        Buffer.from(
          `${changed === undefined ? event.raw : replaceData(event, JSON.stringify(changed))}\n\n`,
        ),
    };
  };
  return {
    push: (chunk) => reader.push(chunk).map(describe),
    end: () => reader.end().map(describe),
  };
}

/** Types of the last event: Anthropic's `message_stop`, and those of the Responses API. */
const LAST_TYPES = new Set([
  'message_stop',
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** An invocation wraps each event of the model as `{"bytes": base64}`; Converse sends the event itself. */
function createAwsEvents(): EventReader {
  const reader = new AwsEventReader();
  return {
    push: (chunk) =>
      reader.push(chunk).map((event) => {
        const payload = parse(event.payload.toString('utf8'));
        const wrapped = payload?.bytes;
        const isWrapped = typeof wrapped === 'string';
        const json = isWrapped ? parse(Buffer.from(wrapped, 'base64').toString('utf8')) : payload;
        const isLast = event.headers[':event-type'] === 'metadata' || json?.type === 'message_stop';
        const encode = (changed?: JsonObject) => {
          if (changed === undefined) return event.raw;
          const text = JSON.stringify(changed);
          const body = isWrapped
            ? { ...payload, bytes: Buffer.from(text).toString('base64') }
            : null;
          return replacePayload(event, Buffer.from(body === null ? text : JSON.stringify(body)));
        };
        return { json, isLast, encode };
      }),
    end: () => [],
  };
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Returns the events of an invocation at Bedrock as the server-sent events of Anthropic's own API. */
export function encodeAsSse(event: AnswerEvent): Buffer {
  if (event.json === null) return Buffer.alloc(0);
  return Buffer.from(`event: ${event.json.type}\ndata: ${JSON.stringify(event.json)}\n\n`);
}
