// `npm run swarm -- --devices N --minutes M`: a fleet against a hub of its own (or `--url U --tenant T --token K`). First
// every device sends its whole inventory, then each polls every minute and rescans every half hour. Prints what it saw.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { residentMiB } from '../../benchmarks/cpu.ts';
import { HUB_MAIN, jsonCommand, type Program, startProgram } from '../support/programs.ts';
import { type Device, fullScan, makeDevice, rescan } from './device.ts';
import { createChance } from './random.ts';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '2' },
    entities: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '128' },
    'poll-seconds': { type: 'string', default: '60' },
    'rescan-minutes': { type: 'string', default: '30' },
    url: { type: 'string' },
    tenant: { type: 'string' },
    token: { type: 'string' },
  },
});
const DEVICES = Number(values.devices);
const pollMs = Number(values['poll-seconds']) * 1000;
const rescanMs = Number(values['rescan-minutes']) * 60_000;
const chance = createChance(Number(values.seed));

const folder = mkdtempSync(join(tmpdir(), 'gw-swarm-'));
const { hub, ...target } = await aim();
const pool = new Pool(target.url, { connections: Number(values.connections), pipelining: 1 });
const headers = {
  authorization: `Bearer ${target.token}`,
  'x-tenant-id': target.tenant,
  'x-subscriber-id': 'swarm',
};

const statuses = new Map<string, number>();
const times = new Map<string, number[]>();
let latest = 0;

async function request(kind: string, options: Parameters<typeof pool.request>[0]) {
  const started = performance.now();
  const answer = await pool.request(options).catch((error: Error) => ({ error }));
  const ms = performance.now() - started;
  const status = 'error' in answer ? answer.error.name : String(answer.statusCode);
  statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
  const list = times.get(kind) ?? [];
  times.set(kind, list);
  list.push(ms);
  latest = Math.max(latest, ms);
  if ('error' in answer) return null;
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

async function push(device: Device, bodies: Buffer[]): Promise<void> {
  for (const body of bodies) {
    const path = '/ea/v1/sync/discovered-apps';
    const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const own = { 'x-device-id': device.id };
    await request('batch', {
      path,
      method: 'POST',
      headers: { ...headers, ...gzip, ...own },
      body,
    });
  }
}

async function poll(device: Device): Promise<void> {
  const query = device.cursor === null ? '' : `?cursor=${encodeURIComponent(device.cursor)}`;
  const answer = await request('delta', {
    path: `/ea/v1/sync/delta${query}`,
    method: 'GET',
    headers: {
      ...headers,
      'x-device-id': device.id,
      ...(device.etag === null ? {} : { 'if-none-match': device.etag }),
    },
  });
  if (answer?.status !== 200) return;
  device.cursor = (JSON.parse(answer.text) as { next_cursor: string }).next_cursor;
  device.etag = String(answer.headers.etag);
}

const devices = Array.from({ length: DEVICES }, () => makeDevice(chance, Number(values.entities)));
console.log(`${DEVICES} devices, seed ${values.seed}: first scans`);
const firstAt = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.connections) }, async () => {
    for (let device = devices[next++]; device !== undefined; device = devices[next++]) {
      await push(device, fullScan(device));
    }
  }),
);
report(`first scans in ${((performance.now() - firstAt) / 1000).toFixed(0)} s`);

const endAt = performance.now() + Number(values.minutes) * 60_000;
const running = devices.map(async (device) => {
  let nextPoll = performance.now() + chance.next() * pollMs;
  let nextScan = performance.now() + chance.next() * rescanMs;
  for (;;) {
    const at = Math.min(nextPoll, nextScan);
    if (at >= endAt) return;
    await sleep(Math.max(0, at - performance.now()));
    if (nextPoll <= nextScan) {
      await poll(device);
      nextPoll += pollMs;
    } else {
      await push(device, rescan(device, chance, 0.01));
      nextScan += rescanMs;
    }
  }
});
const every = setInterval(() => report('running'), 60_000);
await Promise.all(running);
clearInterval(every);
report('done');
await pool.close();
await hub?.end('SIGTERM');
rmSync(folder, { recursive: true, force: true });

function report(what: string): void {
  console.log(`${what} · ${memory()}`);
  for (const [kind, list] of times) {
    const sorted = [...list].sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    console.log(`  ${kind}: ${list.length}, median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  }
  console.log(
    `  ${[...statuses].map(([name, n]) => `${name}: ${n}`).join(', ')}; slowest ${latest.toFixed(0)} ms`,
  );
  times.clear();
  latest = 0;
}

/** Resident memory of the hub, where it is ours. */
function memory(): string {
  if (hub?.child.pid === undefined) return 'hub elsewhere';
  return `hub ${Math.round(residentMiB(hub.child.pid))} MB`;
}

interface Target {
  url: string;
  tenant: string;
  token: string;
  /** The program of a hub that was started here; null for a given URL. */
  hub: Program | null;
}

async function aim(): Promise<Target> {
  if (values.url !== undefined && values.tenant !== undefined && values.token !== undefined) {
    return { url: values.url, tenant: values.tenant, token: values.token, hub: null };
  }
  const env = { HUB_DATA_DIR: folder, HUB_PORT: '0', HUB_LOG_LEVEL: 'info' };
  const { tenant_id: tenant } = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', 'Swarm'],
    env,
  );
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'agent', '--tenant', tenant, '--name', 'swarm'],
    env,
  );
  const started = await startProgram(HUB_MAIN, ['serve'], env);
  const line = started.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
  return { url: (JSON.parse(line) as { url: string }).url, tenant, token, hub: started };
}
