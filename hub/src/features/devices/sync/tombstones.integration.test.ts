// Tombstones of a scope are stored for 90 days: a device that was away longer starts a resync, other devices continue.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { pruneTombstones } from './prune-tombstones.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const remembered = async () => {
  const found = await sql<{ n: number }>`
    SELECT (SELECT count(*) FROM override_departures WHERE tenant_id = ${hub.tenantId})
      + (SELECT count(*) FROM device_group_departures WHERE tenant_id = ${hub.tenantId}) AS n`.execute(
    hub.context.database.db,
  );
  return found.rows[0]?.n;
};
const delta = (deviceId: string, cursor?: string, url = hub.url) =>
  deviceCall(
    { ...hub, url },
    'GET',
    `/ea/v1/sync/delta${cursor === undefined ? '' : `?cursor=${cursor}`}`,
    { headers: { 'x-device-id': deviceId } },
  );

it('prunes tombstones together with the cursors that would need them', async () => {
  const { db } = hub.context.database;
  const device = aDevice();
  const body = aBatch(device, [anEntity('a')]);
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
  const group = (await hub.console('POST', '/device-groups', { body: { name: 'Staff' } })).body
    .group;
  const member = `/device-groups/${group.group_id}/devices/${device.device_id}`;
  await hub.console('PUT', member, { body: {} });
  const decide = (scope: object) =>
    hub.console('POST', '/overrides', {
      body: {
        match: { name: 'demo' },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope,
      },
    });
  await decide({ kind: 'group', group_id: group.group_id });
  const wide = (await decide({ kind: 'tenant' })).body.override;
  const away = (await delta(device.device_id)).body.next_cursor;

  // The device leaves the group, and the decision for all becomes one for another.
  await hub.console('DELETE', member);
  const narrowed = await hub.console('PATCH', `/overrides/${wide.override_id}`, {
    body: { scope: { kind: 'subscriber', subscriber_id: 'bob' } },
    headers: { 'if-match': wide.version },
  });
  expect(narrowed.status).toBe(200);
  expect(await remembered()).toBe(2);
  const there = (await delta(device.device_id, away)).body;
  expect(there.overrides.map((override: { deleted: boolean }) => override.deleted)).toEqual([
    true,
    true,
  ]);

  await pruneTombstones(db, inDays(0));
  await pruneTombstones(db, inDays(89));
  expect(await remembered()).toBe(2);
  await pruneTombstones(db, inDays(91));
  expect(await remembered()).toBe(0);
  // A hub process that reads only now knows nothing of them any more.
  const later = await startTestHub(hub.config);
  const refused = await delta(device.device_id, away, later.url);
  expect([refused.status, refused.body.error.code]).toEqual([410, 'cursor_expired']);
  const goesOn = await delta(device.device_id, there.next_cursor, later.url);
  expect([goesOn.status, goesOn.body.overrides]).toEqual([200, []]);
  const fresh = await delta(device.device_id, undefined, later.url);
  expect([fresh.status, fresh.body.overrides]).toEqual([200, []]);
  expect((await delta(device.device_id, fresh.body.next_cursor, later.url)).status).toBe(200);
  await later.stop();
});
