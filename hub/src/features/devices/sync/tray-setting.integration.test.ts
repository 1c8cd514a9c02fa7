// The tray app offers actions only after an administrator enables it, then on every device with its next poll.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const put = (body: object, version?: string, token?: string) =>
  hub.console('PUT', '/tray-setting', {
    body,
    ...(version === undefined ? {} : { headers: { 'if-match': version } }),
    ...(token === undefined ? {} : { token }),
  });
const wanted = { pause_minutes: 30, contact: 'it@example.com' };

test('delivers a changed and a reverted tray setting with the next poll', async () => {
  const device = aDevice();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('one')]),
  });
  let etag: string | null = null;
  const poll = async () => {
    const answer = await deviceCall(hub, 'GET', '/ea/v1/sync/delta', {
      headers: { 'x-device-id': device.device_id, 'if-none-match': etag },
    });
    etag = answer.headers.get('etag');
    return answer.status === 304 ? 304 : answer.body.tray;
  };
  expect(await poll()).toEqual({ pause_minutes: 0, contact: null });
  // The hub can still have an update for a device that has just enrolled.
  await expect.poll(poll).toBe(304);
  const before = await hub.console('GET', '/tray-setting');
  const stored = await put(wanted, before.body.version);
  expect(stored.body).toMatchObject(wanted);
  expect(await poll()).toEqual(wanted);
  await put({ pause_minutes: 0, contact: null }, stored.body.version);
  expect(await poll()).toEqual({ pause_minutes: 0, contact: null });
  const { rows } = await hub.context.database.pool.query(
    "SELECT detail FROM audit_events WHERE tenant_id = $1 AND operation = 'tray_setting.set' ORDER BY at",
    [hub.tenantId],
  );
  expect(rows[0].detail).toEqual({ before: { pause_minutes: 0, contact: null }, after: wanted });
  expect(rows).toHaveLength(2);
});

test('accepts versioned writes of administrators within the limits', async () => {
  const { body } = await hub.console('GET', '/tray-setting');
  const reviewer = await hub.tokenFor('Reviewer');
  expect((await put(wanted, body.version, reviewer)).status).toBe(403);
  expect((await put(wanted)).status).toBe(428);
  expect((await put(wanted, '"99"')).status).toBe(412);
  for (const wrong of [
    { ...wanted, pause_minutes: 481 },
    { ...wanted, pause_minutes: -1 },
    { ...wanted, pause_minutes: 1.5 },
    { ...wanted, contact: '' },
    { ...wanted, contact: ' ' },
    { ...wanted, contact: 'w'.repeat(257) },
    { ...wanted, more: 1 },
    { pause_minutes: 5 },
  ]) {
    expect([wrong, (await put(wrong, body.version)).status]).toEqual([wrong, 400]);
  }
});
