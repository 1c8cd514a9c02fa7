// `npm run bench:delta`: a delta without changes beside a Fastify that answers a constant, interleaved in the same run.
import { request } from 'undici';
import { openBenchHub } from './bench-hub.ts';
import { body, simulatedDevice, simulatedEntity } from './fleet.ts';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const REQUESTS = 20_000;
const DEVICES = 200;

const hub = await openBenchHub();
const { headers } = hub;
const devices = Array.from({ length: DEVICES }, simulatedDevice);
const polls: Shot[] = [];
for (const device of devices) {
  const scan = { id: crypto.randomUUID(), kind: 'full' as const, batch: 0, batches: 1 };
  await load(hub.url, [
    {
      method: 'POST',
      path: '/ea/v1/sync/discovered-apps',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: body(device, [simulatedEntity(0, 0)], scan),
    },
  ]);
  const own = { ...headers, 'x-device-id': device.deviceId };
  const first = await request(`${hub.url}/ea/v1/sync/delta`, { headers: own });
  const { next_cursor: cursor } = (await first.body.json()) as { next_cursor: string };
  const path = `/ea/v1/sync/delta?cursor=${encodeURIComponent(cursor)}&applied=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`;
  polls.push({ method: 'GET', path, headers: own });
}
const many = Array.from({ length: REQUESTS }, (_, i) => polls[i % polls.length] as Shot);

const ours: number[] = [];
const theirs: number[] = [];
const used = { hub: 0, baseline: 0, database: 0 };
let failed = 0;
for (let round = 0; round < ROUNDS; round++) {
  const before = hub.cpu();
  const measured = await load(hub.url, many, { expect: 200 });
  failed += measured.failed;
  ours.push(measured.perSecond);
  theirs.push((await load(hub.constantUrl, many, { expect: 200 })).perSecond);
  const after = hub.cpu();
  for (const part of ['hub', 'baseline', 'database'] as const) {
    used[part] += after[part] - before[part];
  }
}
const [a, b] = [median(ours), median(theirs)];
const each = (seconds: number) => `${((seconds / ROUNDS / REQUESTS) * 1e6).toFixed(0)} µs`;
console.log(
  [
    `delta with nothing new: ${a.toFixed(0)}/s`,
    `baseline ${b.toFixed(0)}/s`,
    `ratio ${(a / b).toFixed(2)}`,
    `processor per request: hub ${each(used.hub)}, its database ${each(used.database)}, baseline ${each(used.baseline)}`,
    `failed ${failed}`,
  ].join(', '),
);
await hub.close();
