// Endpoints that accept a message and never answer do not delay alerts to other endpoints.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { aDevice, anAlert } from '../../../../../test/support/builders.ts';
import {
  type ChannelBench,
  openChannelBench,
  SOON,
} from '../../../../../test/support/channel-bench.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type HttpSink, openHttpSink } from '../../../../../test/support/sinks.ts';
import { FRESH_MS } from './failing-channels.ts';

const CHANNELS = 120;
/** The number of channels with a host of their own. */
const OWN_HOST = 30;

let bench: ChannelBench;
let hangingSinks: HttpSink[];
beforeAll(async () => {
  bench = await openChannelBench();
  hangingSinks = await Promise.all(Array.from({ length: OWN_HOST }, openHttpSink));
});
afterEach(() => bench.reset());
afterAll(async () => {
  await bench?.close();
  await Promise.all(hangingSinks.map((httpSink) => httpSink.close()));
});

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

/** Hanging responses of a tenant, and the number of attempts that the hub has aborted. */
let seen: { key: string; hanging: Set<ServerResponse>; paths: string[]; ended: number };
/** The id of each live alert, with the number of aborted attempts at its arrival. */
let arrived: [string, number][];
const aHangingTenant = async (name: string): Promise<Tenant> => {
  const tenant = await bench.hub.newTenant(name);
  seen = { key: tenant.tenantId, hanging: new Set(), paths: [], ended: 0 };
  return tenant;
};
beforeEach(() => {
  arrived = [];
  bench.sink.answer = (response, path) => {
    if (path.startsWith('/hang')) return hang(response, path);
    const id = bench.sink.at(path).at(-1)?.body.data.alert?.alert_id;
    if (path === '/live') arrived.push([id, seen.ended]);
    response.writeHead(204).end();
  };
  for (const httpSink of hangingSinks) httpSink.answer = hang;
});
function hang(response: ServerResponse, path: string): void {
  // Deliveries of an earlier test do not count.
  if (!path.includes(seen.key)) return;
  const now = seen;
  now.hanging.add(response);
  now.paths.push(path);
  response.on('close', () => {
    now.hanging.delete(response);
    now.ended++;
  });
}

async function createHangingChannels(tenant: Tenant): Promise<string[]> {
  const { hub, sink } = bench;
  const ids: string[] = [];
  for (let at = 0; at < CHANNELS; at++) {
    const url = `${hangingSinks[at]?.url ?? sink.url}/hang/${tenant.tenantId}/${at}`;
    const body = { kind: 'webhook', name: `Hanging ${at}`, url };
    const { tenantId, adminToken: token } = tenant;
    const created = await hub.console('POST', '/alert-routes', { tenantId, token, body });
    expect(created.status).toBe(201);
    ids.push(created.body.route.route_id);
  }
  return ids;
}

const alerted = async (tenant: Tenant, count: number): Promise<void> => {
  const body = {
    device: aDevice(),
    alerts: Array.from({ length: count }, () => anAlert({ alert_id: randomUUID() })),
  };
  const place = { ...bench.hub, ...tenant };
  expect((await deviceCall(place, 'POST', '/ea/v1/sync/alerts', { body })).status).toBe(202);
};

/** Sends live alerts and expects that each arrives before the first hanging attempt is aborted. */
async function liveArrive(count: number): Promise<void> {
  const sent: string[] = [];
  for (let at = 0; at < count; at++) sent.push((await bench.raise()).alert_id);
  await expect.poll(() => arrived.length, SOON).toBe(count);
  expect(arrived.map(([id]) => id).sort()).toEqual(sent.sort());
  expect(arrived.map(([, before]) => before)).toEqual(Array(count).fill(0));
}

it('delivers to other tenants and a healthy channel beside 120 hanging channels', async () => {
  const tenant = await aHangingTenant('Hanging');
  await createHangingChannels(tenant);
  await bench.webhook('/live');
  await alerted(tenant, 5);
  await expect.poll(() => seen.hanging.size, SOON).toBeGreaterThanOrEqual(64);
  await liveArrive(5);
  expect(seen.hanging.size).toBeGreaterThanOrEqual(64);

  const { tenantId, adminToken: token } = tenant;
  const body = { kind: 'webhook', name: 'Well', url: `${bench.sink.url}/well` };
  await bench.hub.console('POST', '/alert-routes', { tenantId, token, body });
  await alerted(tenant, 1);
  await expect.poll(() => bench.sink.at('/well').length, SOON).toBe(1);
});

it('limits 120 channels with known failures to a few slots, and answers a manual retry', async () => {
  const tenant = await aHangingTenant('Failing');
  const ids = await createHangingChannels(tenant);
  await bench.webhook('/live');
  const { pool } = bench.hub.context.database;
  await pool.query(
    'UPDATE notification_channels SET failing_since = now(), last_error = $2 WHERE channel_id = ANY ($1)',
    [ids, 'no response within 15 s'],
  );
  const changed = performance.now();
  const second = await startTestHub(bench.hub.config);
  // A hub caches the failing channels for this time.
  await expect.poll(() => performance.now() - changed, SOON).toBeGreaterThan(FRESH_MS);
  await alerted(tenant, 5);
  await expect.poll(() => seen.hanging.size, SOON).toBeGreaterThanOrEqual(12);
  await liveArrive(5);
  // Each channel has a single attempt; two hubs that fetch at the same time may start two.
  const times = seen.paths.map((path) => seen.paths.filter((text) => text === path).length);
  expect(Math.max(...times)).toBeLessThanOrEqual(2);

  const last = `/alert-routes/${ids.at(-1)}`;
  bench.sink.answer = (response) => response.writeHead(204).end();
  const { tenantId, adminToken: token } = tenant;
  const test = await bench.hub.console('POST', `${last}/test`, { tenantId, token });
  const { delivery_id: id } = test.body.delivery;
  const state = async () =>
    (await bench.hub.console('GET', `${last}/deliveries/${id}`, { tenantId, token })).body.delivery
      .state;
  await expect.poll(state, SOON).toBe('delivered');
  // Waiting deliveries are sent at once, because the channel has recovered.
  const left = async () =>
    (await bench.hub.console('GET', `${last}/deliveries?state=delivered`, { tenantId, token })).body
      .items.length;
  await expect.poll(left, SOON).toBe(6);
  await second.stop();
});

it('delivers to others while a chat service hangs for more tenants than there are slots', async () => {
  const { hub, sink } = bench;
  const tenants: Tenant[] = [];
  seen = { key: 'chats', hanging: new Set(), paths: [], ended: 0 };
  for (let at = 0; at < 140; at++) {
    const tenant = await hub.newTenant(`Chats ${at}`);
    const { tenantId, adminToken: token } = tenant;
    const body = { kind: 'chat', name: 'Chat', url: `${sink.url}/hang/chats/${at}` };
    expect((await hub.console('POST', '/alert-routes', { tenantId, token, body })).status).toBe(
      201,
    );
    tenants.push(tenant);
  }
  await bench.webhook('/live');
  await Promise.all(tenants.map((tenant) => alerted(tenant, 1)));
  await expect.poll(() => seen.hanging.size, SOON).toBeGreaterThanOrEqual(100);
  await liveArrive(3);
});
