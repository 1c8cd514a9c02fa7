// `npm run bench:gateway`: latency that a gateway node adds, and its throughput, beside a bare pass-through and Portkey's
// gateway, interleaved in the same run. The hub is a double that serves a fixed configuration and accepts rows.
import { join } from 'node:path';
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
import { measureStreams, type StreamTimes } from './gateway-streams.ts';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const SEQUENTIAL = 400;
const REQUESTS = 4_000;
const STREAMS = 20;
const PORTKEY = join(
  import.meta.dirname,
  '../node_modules/@portkey-ai/gateway/build/start-server.js',
);
const PORTKEY_PORT = '18787';

/** Returns the median latency in milliseconds of requests that are sent one after another. */
async function measureLatency(origin: string, shot: Shot): Promise<number> {
  const pool = new Pool(origin, { connections: 1 });
  const times: number[] = [];
  for (let i = 0; i < SEQUENTIAL; i++) {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ ...shot, body: shot.body ?? null });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  await pool.close();
  return median(times);
}

try {
  const upstream = await startChild(DOUBLES, ['upstream']);
  const bare = await startChild(DOUBLES, ['bare', upstream]);
  const [off, on] = [describeApp(upstream, {}), describeApp(upstream, CONTROLS)];
  const hub = await startHubDouble([...off.items, ...on.items]);
  await startChild(
    PORTKEY,
    [`--port=${PORTKEY_PORT}`, '--headless'],
    { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    /Ready|running at/,
  );
  const gatewayPort = '18788';
  spawnGateway(hub, gatewayPort);
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  await waitUntilReady(gateway);
  const key = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const targets = {
    direct: [upstream, shotWith({})],
    'gateway, controls off': [gateway, shotWith(key(off.secret))],
    'gateway, controls on': [gateway, shotWith(key(on.secret))],
    portkey: [
      `http://127.0.0.1:${PORTKEY_PORT}`,
      shotWith({
        authorization: 'Bearer sk-bench',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${upstream}/v1`,
      }),
    ],
  } as const satisfies Record<string, readonly [string, Shot]>;
  const latencies = Object.fromEntries(Object.keys(targets).map((name) => [name, [] as number[]]));
  const rates = { gateway: [] as number[], bare: [] as number[] };
  const streamed = {
    direct: [upstream, shotWith({})],
    gateway: targets['gateway, controls off'],
    'bare pass-through': [bare, shotWith({})],
  } as const satisfies Record<string, readonly [string, Shot]>;
  const streams = Object.fromEntries(
    Object.keys(streamed).map((name) => [name, [] as StreamTimes[]]),
  );
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, [origin, shot]] of Object.entries(targets)) {
      const latency = await measureLatency(origin, shot);
      // The first round warms up.
      if (round > 0) latencies[name]?.push(latency);
    }
    const many = (shot: Shot) => Array.from({ length: REQUESTS }, () => shot);
    const ours = await load(gateway, many(shotWith(key(off.secret))), { expect: 200 });
    const baseline = await load(bare, many(shotWith({})), { expect: 200 });
    for (const [name, [origin, shot]] of Object.entries(streamed)) {
      const times = await measureStreams(origin, shot, STREAMS);
      if (round > 0) streams[name]?.push(times);
    }
    if (round > 0) {
      rates.gateway.push(ours.perSecond);
      rates.bare.push(baseline.perSecond);
    }
  }
  const added = (name: string) => median(latencies[name] ?? []) - median(latencies.direct ?? []);
  for (const name of Object.keys(targets).slice(1)) {
    const share = added(name) / added('portkey');
    console.log(
      `${name}: adds ${added(name).toFixed(2)} ms at the median, ${share.toFixed(2)} of Portkey's`,
    );
  }
  const [ours, baseline] = [median(rates.gateway), median(rates.bare)];
  console.log(
    `throughput at 64 connections: gateway ${ours.toFixed(0)}/s, bare ${baseline.toFixed(0)}/s, ratio ${(ours / baseline).toFixed(2)}`,
  );
  const streamTime = (name: string, part: keyof StreamTimes) =>
    median((streams[name] ?? []).map((times) => times[part]));
  for (const name of Object.keys(streamed).slice(1)) {
    const [first, event] = (['first', 'event'] as const).map(
      (part) => streamTime(name, part) - streamTime('direct', part),
    );
    console.log(
      `stream, ${name}: adds ${first?.toFixed(2)} ms to the first event, ${event?.toFixed(3)} ms to each`,
    );
  }
} finally {
  stopAll();
}
