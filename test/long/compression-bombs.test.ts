// Bodies that are small on the wire and want to be large, deep or endless inside, fifty of a kind at once: each is refused
// by a clear 4xx, the hub's memory stays small, and it keeps serving. Run: npm run long.
import { request as httpRequest } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openBenchHub } from '../../benchmarks/bench-hub.ts';
import { residentMiB } from '../../benchmarks/cpu.ts';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';

const AT_ONCE = 50;
const REACH_MIB = 32;

async function zeros(bytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const pieces: Buffer[] = [];
  gzip.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => gzip.on('end', resolve));
  const piece = Buffer.alloc(4 * 2 ** 20);
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!gzip.write(piece)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return Buffer.concat(pieces);
}

test(`survives compression bombs, ${AT_ONCE} of a kind at once`, { timeout: 300_000 }, async () => {
  const hub = await openBenchHub();
  onTestFinished(() => hub.close());
  const { hostname, port } = new URL(hub.url);
  const post = (body: Buffer, more: Record<string, string> = {}) =>
    new Promise<number>((resolve) => {
      const request = httpRequest(
        {
          ...{ hostname, port, method: 'POST', path: '/ea/v1/sync/discovered-apps' },
          headers: {
            ...hub.headers,
            'content-encoding': 'gzip',
            'content-type': 'application/json',
            ...more,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      // The hub cut the connection during the upload: its answer may have arrived or not.
      request.on('error', () => resolve(-1));
      request.end(body);
    });
  const good = () => gzipSync(JSON.stringify(aBatch(aDevice(), [anEntity('honest')])));
  const text = JSON.stringify(aBatch(aDevice(), [anEntity('bomb')]));
  const within = (piece: string) => gzipSync(`${text.slice(0, -1)},"more":${piece}}`);
  const gigabyte = await zeros(2 ** 30);
  const kinds: Record<string, Buffer> = {
    'a gigabyte of zeros': gigabyte,
    'gzip in gzip': gzipSync(gigabyte),
    'a byte more than may be inflated': gzipSync(Buffer.alloc(4 * 2 ** 20 + 1, 0x20)),
    'brackets, a hundred thousand deep': within('['.repeat(100_000) + ']'.repeat(100_000)),
    'objects, a hundred thousand deep': within(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    'a hundred thousand keys': within(
      `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    ),
    'a number of a million digits': within('9'.repeat(1_000_000)),
    'keys that lead to prototypes': within('{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
    'no gzip': Buffer.from(text),
    'gzip that is cut': gzipSync(text).subarray(0, 60),
  };
  for (let i = 0; i < 20; i++) expect(await post(good())).toBe(202);

  const report: string[] = [];
  for (const [kind, body] of Object.entries(kinds)) {
    const before = residentMiB(hub.pid);
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, residentMiB(hub.pid));
    }, 5);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(body)));
    const tookMs = performance.now() - began;
    clearInterval(watching);
    const statuses = [...new Set(answers)].sort();
    report.push(
      `${kind} (${body.length} bytes): ${statuses.join(', ')}; ${tookMs.toFixed(0)} ms; ${before.toFixed(0)} MiB before, at most ${(most - before).toFixed(0)} more`,
    );
    expect(
      statuses.every((status) => [-1, 202, 400, 413, 415].includes(status)),
      report.at(-1),
    ).toBe(true);
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
    expect(await post(good())).toBe(202);
  }
  console.log(`reach ${REACH_MIB} MiB more\n${report.join('\n')}`);
});
