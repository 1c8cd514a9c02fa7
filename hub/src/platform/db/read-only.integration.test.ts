// A database is read-only for a while: writes are rejected with a retry, reads continue.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../test/support/builders.ts';
import { aPerson, signInAs } from '../../../../test/support/cookie-browser.ts';
import { deviceCall, startTestHub } from '../../../../test/support/hub.ts';

test('answers reads and 503 to writes on a read-only database, and accepts the same batch later', async () => {
  const hub = await startTestHub();
  onTestFinished(() => hub.stop());
  const { pool } = hub.context.database;
  const device = aDevice();
  const push = (batch: object) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: batch });
  expect((await push(aBatch(device, [anEntity('before')]))).status).toBe(202);

  const { browser } = await signInAs(hub, await aPerson(hub, 'Viewer'));
  // So that its use is to be noted.
  await pool.query(`UPDATE sessions SET last_used_at = now() - interval '10 minutes'`);

  const own = (await pool.query('SELECT current_database() AS name')).rows[0].name;
  const become = async (setting: string, { endsOthers = true } = {}) => {
    const client = await pool.connect();
    try {
      await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE');
      await client.query(`ALTER DATABASE "${own}" ${setting}`);
      // The setting counts for new connections.
      if (endsOthers) {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
    } finally {
      client.release(true);
    }
  };
  await become('SET default_transaction_read_only = on');
  const batch = aBatch(device, [anEntity('meanwhile')]);
  await expect
    .poll(async () => (await push(batch)).headers.get('retry-after'), { timeout: 20_000 })
    .toBe('10');
  const refused = await push(batch);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'database_unavailable']);
  const decision = await hub.console('POST', '/overrides', {
    body: {
      match: { name: randomUUID() },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
    },
  });
  expect([decision.status, decision.headers.get('retry-after')]).toEqual([503, '10']);
  const polled = await deviceCall(hub, 'GET', '/ea/v1/sync/delta', {
    headers: { 'x-device-id': device.device_id },
  });
  expect(polled.status).toBe(200);
  expect((await hub.console('GET', '/devices')).status).toBe(200);
  expect((await browser.request('/console/api/v1/session')).status).toBe(200);
  // Its own connections were ended a moment ago.
  await expect.poll(async () => (await fetch(`${hub.url}/readyz`)).status).toBe(200);

  const listening = async () =>
    (
      await pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'gatewarden-hub-listen'`,
      )
    ).rows.map(({ pid }) => pid);
  const [before] = await listening();
  expect(before).toBeDefined();
  // The hub's connections stay as they were, as where they lead to a server that is no primary any more.
  await become('RESET default_transaction_read_only', { endsOthers: false });
  await expect.poll(async () => (await push(batch)).status, { timeout: 20_000 }).toBe(202);
  // The server is the same, so listeners stay connected.
  expect(await listening()).toEqual([before]);
  expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
});
