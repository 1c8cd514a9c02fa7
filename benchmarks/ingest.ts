// `npm run bench`: ingest beside its baselines, interleaved in the same run. Prints ratios; nothing is asserted.
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { openBenchHub } from './bench-hub.ts';
import { copyBaseline } from './copy.ts';
import { scanBodies, simulatedDevice } from './fleet.ts';
import { load, type Measured, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DEVICES = Number(process.env.BENCH_DEVICES ?? 80);
const PAGES = 30;

const hub = await openBenchHub();
const embedded = await openEmbedded(hub.folder);
const headers = {
  ...hub.headers,
  'content-type': 'application/json',
  'content-encoding': 'gzip',
};
const toHub = (bodies: Buffer[]): Shot[] =>
  bodies.map((body) => ({ method: 'POST', path: '/ea/v1/sync/discovered-apps', headers, body }));
const toBare = (bodies: Buffer[]): Shot[] =>
  bodies.map((body) => ({ method: 'POST', path: '/ingest', headers, body }));

/** Orders batches as agents send them that started together: batch by batch over all devices, one in flight per device. */
const interleaved = (perDevice: Buffer[][]): Buffer[] =>
  Array.from({ length: PAGES }, (_, page) =>
    perDevice.flatMap((bodies) => bodies[page] ?? []),
  ).flat();

interface Row {
  work: string;
  hub: (Measured & { cpu: { hub: number; database: number } })[];
  baseline: number[];
}
const changed: Row = { work: 'changed batches, entities/s', hub: [], baseline: [] };
const tenth: Row = { work: 'batches with 10 % changed', hub: [], baseline: [] };
const unchanged: Row = { work: 'unchanged batches', hub: [], baseline: [] };

/** The load, and what hub and database used of the processor for it. */
async function loadHub(bodies: Buffer[]) {
  const before = hub.cpu();
  const measured = await load(hub.url, toHub(bodies));
  const after = hub.cpu();
  const cpu = { hub: after.hub - before.hub, database: after.database - before.database };
  return { ...measured, cpu };
}

for (let round = 0; round < ROUNDS; round++) {
  const devices = Array.from({ length: DEVICES }, simulatedDevice);
  const bodiesOf = (generation: number, share: number) =>
    interleaved(devices.map((device) => scanBodies(device, PAGES, generation, share)));
  const fresh = bodiesOf(0, 50);
  changed.hub.push(await loadHub(fresh));
  const copied = await copyBaseline(embedded.connection, DEVICES, PAGES);
  changed.baseline.push(copied.rows / copied.seconds / 50);
  const some = bodiesOf(1, 5);
  tenth.hub.push(await loadHub(some));
  tenth.baseline.push((await load(hub.bareUrl, toBare(some))).perSecond);
  const same = bodiesOf(1, 5);
  unchanged.hub.push(await loadHub(same));
  unchanged.baseline.push((await load(hub.bareUrl, toBare(same))).perSecond);
}

for (const row of [changed, tenth, unchanged]) {
  const measured = median(row.hub.map((item) => item.perSecond));
  const baseline = median(row.baseline);
  const sum = (of: (item: Row['hub'][number]) => number) =>
    row.hub.reduce((total, item) => total + of(item), 0);
  const perBatch = (seconds: number) =>
    `${((seconds / sum((item) => item.requests)) * 1000).toFixed(2)} ms`;
  console.log(
    [
      `${row.work}: ${measured.toFixed(0)} batches/s`,
      `baseline ${baseline.toFixed(0)}`,
      `ratio ${(measured / baseline).toFixed(2)}`,
      `a batch takes ${perBatch(sum((item) => item.cpu.hub))} of the hub and ${perBatch(sum((item) => item.cpu.database))} of the database`,
      `generator ${(sum((item) => item.generatorCpu) / sum((item) => item.seconds)).toFixed(2)} cores`,
      `failed ${sum((item) => item.failed)}`,
    ].join(', '),
  );
}
await embedded.release();
await hub.close();
