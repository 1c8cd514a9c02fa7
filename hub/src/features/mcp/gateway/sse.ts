// Server-sent events of an upstream, message by message. Bounded: an event that does not end is cut off.
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { BodyTooLarge } from './bodies.ts';
import { isMessage, parsedJson, type Rpc } from './messages.ts';

/** How a stream that broke off is taken up again. */
export interface Place {
  lastId: string | null;
  retryMs: number | null;
}

/**
 * Throws BodyTooLarge if an event has more than `maxBytes` bytes; what is no JSON-RPC message is left out. `place` is kept up to the
 * event that was read last. `onOther` is called with the text of every event that holds no message.
 */
export async function* eventsOf(
  body: AsyncIterable<Buffer | string>,
  maxBytes: number,
  place?: Place,
  onOther?: (event: string) => void,
): AsyncGenerator<Rpc> {
  const decoder = new TextDecoder();
  // Of the event that has not ended: joined once, for one of megabytes comes in thousands of parts.
  let parts: string[] = [];
  let bytes = 0;
  // A line's end, where the next part may hold the second one that ends the event.
  let held = '';
  let afterReturn = false;
  const taken = () => {
    const event = parts.join('');
    const message = messageIn(event, place);
    if (message === null) onOther?.(event);
    parts = [];
    return message;
  };
  for await (const part of body) {
    bytes += Buffer.byteLength(part);
    const came = typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    if (came === '') continue;
    let text = afterReturn && came.startsWith('\n') ? came.slice(1) : came;
    afterReturn = came.endsWith('\r');
    if (text.includes('\r')) text = text.replaceAll(/\r\n?/g, '\n');
    text = held + text;
    let from = 0;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
      parts.push(text.slice(from, end));
      from = end + 2;
      const message = taken();
      if (message !== null) yield message;
    }
    if (from > 0) bytes = Buffer.byteLength(text.slice(from));
    held = text.endsWith('\n') && from < text.length ? '\n' : '';
    parts.push(text.slice(from, text.length - held.length));
    if (bytes > maxBytes) throw new BodyTooLarge(bytes, maxBytes);
  }
  const last = taken();
  if (last !== null) yield last;
}

const LAST_ID_MAX = 1_000;
const RETRY_MAX_MS = 30_000;

function messageIn(event: string, place: Place | undefined): Rpc | null {
  const lines = event.split('\n');
  if (place !== undefined) note(lines, place);
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map(textAfter)
    .join('\n');
  if (data === '') return null;
  try {
    const parsed: unknown = parsedJson(data);
    return isMessage(parsed) ? parsed : null;
  } catch {
    // An upstream that breaks its own protocol: nothing of it is passed on.
    return null;
  }
}

function note(lines: readonly string[], place: Place): void {
  for (const line of lines) {
    const value = textAfter(line);
    // It goes into a header: what does not fit there is no id that could be asked for.
    if (line.startsWith('id:') && value.length <= LAST_ID_MAX && /^[\x20-\x7e]*$/.test(value)) {
      place.lastId = value === '' ? null : value;
    }
    if (line.startsWith('retry:') && /^\d{1,9}$/.test(value)) {
      place.retryMs = Math.min(Number(value), RETRY_MAX_MS);
    }
  }
}

function textAfter(line: string): string {
  const value = line.slice(line.indexOf(':') + 1);
  return value.startsWith(' ') ? value.slice(1) : value;
}

/** An event with this id, if it has one. */
export const eventText = (message: Rpc, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${stringifyLossless(message)}\n\n`;

/** An event without data: the client learns from where it resumes the stream. */
export const PRIMING = (id: string) => `id: ${id}\ndata: \n\n`;
