// Two thousand clients that are slow on purpose, with a good token: half of them never end their headers, three in eight
// never their bodies, the others never read what they are answered. Honest devices go on meanwhile, the hub stays small,
// and all of them are cut. Run: npm run long. SOCKETS=200 makes it smaller.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openBenchHub } from '../../benchmarks/bench-hub.ts';
import { residentMiB } from '../../benchmarks/cpu.ts';
import { aBatch, aDevice, anEntity } from '../support/builders.ts';

const SOCKETS = Number(process.env.SOCKETS ?? 2_000);
const HONEST = 200;
const CUT_WITHIN_MS = 65_000;

test(`serves devices beside ${SOCKETS} slow clients`, { timeout: 300_000 }, async () => {
  const hub = await openBenchHub();
  onTestFinished(() => hub.close());
  const { hostname, port } = new URL(hub.url);
  const head = (method: string, path: string, more: Record<string, string>) =>
    [
      `${method} ${path} HTTP/1.1`,
      `host: ${hostname}`,
      ...Object.entries({ ...hub.headers, ...more }).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n');
  const push = async () => {
    const answer = await fetch(`${hub.url}/ea/v1/sync/discovered-apps`, {
      method: 'POST',
      headers: { ...hub.headers, 'content-encoding': 'gzip', 'content-type': 'application/json' },
      body: gzipSync(JSON.stringify(aBatch(aDevice(), [anEntity(`honest-${randomUUID()}`)]))),
    });
    await answer.body?.cancel();
    return answer.status;
  };
  // The memory that batches of honest devices take alone does not count for slow clients.
  for (let i = 0; i < HONEST; i++) {
    expect(await push()).toBe(202);
    await sleep(20);
  }
  const before = residentMiB(hub.pid);

  const began = performance.now();
  const ends: number[] = [];
  const slow = (text: string, drips: string, reads: boolean): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('close', () => ends.push(performance.now() - began));
    socket.write(text);
    if (reads) socket.resume();
    const drip = setInterval(() => socket.write(drips), 1_000);
    socket.on('close', () => clearInterval(drip));
    return socket;
  };
  const body = {
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    'content-length': String(1024 * 1024),
  };
  const sockets = Array.from({ length: SOCKETS }, (_, i) => {
    if (i % 2 === 0) return slow(head('GET', '/ea/v1/sync/delta', {}), 'x-more: 1\r\n', true);
    if (i % 8 !== 1) {
      return slow(`${head('POST', '/ea/v1/sync/discovered-apps', body)}\r\n\r\n`, 'x', true);
    }
    // The client sends as many requests as fit, and never reads an answer.
    const once = `${head('GET', '/ea/v1/sync/process-map', { 'x-device-id': randomUUID() })}\r\n\r\n`;
    return slow(once.repeat(500), '', false);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });

  let taken = 0;
  let again = 0;
  let most = before;
  let slowest = 0;
  for (let i = 0; i < HONEST; i++) {
    const asked = performance.now();
    let status = await push();
    if (status === 503) {
      again++;
      await sleep(1_000);
      status = await push();
    }
    if (status === 202) taken++;
    slowest = Math.max(slowest, performance.now() - asked);
    most = Math.max(most, residentMiB(hub.pid));
    await sleep(100);
  }
  while (ends.length < SOCKETS && performance.now() - began < 2 * CUT_WITHIN_MS) {
    most = Math.max(most, residentMiB(hub.pid));
    await sleep(100);
  }
  console.log(
    `${SOCKETS} slow clients: ${ends.length} were cut, the last after ${((ends.at(-1) ?? 0) / 1000).toFixed(1)} s; of ${HONEST} honest batches ${taken} were taken, ${again} of them when sent again, the slowest in ${slowest.toFixed(0)} ms; ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)}`,
  );
  expect(ends).toHaveLength(SOCKETS);
  expect(taken).toBe(HONEST);
});
