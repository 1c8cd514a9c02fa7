// Bounds for the bodies of servers: a size cap, and an idle timeout between chunks.
import type { Readable } from 'node:stream';

/** A body, or an event of it, exceeds its size cap. */
export class BodyTooLarge extends Error {
  readonly bytes: number;
  readonly limit: number;

  constructor(bytes: number, limit: number) {
    super('the body is too large');
    this.bytes = bytes;
    this.limit = limit;
  }
}

export interface IdleTimer {
  /** Restarts the timeout. */
  refresh(): void;
  end(): void;
}

/** Destroys the body when no chunk arrives for `ms`. */
export function startIdleTimer(body: Readable, ms: number): IdleTimer {
  const expire = () => body.destroy(new Error('nothing came for too long'));
  const timer = setTimeout(expire, ms).unref();
  return { refresh: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** Yields the chunks of the body, and refreshes the timer with each. */
export async function* withIdleTimer(
  body: Readable,
  timer: Pick<IdleTimer, 'refresh'>,
): AsyncGenerator<Buffer> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    timer.refresh();
    yield chunk;
  }
}

/** Returns the body as text. Throws BodyTooLarge. */
export async function readText(
  body: Readable,
  maxBytes: number,
  timer: Pick<IdleTimer, 'refresh'>,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of withIdleTimer(body, timer)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyTooLarge(bytes, maxBytes);
  }
  return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8');
}
