// Bodies of upstreams, which may be of any length and end at any time, or never.
import type { Readable } from 'node:stream';

/** Ends the body where nothing comes of it for so long. */
export function bounded(body: Readable, ms: number): { set(ms: number): void; end(): void } {
  const give = () => body.destroy(new Error('nothing came for too long'));
  let timer = setTimeout(give, ms).unref();
  const came = () => void timer.refresh();
  // Before whoever reads it: the same chunks, without making the body flow.
  body.on('readable', came);
  return {
    set(next) {
      clearTimeout(timer);
      timer = setTimeout(give, next).unref();
    },
    end() {
      clearTimeout(timer);
      body.off('readable', came);
    },
  };
}

/** Throws where it is longer. */
export async function textOf(body: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > maxBytes) throw new Error('the answer is too long');
  }
  return Buffer.concat(parts).toString('utf8');
}
