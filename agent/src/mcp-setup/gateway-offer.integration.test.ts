// The agent requests the gateway's offer once a minute at most, whatever the hub answers.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HubDouble, startHubDouble } from '../../test/hub-double.ts';
import { describeDevice } from '../config/device-identity.ts';
import { createSyncClient, type SyncClient } from '../sync/hub-client.ts';
import { createOffer } from './gateway-offer.ts';

const FILES = {
  ...{ server_id: 'f0', name: 'The files', config_name: 'files' },
  url: 'https://hub.example.com/files/mcp',
};

let hub: HubDouble;
let client: SyncClient;
let now = 0;
beforeEach(async () => {
  hub = await startHubDouble();
  client = createSyncClient({
    backend: {
      ...{ baseUrl: hub.url, tenantId: randomUUID(), subscriberId: 'alice' },
      ...{ caFile: null, pin: null, proxy: null },
    },
    device: describeDevice(randomUUID()),
    token: () => 'gwd_x',
    env: {},
  });
});
afterEach(async () => {
  client.close();
  await hub.close();
});

const respondWith = (body: unknown, status = 200) => {
  hub.intercept = ({ path }) => (path.endsWith('/mcp-offer') ? { status, body } : null);
};
const asked = () => hub.seen.filter((request) => request.path.endsWith('/mcp-offer')).length;

test('caches the offer for a minute, also for simultaneous requests', async () => {
  respondWith({ servers: [FILES], something: 'newer' });
  const offer = createOffer(client, () => now);
  expect(await Promise.all([offer(), offer()])).toEqual([
    { servers: [FILES], problem: null },
    { servers: [FILES], problem: null },
  ]);
  expect(asked()).toBe(1);
  now += 61_000;
  respondWith({ servers: [] });
  expect((await offer()).servers).toEqual([]);
  expect(asked()).toBe(2);
});

test('treats an older hub as reachable with an empty offer', async () => {
  respondWith({ error: { code: 'not_found', message: 'there is nothing' }, request_id: 'r' }, 404);
  const offer = createOffer(client, () => now);
  expect(await offer()).toEqual({ servers: [], problem: 'none' });
  expect(client.contact).toMatchObject({ reachable: true });
});

test.each([
  ['that is away', { error: { code: 'unavailable', message: '' }, request_id: 'r' }, 503],
  ['whose answer leads elsewhere', { servers: [{ ...FILES, url: 'file:///etc/passwd' }] }, 200],
  ['with quotes in an address', { servers: [{ ...FILES, url: 'https://h/"\n[x]' }] }, 200],
  ['with a path for a name', { servers: [{ ...FILES, config_name: '../x' }] }, 200],
])('rejects the offer of a hub %s, and requests it again', async (_what, body, status) => {
  respondWith(body, status);
  const offer = createOffer(client, () => now);
  expect(await offer()).toEqual({ servers: [], problem: 'unreachable' });
  respondWith({ servers: [FILES] });
  expect((await offer()).servers).toEqual([FILES]);
});
