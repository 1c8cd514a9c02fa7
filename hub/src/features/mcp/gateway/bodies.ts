// Bodies of upstreams, which may be of any length and end at any time, or never.
import type { Readable } from 'node:stream';

/** The body, or one event of it, has more bytes than are read. */
export class BodyTooLarge extends Error {
  readonly bytes: number;
  readonly limit: number;

  constructor(bytes: number, limit: number) {
    super('the body is too large');
    this.bytes = bytes;
    this.limit = limit;
  }
}

export interface Pause {
  /** Something came. */
  came(): void;
  /** How long the next pause may be. */
  set(ms: number): void;
  end(): void;
}

/** Ends the body where nothing comes of it for so long. */
export function bounded(body: Readable, ms: number): Pause {
  const give = () => body.destroy(new Error('nothing came for too long'));
  let timer = setTimeout(give, ms).unref();
  return {
    came: () => void timer.refresh(),
    set(next) {
      clearTimeout(timer);
      timer = setTimeout(give, next).unref();
    },
    end: () => clearTimeout(timer),
  };
}

/** The same parts; each is noted as it comes. */
export async function* noted(body: Readable, pause: Pick<Pause, 'came'>): AsyncGenerator<Buffer> {
  for await (const part of body as AsyncIterable<Buffer>) {
    pause.came();
    yield part;
  }
}

/** Throws BodyTooLarge. */
export async function textOf(
  body: Readable,
  maxBytes: number,
  pause: Pick<Pause, 'came'>,
): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    pause.came();
    parts.push(part);
    size += part.length;
    if (size > maxBytes) throw new BodyTooLarge(size, maxBytes);
  }
  return (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString('utf8');
}
