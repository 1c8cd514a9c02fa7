// Lines of events as bytes: the stored event is copied unchanged, with its cursor in front.
import { REDACTION_VERSION } from '@gatewarden/shared/redaction/redact.ts';
import { currentEvent } from '../events/index.ts';
import type { CopiedEvent } from './store.ts';

/** Large enough for efficient writes to a socket. */
const BUFFER_BYTES = 256 * 1024;
/** The buffers of the largest page of ordinary rows. */
const BUFFERS_MAX = 64;

/** A source of memory for lines. */
export interface LineMemory {
  take(bytes: number): Buffer;
}

export interface BufferPool {
  /** Opens the buffers of a response: `release` after all of it has left the process, and only then. */
  open(): LineMemory & { release(): void };
}

/**
 * Creates a pool that reuses buffers between responses: allocating megabytes for each makes the garbage collector scan
 * the complete heap.
 */
export function createBufferPool(): BufferPool {
  const free: Buffer[] = [];
  return {
    open() {
      const taken: Buffer[] = [];
      return {
        take(bytes) {
          if (bytes > BUFFER_BYTES) return Buffer.allocUnsafeSlow(bytes);
          const buffer = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
          taken.push(buffer);
          return buffer;
        },
        release() {
          free.push(...taken.splice(0, BUFFERS_MAX - free.length));
        },
      };
    },
  };
}

/** The parts of a line around cursor and event. */
export interface LineTemplate {
  /** Text before the cursor. */
  head: string;
  /** Text between the cursor and the rest of the event. */
  middle(id: string): string;
  /** The prefix of the stored event that `middle` replaces. */
  replacedPrefix: string;
}

export interface Lines {
  add(event: CopiedEvent, cursor: string): void;
  finish(): Buffer[];
}

/** Creates the lines of a response. */
export function createLines(
  { head, middle, replacedPrefix }: LineTemplate,
  source: LineMemory,
): Lines {
  const buffers: Buffer[] = [];
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(event, cursor) {
      const front = `${head}${cursor}${middle(event.id)}`;
      const { bytes, start, end } = toCurrentRedaction(event);
      // The front is ASCII.
      const needed = front.length + end - start + 1;
      if (length + needed > buffer.length) {
        buffers.push(buffer.subarray(0, length));
        buffer = source.take(needed);
        length = 0;
      }
      length += buffer.write(front, length, 'latin1');
      length += bytes.copy(buffer, length, start + replacedPrefix.length, end);
      buffer[length++] = NEWLINE;
    },
    finish: () => [...buffers, buffer.subarray(0, length)].filter((bytes) => bytes.length > 0),
  };
}

const NEWLINE = 0x0a;

/** Returns the event, redacted again if older patterns redacted it. */
function toCurrentRedaction(event: CopiedEvent): Pick<CopiedEvent, 'bytes' | 'start' | 'end'> {
  const { bytes, start, end, redactionVersion } = event;
  if (redactionVersion >= REDACTION_VERSION) return event;
  const stored = { event: bytes.toString('utf8', start, end), redaction_version: redactionVersion };
  const redacted = Buffer.from(currentEvent(stored));
  return { bytes: redacted, start: 0, end: redacted.length };
}
