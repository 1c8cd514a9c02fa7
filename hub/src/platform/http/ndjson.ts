// Bodies of newline-delimited JSON, read line by line as they arrive.
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { HubError } from './errors.ts';

export interface LineLimits {
  /** As sent and inflated. */
  maxBytes: number;
  maxLines: number;
}

const NEWLINE = 0x0a;
/** What some programs begin a file with. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of a body, without empty ones, each with its number counted from 1. Throws `body_too_large`,
 * `invalid_gzip` and, for a line too many, `invalid_request`.
 */
export async function* readLines(
  body: Readable,
  request: FastifyRequest,
  limits: LineLimits,
): AsyncGenerator<{ number: number; bytes: Buffer }> {
  let left: Buffer[] = [];
  let number = 0;
  let found = 0;
  const take = (last: Buffer) => {
    number++;
    const whole = left.length === 0 ? last : Buffer.concat([...left, last]);
    const isMarked = number === 1 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const bytes = isMarked ? whole.subarray(3) : whole;
    left = [];
    if (isBlank(bytes)) return null;
    if (++found > limits.maxLines) {
      throw new HubError('invalid_request', `/ has more than ${limits.maxLines} lines`);
    }
    return { number, bytes };
  };
  for await (const piece of inflated(body, request, limits.maxBytes)) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      const line = take(piece.subarray(start, end));
      start = end + 1;
      if (line !== null) yield line;
    }
    if (start < piece.length) left.push(piece.subarray(start));
  }
  const line = left.length === 0 ? null : take(Buffer.alloc(0));
  if (line !== null) yield line;
}

/** A client that went away is no failure of this process; nobody is there to read what is answered. */
async function* sent(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    throw new HubError('invalid_request', '/ is truncated');
  }
}

/** The pieces of the body, counted before and after inflating; inflating stops at the limit. */
async function* inflated(
  body: Readable,
  request: FastifyRequest,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new HubError('invalid_request', '/header/content-encoding must be gzip or omitted');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Whoever stops reading wants to answer: ending the body would end its connection.
  const counted = count(sent(body), maxBytes);
  if (encoding === 'identity') return yield* counted;
  const gunzip = createGunzip();
  // What the writer below fails with reaches the reader as the stream's own error.
  const fed = feed(counted, gunzip);
  fed.catch(() => undefined);
  try {
    yield* count(gunzip, maxBytes);
    await fed;
  } catch (error) {
    if (error instanceof HubError) throw error;
    const { code } = error as { code?: string };
    throw code?.startsWith('Z_') ? new HubError('invalid_gzip') : error;
  } finally {
    gunzip.destroy();
  }
}

async function feed(
  pieces: AsyncIterable<Buffer>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!gunzip.write(piece)) await drained(gunzip);
      if (gunzip.destroyed) return;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
    throw error;
  }
}

function drained(stream: ReturnType<typeof createGunzip>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('drain', resolve);
  stream.once('close', resolve);
  return promise;
}

async function* count(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const piece of pieces) {
    sum += piece.length;
    if (sum > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

const tooLarge = (maxBytes: number) =>
  new HubError('body_too_large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`);

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
