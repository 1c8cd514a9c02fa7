// The binary frames of AWS event streams (application/vnd.amazon.eventstream): a prelude of total length, length of the
// headers and its CRC-32, then headers, payload, and the CRC-32 of the whole message. All numbers are big-endian.
import { crc32 } from 'node:zlib';

export interface AwsEvent {
  /** The message as it arrived. */
  raw: Buffer;
  /** Headers of type string, such as `:event-type`. */
  headers: Readonly<Record<string, string>>;
  payload: Buffer;
}

const PRELUDE_BYTES = 12;
const CRC_BYTES = 4;
const MESSAGE_BYTES_MAX = 16 * 2 ** 20;
const STRING_TYPE = 7;
/** Bytes of a header value by its type; types 6 and 7 have a length of their own. */
const VALUE_BYTES: readonly (number | null)[] = [0, 0, 1, 2, 4, 8, null, null, 8, 16];

export class AwsEventReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the messages that the chunk completes. Throws for a damaged message. */
  push(chunk: Buffer): AwsEvent[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const events: AwsEvent[] = [];
    let at = 0;
    while (bytes.length - at >= PRELUDE_BYTES) {
      const length = bytes.readUInt32BE(at);
      if (length < PRELUDE_BYTES + CRC_BYTES || length > MESSAGE_BYTES_MAX) {
        throw new Error('the event stream is damaged');
      }
      if (bytes.length - at < length) break;
      events.push(parseMessage(bytes.subarray(at, at + length)));
      at += length;
    }
    this.#rest = bytes.subarray(at);
    return events;
  }
}

function parseMessage(raw: Buffer): AwsEvent {
  if (crc32(raw.subarray(0, -CRC_BYTES)) !== raw.readUInt32BE(raw.length - CRC_BYTES)) {
    throw new Error('the event stream is damaged');
  }
  const headersEnd = PRELUDE_BYTES + raw.readUInt32BE(4);
  const headers: Record<string, string> = {};
  for (let at = PRELUDE_BYTES; at < headersEnd; ) {
    const nameEnd = at + 1 + raw.readUInt8(at);
    const type = raw.readUInt8(nameEnd);
    const size = VALUE_BYTES[type];
    const valueStart = nameEnd + (size === null ? 3 : 1);
    const valueEnd = valueStart + (size ?? raw.readUInt16BE(nameEnd + 1));
    if (type === STRING_TYPE) {
      headers[raw.toString('utf8', at + 1, nameEnd)] = raw.toString('utf8', valueStart, valueEnd);
    }
    at = valueEnd;
  }
  return { raw, headers, payload: raw.subarray(headersEnd, -CRC_BYTES) };
}

/** Returns a message with the same headers and another payload. */
export function replacePayload({ raw }: AwsEvent, payload: Buffer): Buffer {
  const headersLength = raw.readUInt32BE(4);
  const headers = raw.subarray(PRELUDE_BYTES, PRELUDE_BYTES + headersLength);
  return frame(headers, payload);
}

/** Returns a message with headers of type string. */
export function encodeMessage(headers: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const encoded = Object.entries(headers).map(([name, value]) => {
    const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
    const head = Buffer.from([nameBytes.length]);
    const type = Buffer.from([STRING_TYPE, valueBytes.length >> 8, valueBytes.length & 255]);
    return Buffer.concat([head, nameBytes, type, valueBytes]);
  });
  return frame(Buffer.concat(encoded), payload);
}

function frame(headers: Buffer, payload: Buffer): Buffer {
  const message = Buffer.alloc(PRELUDE_BYTES + headers.length + payload.length + CRC_BYTES);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, PRELUDE_BYTES);
  payload.copy(message, PRELUDE_BYTES + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -CRC_BYTES)), message.length - CRC_BYTES);
  return message;
}
