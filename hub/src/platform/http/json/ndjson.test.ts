// A body of lines ends early.
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { readLines } from './ndjson.ts';

const LIMITS = { maxBytes: 1_000, maxLines: 10 };

async function read(pieces: readonly Buffer[], code: string, encoding: string): Promise<number> {
  const body = Readable.from(
    (async function* () {
      yield* pieces;
      throw Object.assign(new Error('aborted'), { code });
    })(),
  );
  const request = { headers: { 'content-encoding': encoding } } as unknown as FastifyRequest;
  let lines = 0;
  for await (const _ of readLines(body, request, LIMITS)) lines++;
  return lines;
}

test('treats a disconnected client as no failure of the hub', async () => {
  const truncated = { code: 'invalid_request', message: '/ is truncated' };
  await expect(read([Buffer.from('{}\n{')], 'ECONNRESET', 'identity')).rejects.toMatchObject(
    truncated,
  );
  await expect(read([gzipSync('{}\n{')], 'ECONNRESET', 'gzip')).rejects.toMatchObject(truncated);
});

test('rethrows any other error', async () => {
  await expect(read([Buffer.from('{}\n')], 'EIO', 'identity')).rejects.toMatchObject({
    code: 'EIO',
  });
});
