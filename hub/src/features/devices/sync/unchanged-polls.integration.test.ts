// A repeated poll is answered by the fast path before the application, with an identical response.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Headers = Record<string, string | null>;

/** A device that was answered once. */
async function polling({ at = hub, withCursor = true } = {}) {
  const device = aDevice();
  const body = aBatch(device, [anEntity('curl')]);
  const sent = await deviceCall(at, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(sent.status).toBe(202);
  const poll = (query: string, headers: Headers = {}) =>
    deviceCall(at, 'GET', `/ea/v1/sync/delta${query}`, {
      headers: { 'x-device-id': device.device_id, ...headers },
    });
  const first = await poll('');
  const query = withCursor ? `?cursor=${encodeURIComponent(first.body.next_cursor)}` : '';
  return { device, poll: (headers: Headers = {}) => poll(query, headers) };
}

const contentOf = ({ status, headers, body }: Awaited<ReturnType<typeof deviceCall>>) => {
  const { 'x-request-id': id, date: _date, ...others } = Object.fromEntries(headers);
  const { server_time: time, ...rest } = body ?? { server_time: '' };
  return { status, others, rest, kinds: [typeof id, typeof time] };
};

test.each([true, false])(
  "returns the application's status, headers and body (cursor: %s)",
  async (withCursor) => {
    const { poll } = await polling({ withCursor });
    const byApplication = await poll();
    const quick = await poll();
    expect(contentOf(quick)).toEqual(contentOf(byApplication));
    expect(quick.body.server_time >= byApplication.body.server_time).toBe(true);
    expect((await poll({ 'x-request-id': 'mine' })).headers.get('x-request-id')).toBe('mine');
    const etag = quick.headers.get('etag') as string;
    const unchanged = await poll({ 'if-none-match': etag });
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([
      304,
      null,
      etag,
    ]);
  },
);

test('answers without a database query, and counts the request', async () => {
  const { poll } = await polling();
  await poll();
  const { counter } = hub.context;
  const counted = async () => {
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    return Number(
      /_count\{route="\/ea\/v1\/sync\/delta",method="GET",status="200"\} (\d+)/.exec(metrics)?.[1],
    );
  };
  const [before, statements] = [await counted(), counter.count];
  for (let i = 0; i < 5; i++) expect((await poll()).status).toBe(200);
  expect([(await counted()) - before, counter.count - statements]).toEqual([5, 0]);
});

test.each<[string, Headers, number, string]>([
  ['another tenant', { 'x-tenant-id': randomUUID() }, 403, 'tenant_mismatch'],
  ['no person', { 'x-subscriber-id': null }, 400, 'invalid_subscriber_id'],
  ['no device', { 'x-device-id': null }, 400, 'invalid_device_id'],
  ['no token', { authorization: null }, 401, 'invalid_agent_token'],
])('rejects %s on the fast path', async (_what, headers, status, code) => {
  const { poll } = await polling();
  await poll();
  await poll();
  const answer = await poll(headers);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test('delivers a new override with the next poll, and rejects a retired device', async () => {
  const { poll, device } = await polling();
  await poll();
  await poll();
  const body = {
    match: { name: `app ${randomUUID()}` },
    ...{ approval_status: 'blocked', execution_policy: 'block' },
    scope: { kind: 'device', device_id: device.device_id },
  };
  expect((await hub.console('POST', '/overrides', { body })).status).toBe(201);
  expect((await poll()).body.overrides).toHaveLength(1);
  expect((await hub.console('DELETE', `/devices/${device.device_id}`)).status).toBe(200);
  await expect.poll(async () => (await poll()).status).toBe(403);
});

test('answers 429 to a device that polls too often', async () => {
  const slow = await startTestHub({ ...hubConfig(await cloneDatabase()), deviceRate: 0.05 });
  try {
    const { poll } = await polling({ at: slow });
    const codes = [];
    for (let i = 0; i < 12; i++) codes.push((await poll()).status);
    expect([...new Set(codes)]).toEqual([200, 429]);
    expect(Number((await poll()).headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await slow.stop();
  }
});

test('passes a poll with a body to the application, and keeps the connection', async () => {
  const { poll, device } = await polling();
  await poll();
  await poll();
  const answer = await new Promise<{ status: number | undefined; body: string }>(
    (resolve, reject) => {
      const sent = request(
        `${hub.url}/ea/v1/sync/delta?limit=5`,
        {
          method: 'GET',
          headers: {
            authorization: `Bearer ${hub.agentToken}`,
            'x-tenant-id': hub.tenantId,
            'x-subscriber-id': 'alice',
            'x-device-id': device.device_id,
            'content-length': '2',
          },
        },
        async (response) => resolve({ status: response.statusCode, body: await text(response) }),
      );
      sent.once('error', reject);
      sent.end('{}');
    },
  );
  expect(answer.status).toBe(200);
  expect((await poll()).status).toBe(200);
});
