// An enrollment whose response was lost is answered again, to the requesting device only.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const aKey = () => randomBytes(32).toString('base64url');
async function enrol(device: object, key: string | undefined, more: object = {}) {
  const { token = hub.agentToken, subscriber = 'alice' } = more as Record<string, string>;
  const { status, body } = await deviceCall(
    { ...hub, agentToken: token },
    'POST',
    '/ea/v1/enroll',
    {
      headers: { 'x-subscriber-id': subscriber },
      body: { device, subscriber_id: subscriber, enrolment_key: key },
    },
  );
  return { status, code: body.error?.code, token: body.device_token as string };
}
const push = async (device: ReturnType<typeof aDevice>, token: string) =>
  (
    await deviceCall({ ...hub, agentToken: token }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [anEntity('a')]),
    })
  ).status;

it('issues another token for every retry with the same key', async () => {
  const device = aDevice();
  const key = aKey();
  const all = [await enrol(device, key), await enrol(device, key), await enrol(device, key)];
  expect(all.map((answer) => answer.status)).toEqual([201, 201, 201]);
  expect(await push(device, all[2]?.token ?? '')).toBe(202);
  const shown = await hub.console('GET', `/devices/${device.device_id}`);
  expect(shown.body.device).toMatchObject({ claim: null, duplicate_since: null });
});

it('answers simultaneous retries without recording an id claim', async () => {
  for (let round = 0; round < 5; round++) {
    const device = aDevice();
    const key = aKey();
    const all = await Promise.all(Array.from({ length: 8 }, () => enrol(device, key)));
    expect(all.map((answer) => answer.status)).toEqual(all.map(() => 201));
    const shown = await hub.console('GET', `/devices/${device.device_id}`);
    expect(shown.body.device).toMatchObject({ claim: null, duplicate_since: null });
  }
});

// On Citus a worker waits for the row, which the coordinator does not show.
it.skipIf(inject('postgres').isCitus)(
  'revokes no newer token on a retry whose device disconnected',
  async () => {
    const device = aDevice();
    const key = aKey();
    await enrol(device, key);
    const { pool } = hub.context.database;
    const tokens = async () =>
      (
        await pool.query(
          'SELECT token_id, expires_at FROM agent_tokens WHERE device_id = $1 ORDER BY token_id',
          [device.device_id],
        )
      ).rows;
    const before = await tokens();
    const writer = await pool.connect();
    const gone = new AbortController();
    await writer.query('BEGIN');
    await writer.query('SELECT 1 FROM devices WHERE device_id = $1 FOR UPDATE', [device.device_id]);
    const late = fetch(`${hub.url}/ea/v1/enroll`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.agentToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device, subscriber_id: 'alice', enrolment_key: key }),
      signal: gone.signal,
    });
    const waiting = async () =>
      (
        await pool.query(
          "SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).rows[0].n;
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    gone.abort();
    await expect(late).rejects.toThrow();
    await writer.query('COMMIT');
    writer.release();
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    // Answered after the late one, which holds the device's row until it ends.
    await hub.console('POST', `/devices/${device.device_id}/scan`, { body: {} });
    expect(await tokens()).toEqual(before);
  },
);

it('renews again after a lost response when the old token has expired', async () => {
  const device = aDevice();
  const { token } = await enrol(device, aKey());
  const key = aKey();
  expect((await enrol(device, key, { token })).status).toBe(201);
  expect((await enrol(device, key)).status).toBe(201);
});

it.each([
  ['no key', () => undefined, {}],
  ['another key', () => aKey(), {}],
  ['the key, for another person', (key: string) => key, { subscriber: 'bob' }],
])('replays no token for %s', async (_what, other, more) => {
  const device = aDevice();
  const key = aKey();
  const { token } = await enrol(device, key);
  expect(await enrol(device, other(key), more)).toMatchObject({ status: 403 });
  expect(await push(device, token)).toBe(202);
});

it('binds a key to its own enrollment, and forgets it after an enrollment without a key', async () => {
  const device = aDevice();
  const key = aKey();
  const { token } = await enrol(device, key);
  expect((await enrol(device, undefined, { token })).status).toBe(201);
  expect(await enrol(device, key)).toMatchObject({ status: 403, code: 'device_token_required' });
});

it('keeps a retired device retired', async () => {
  const device = aDevice();
  const key = aKey();
  await enrol(device, key);
  const retired = await hub.console('DELETE', `/devices/${device.device_id}`);
  expect(retired.status).toBe(200);
  expect(await enrol(device, key)).toMatchObject({ status: 403, code: 'device_retired' });
});

it.each(['short', `${'a'.repeat(42)}!`, ''])('rejects %j as a key', async (key) => {
  expect(await enrol(aDevice(), key)).toMatchObject({ status: 400 });
});
