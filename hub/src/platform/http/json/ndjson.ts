// Reads bodies of newline-delimited JSON line by line as they arrive.
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../errors/errors.ts';

export interface LineLimits {
  /** Limit of both the compressed and the decompressed body. */
  maxBytes: number;
  maxLines: number;
}

const NEWLINE = 0x0a;
/** Some programs write this at the start of a file. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Yields the lines of a body that are not blank, each with its number counted from 1. Throws `body_too_large`,
 * `invalid_gzip` and, beyond `maxLines`, `invalid_request`.
 */
export async function* readLines(
  body: Readable,
  request: FastifyRequest,
  limits: LineLimits,
): AsyncGenerator<{ number: number; bytes: Buffer }> {
  let pending: Buffer[] = [];
  let number = 0;
  let count = 0;
  const take = (last: Buffer) => {
    number++;
    const complete = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    const isMarked = number === 1 && complete.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const bytes = isMarked ? complete.subarray(3) : complete;
    pending = [];
    if (isBlank(bytes)) return null;
    if (++count > limits.maxLines) {
      throw new HubError('invalid_request', `/ has more than ${limits.maxLines} lines`);
    }
    return { number, bytes };
  };
  for await (const piece of decompress(body, request, limits.maxBytes)) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      const line = take(piece.subarray(start, end));
      start = end + 1;
      if (line !== null) yield line;
    }
    if (start < piece.length) pending.push(piece.subarray(start));
  }
  const line = pending.length === 0 ? null : take(Buffer.alloc(0));
  if (line !== null) yield line;
}

/** Reads the body. A client that disconnects is no failure of this process, so its error becomes `invalid_request`. */
async function* readPieces(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    throw new HubError('invalid_request', '/ is truncated');
  }
}

/** Yields the decompressed pieces. Bytes are counted before and after decompression, which stops at the limit. */
async function* decompress(
  body: Readable,
  request: FastifyRequest,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new HubError('invalid_request', '/header/content-encoding must be gzip or omitted');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Ending the body would end the connection, on which the error is sent.
  const counted = countBytes(readPieces(body), maxBytes);
  if (encoding === 'identity') return yield* counted;
  const gunzip = createGunzip();
  // An error of the writer reaches the reader as an error of the stream.
  const fed = feed(counted, gunzip);
  fed.catch(() => undefined);
  try {
    yield* countBytes(gunzip, maxBytes);
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
      if (!gunzip.write(piece)) await waitForDrain(gunzip);
      if (gunzip.destroyed) return;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
    throw error;
  }
}

function waitForDrain(stream: ReturnType<typeof createGunzip>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('drain', resolve);
  stream.once('close', resolve);
  return promise;
}

async function* countBytes(
  pieces: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
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
