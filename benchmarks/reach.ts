// `npm run bench:reach`: how a policy reaches a connected fleet of 1,000 within its poll interval, while 1,000 devices
// of a tenant without news go on polling. Prints when the last device had it, the slowest request, and the statements.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { body, type SimulatedDevice, simulatedDevice, simulatedEntity } from './fleet.ts';

const DEVICES = 1_000;
const POLL_MS = Number(process.env.BENCH_POLL_SECONDS ?? 20) * 1000;

const hub = await openBenchHub();
const pool = new Pool(hub.url, { connections: 256, pipelining: 1 });
const env = { HUB_DATA_DIR: hub.folder };

interface Tenant {
  headers: Record<string, string>;
  devices: (SimulatedDevice & { cursor: string; etag: string; hasIt: number | null })[];
}

async function connect(headers: Record<string, string>): Promise<Tenant> {
  const devices = Array.from({ length: DEVICES }, () => ({
    ...simulatedDevice(),
    cursor: '',
    etag: '',
    hasIt: null,
  }));
  await Promise.all(
    devices.map(async (device) => {
      const scan = { id: crypto.randomUUID(), kind: 'full' as const, batch: 0, batches: 1 };
      const answer = await pool.request({
        method: 'POST',
        path: '/ea/v1/sync/discovered-apps',
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: body(device, [simulatedEntity(0, 0)], scan),
      });
      await answer.body.dump();
      if (answer.statusCode !== 202) throw new Error(`enrolment: ${answer.statusCode}`);
    }),
  );
  return { headers, devices };
}

let slowest = 0;
let polls = 0;
let failed = 0;
async function poll(tenant: Tenant, device: Tenant['devices'][number]): Promise<void> {
  const query = device.cursor === '' ? '' : `?cursor=${encodeURIComponent(device.cursor)}`;
  const startedAt = performance.now();
  const answer = await pool.request({
    method: 'GET',
    path: `/ea/v1/sync/delta${query}`,
    headers: {
      ...tenant.headers,
      'x-device-id': device.deviceId,
      ...(device.etag === '' ? {} : { 'if-none-match': device.etag }),
    },
  });
  const text = await answer.body.text();
  slowest = Math.max(slowest, performance.now() - startedAt);
  polls++;
  if (answer.statusCode === 304) return;
  if (answer.statusCode !== 200) {
    failed++;
    return;
  }
  const { overrides, next_cursor: cursor } = JSON.parse(text) as {
    overrides: unknown[];
    next_cursor: string;
  };
  device.cursor = cursor;
  device.etag = String(answer.headers.etag);
  if (overrides.length > 0) device.hasIt = performance.now();
}

async function newTenant(): Promise<Record<string, string>> {
  const { tenant_id: tenantId } = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', 'Quiet'],
    env,
  );
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'agent', '--tenant', tenantId, '--name', 'quiet'],
    env,
  );
  return { ...hub.headers, authorization: `Bearer ${token}`, 'x-tenant-id': tenantId };
}

async function statements(): Promise<number> {
  const answer = await pool.request({ method: 'GET', path: '/metrics' });
  return Number(/^gatewarden_db_statements_total (\d+)/m.exec(await answer.body.text())?.[1]);
}

const loud = await connect(hub.headers);
const quiet = await connect(await newTenant());
const { token: admin } = await jsonCommand<{ token: string }>(
  HUB_MAIN,
  ['token', 'admin', '--tenant', hub.headers['x-tenant-id'] ?? '', '--email', 'bench@example.com'],
  env,
);

/** Each device once in the interval, spread over it. */
async function interval(tenants: Tenant[]): Promise<void> {
  const all = tenants.flatMap((tenant) => tenant.devices.map((device) => ({ tenant, device })));
  await Promise.all(
    all.map(async ({ tenant, device }, i) => {
      await sleep(((i * 7919) % all.length) * (POLL_MS / all.length));
      await poll(tenant, device);
    }),
  );
}
await interval([loud, quiet]);
await interval([loud, quiet]);
const [before, quietAt] = [await statements(), performance.now()];
await interval([quiet]);
const quietStatements = (await statements()) - before;
const quietSeconds = (performance.now() - quietAt) / 1000;
slowest = 0;
polls = 0;
const pollsOfBoth = Promise.all([interval([loud, quiet]), sleep(POLL_MS / 10)]);
await sleep(POLL_MS / 10);
const storedAt = performance.now();
const stored = await pool.request({
  method: 'POST',
  path: `/console/api/v1/tenants/${hub.headers['x-tenant-id']}/overrides`,
  headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    match: { name: 'package-0' },
    approval_status: 'blocked',
    execution_policy: 'block',
    scope: { kind: 'tenant' },
  }),
});
if (stored.statusCode !== 201) throw new Error(`${stored.statusCode} ${await stored.body.text()}`);
await stored.body.dump();
await pollsOfBoth;
await interval([loud, quiet]);
const last = Math.max(
  ...loud.devices.map((device) => (device.hasIt ?? Number.POSITIVE_INFINITY) - storedAt),
);
const strays = quiet.devices.filter((device) => device.hasIt !== null).length;
console.log(
  [
    `${loud.devices.length} devices that poll every ${POLL_MS / 1000} s had it after at most ${(last / 1000).toFixed(1)} s`,
    `slowest of ${polls} requests ${slowest.toFixed(0)} ms`,
    `failed ${failed}`,
    `${strays} devices of the other tenant had it`,
    `${quietStatements} statements in ${quietSeconds.toFixed(0)} s of ${quiet.devices.length} polls without news (all of the hub's own jobs and sightings)`,
  ].join(', '),
);
await pool.close();
await hub.close();
