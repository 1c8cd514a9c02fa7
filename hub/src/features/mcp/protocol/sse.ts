// Server-sent events: reading the events of a server behind a size cap, and formatting events for a client.
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { BodyTooLarge } from './bounded-body.ts';
import { isRpcMessage, parseMessageJson, type RpcMessage } from './messages.ts';

/** The position after which a broken stream is resumed. */
export interface ResumePoint {
  lastEventId: string | null;
  retryMs: number | null;
}

const EVENT_ID_MAX = 1_000;
const RETRY_MAX_MS = 30_000;
/** The end of an event: a blank line, with any of the three line ends. */
const BLANK_LINE = /\n\n|\r\r|\r\n\r\n/g;
/** Characters of a chunk that may be the beginning of a blank line. */
const BLANK_LINE_OVERLAP = 3;

/**
 * Yields the JSON-RPC messages of a stream; events without a message are skipped. Updates `resumePoint` with each event, and
 * calls `onOtherEvent` for an event without a message. Throws BodyTooLarge for an event of more than `maxBytes` bytes.
 */
export async function* readEvents(
  body: AsyncIterable<Buffer | string>,
  maxBytes: number,
  options: {
    resumePoint?: ResumePoint;
    onOtherEvent?: (name: string | undefined, data: string) => void;
  } = {},
): AsyncGenerator<RpcMessage> {
  const { resumePoint, onOtherEvent } = options;
  const decoder = new TextDecoder();
  const cap = new EventSizeCap(maxBytes);
  let messages: RpcMessage[] = [];
  const parser = createParser({
    onEvent(event) {
      if (resumePoint !== undefined) updateEventId(resumePoint, event);
      const message = parseMessageData(event.data);
      if (message === null) onOtherEvent?.(event.event, event.data);
      else messages.push(message);
    },
    onRetry(ms) {
      if (resumePoint !== undefined) resumePoint.retryMs = Math.min(ms, RETRY_MAX_MS);
    },
  });
  for await (const chunk of body) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    parser.feed(text);
    const received = messages;
    messages = [];
    yield* received;
    cap.add(Buffer.byteLength(chunk), text);
  }
  // The last event may lack its blank line.
  parser.feed('\n\n');
  yield* messages;
}

/** Counts the bytes since the last blank line, so that comments within an event do not reset the count. */
class EventSizeCap {
  readonly #maxBytes: number;
  #bytes = 0;
  #overlap = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: number, text: string): void {
    this.#bytes += bytes;
    const searched = this.#overlap + text;
    let end = -1;
    for (const { index, 0: blank } of searched.matchAll(BLANK_LINE)) end = index + blank.length;
    if (end !== -1) this.#bytes = Buffer.byteLength(searched.slice(end));
    this.#overlap = searched.slice(Math.max(end, searched.length - BLANK_LINE_OVERLAP));
    if (this.#bytes > this.#maxBytes) throw new BodyTooLarge(this.#bytes, this.#maxBytes);
  }
}

function parseMessageData(data: string): RpcMessage | null {
  if (data === '') return null;
  try {
    const parsed: unknown = parseMessageJson(data);
    return isRpcMessage(parsed) ? parsed : null;
  } catch {
    // Data that is no JSON violates the protocol, and is not passed on.
    return null;
  }
}

/** Ignores an id that is not valid in the header Last-Event-ID. An empty id resets the position. */
function updateEventId(resumePoint: ResumePoint, { id }: EventSourceMessage): void {
  if (id === undefined || id.length > EVENT_ID_MAX || !/^[\x20-\x7e]*$/.test(id)) return;
  resumePoint.lastEventId = id === '' ? null : id;
}

/** Returns the text of an event with a message, and with its id, if any. */
export const formatEvent = (message: RpcMessage, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${stringifyLossless(message)}\n\n`;

/** Returns the text of an event without data, from whose id a client can resume the stream. */
export const formatPrimingEvent = (id: string) => `id: ${id}\ndata: \n\n`;
