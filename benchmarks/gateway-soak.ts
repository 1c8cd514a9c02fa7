// `npm run bench:gateway-soak [-- MINUTES]`: a gateway node at half of its capacity, 30 minutes by default. Prints the memory
// of the node each minute; it must not grow after the first minutes. A tenth of the requests are streams.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import {
  CONTROLS,
  DOUBLES,
  describeApp,
  shotWith,
  spawnGateway,
  startChild,
  startHubDouble,
  stopAll,
  waitUntilReady,
} from './gateway-setup.ts';
import { load } from './load.ts';

const MINUTES = Number(process.argv[2] ?? 30);
const PORT = '18789';
const CAPACITY_REQUESTS = 8_000;
const STREAM_EACH = 10;
const SLICE_MS = 100;
const MINUTE_MS = 60_000;

/** Returns the resident memory of a process in MiB. */
function readMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
}

try {
  const upstream = await startChild(DOUBLES, ['upstream']);
  const app = describeApp(upstream, CONTROLS);
  const hub = await startHubDouble(app.items);
  const pid = spawnGateway(hub, PORT);
  const gateway = `http://127.0.0.1:${PORT}`;
  await waitUntilReady(gateway);
  const shot = shotWith({ authorization: `Bearer ${app.secret}` });
  const many = Array.from({ length: CAPACITY_REQUESTS }, () => shot);
  const { perSecond } = await load(gateway, many, { expect: 200 });
  const rate = perSecond / 2;
  console.log(`capacity ${perSecond.toFixed(0)}/s; soak at ${rate.toFixed(0)}/s`);

  const pool = new Pool(gateway, { connections: 256 });
  const counts = { sent: 0, failed: 0, open: 0 };
  const send = async () => {
    const isStream = counts.sent++ % STREAM_EACH === 0;
    const body = isStream
      ? Buffer.from(String(shot.body).replace('{', '{"stream":true,'))
      : (shot.body ?? null);
    counts.open++;
    try {
      const answer = await pool.request({ ...shot, body });
      await answer.body.text();
      if (answer.statusCode !== 200) counts.failed++;
    } catch {
      counts.failed++;
    }
    counts.open--;
  };
  const startedAt = performance.now();
  for (let minute = 1; minute <= MINUTES; minute++) {
    while (performance.now() < startedAt + minute * MINUTE_MS) {
      const due = ((performance.now() - startedAt) / 1_000) * rate;
      while (counts.sent < due && counts.open < 256) void send();
      await sleep(SLICE_MS);
    }
    const { sent, failed } = counts;
    console.log(`minute ${minute}: ${sent} requests, ${failed} failed, ${readMemory(pid)} MiB`);
  }
  await pool.close();
} finally {
  stopAll();
}
