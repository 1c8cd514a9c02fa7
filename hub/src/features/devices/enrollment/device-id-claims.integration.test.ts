// A second machine with the id of a bound device is rejected, and the console shows the conflict.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it('shows and audits the claimed id once until a person resolves it', async () => {
  const device = aDevice({ hostname: 'first' });
  const send = (path: string, body: object, agentToken = hub.agentToken) =>
    deviceCall({ ...hub, agentToken }, 'POST', `/ea/v1/${path}`, { body });
  const enrolled = await send('enroll', { device, subscriber_id: 'alice' });
  const own = enrolled.body.device_token;
  const clone = { ...device, hostname: 'clone', platform: 'darwin' as const };
  const tries = [
    ['sync/discovered-apps', aBatch(clone, [anEntity('a')])],
    ['sync/alerts', { device: clone, alerts: [anAlert()] }],
    ['enroll', { device: clone, subscriber_id: 'alice' }],
  ] as const;
  for (const [path, body] of tries) {
    const refused = await send(path, body);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'device_token_required']);
  }
  // The device itself goes on as it is.
  expect((await send('sync/discovered-apps', aBatch(device, [anEntity('a')]), own)).status).toBe(
    202,
  );
  const path = `/devices/${device.device_id}`;
  const shown = async () => (await hub.console('GET', path)).body.device;
  expect(await shown()).toMatchObject({
    hostname: 'first',
    platform: 'linux',
    claim: { hostname: 'clone', platform: 'darwin', subscriber_id: 'alice' },
  });
  expect((await shown()).duplicate_since).not.toBeNull();
  const listed = await hub.console('GET', '/devices?state=duplicate');
  expect(listed.body.items).toMatchObject([{ device_id: device.device_id }]);
  const audited = await sql<{ detail: object }>`
    SELECT detail FROM audit_events WHERE tenant_id = ${hub.tenantId}
      AND operation = 'device.claim_refused'`.execute(hub.context.database.db);
  expect(audited.rows).toMatchObject([{ detail: { claim: { hostname: 'clone' } } }]);
  await hub.console('POST', `${path}/duplicate-solved`, { body: {} });
  expect(await shown()).toMatchObject({ duplicate_since: null, claim: null });
});

it('records no id claim for a rejection with another cause', async () => {
  const device = aDevice();
  await deviceCall(hub, 'POST', '/ea/v1/enroll', { body: { device, subscriber_id: 'alice' } });
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device: { ...device, hostname: 7 }, alerts: [] },
  });
  expect(answer.status).toBe(400);
  const { body } = await hub.console('GET', `/devices/${device.device_id}`);
  expect(body.device).toMatchObject({ claim: null, duplicate_since: null });
});
