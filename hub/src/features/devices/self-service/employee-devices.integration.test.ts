// A user sees everything of their own devices, and nothing of other users' devices, not even that these exist.
import { randomUUID } from 'node:crypto';
import { createPageEvents } from '@gatewarden/hub/src/platform/feed/page-events.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { hears } from '../../../../../test/support/page-events.ts';

let hub: TestHub;
let member: string;
beforeAll(async () => {
  hub = await startTestHub();
  member = await hub.tokenFor('Member');
});
afterAll(() => hub.stop());

const mine = aDevice({ hostname: 'mine' });
const theirs = aDevice({ hostname: 'theirs' });
const editor = anEntity('editor', { kind: 'application', source: 'desktop_entry' });
const as = (subscriber: string) => ({ 'x-subscriber-id': subscriber });
const get = (path: string, token = member) => hub.console('GET', `/own/devices${path}`, { token });

async function send(device: typeof mine, subscriber: string) {
  const headers = as(subscriber);
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    headers,
    body: aBatch(device, [editor], {
      coverage: [{ source: 'dpkg', owner: null, state: 'read', entities: 1, reason: null }],
    }),
  });
}

test("lists devices enrolled under the user's address in any case, and no other device", async () => {
  await send(mine, 'Member@Example.COM');
  await send(theirs, 'viewer@example.com');
  await send(aDevice(), 'member@example.com.evil');
  const { status, body } = await get('');
  expect(status).toBe(200);
  expect(body.items).toHaveLength(1);
  expect(body.items[0]).toMatchObject({ hostname: 'mine', entity_count: 1 });
  expect(body.items[0]).not.toHaveProperty('claim');
  const viewer = await get('', await hub.tokenFor('Viewer'));
  expect(viewer.body.items.map((item: { hostname: string }) => item.hostname)).toEqual(['theirs']);
});

test('shows a device with its facts, scanned sources and results', async () => {
  const { body } = await get(`/${mine.device_id.toUpperCase()}`);
  expect(body.device).toMatchObject({ subscriber_id: 'Member@Example.COM' });
  expect(body.device.coverage).toEqual([
    { source: 'dpkg', owner: null, state: 'read', entities: 1, reason: null },
  ]);
  const found = await get(`/${mine.device_id}/entities?query=edit`);
  expect(found.body.items).toMatchObject([{ name: 'editor', version: '1.0' }]);
});

test("answers 404 for another user's device on every route", async () => {
  for (const path of ['', '/entities', '/decisions', '/activity']) {
    const other = await get(`/${theirs.device_id}${path}`);
    const nowhere = await get(`/${randomUUID()}${path}`);
    expect([path, other.status, other.body.error.code]).toEqual([path, 404, 'not_found']);
    expect(nowhere.body.error).toEqual(other.body.error);
  }
  // The audit trail is empty, because no device was viewed.
  const { rows } = await hub.context.database.pool.query(
    "SELECT 1 FROM audit_events WHERE tenant_id = $1 AND operation = 'device.view'",
    [hub.tenantId],
  );
  expect(rows).toEqual([]);
});

test('lists overrides in effect newest first with reason and author, without expired overrides and those of others', async () => {
  const decide = async (body: object) =>
    (
      await hub.console('POST', '/overrides', {
        body: { approval_status: 'blocked', execution_policy: 'block', ...body },
      })
    ).body.override;
  const first = await decide({
    match: { entity_id: editor.entity_id },
    scope: { kind: 'tenant' },
    reason: 'Sends code away',
  });
  const device = { kind: 'device', device_id: mine.device_id };
  const second = await decide({ match: { name: 'game' }, scope: device });
  await decide({ match: { name: 'x' }, scope: { kind: 'device', device_id: theirs.device_id } });
  await decide({ match: { name: 'y' }, scope: { kind: 'subscriber', subscriber_id: 'someone' } });
  const gone = await decide({ match: { name: 'z' }, scope: device });
  await hub.console('DELETE', `/overrides/${gone.override_id}`, {
    headers: { 'if-match': gone.version },
  });
  const page = await get(`/${mine.device_id}/decisions?limit=1`);
  expect(page.body.items).toMatchObject([
    { override_id: second.override_id, scope_kind: 'device' },
  ]);
  const rest = await get(`/${mine.device_id}/decisions?cursor=${page.body.next_cursor}`);
  expect(rest.body).toMatchObject({
    next_cursor: null,
    items: [
      {
        override_id: first.override_id,
        application_name: 'editor',
        reason: 'Sends code away',
        decided_by: 'admin@example.com',
      },
    ],
  });
});

test('lists blocked starts since the device belongs to the user', async () => {
  const report = (decision: 'block' | 'monitor', name: string) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
      headers: as('Member@Example.COM'),
      body: {
        device: mine,
        events: [
          anActivity({
            decision,
            process: { name, executable_path: null, pid: 1, started_at: null },
          }),
        ],
      },
    });
  await report('block', 'before');
  await report('monitor', 'watched');
  const names = async (token: string) =>
    (await get(`/${mine.device_id}/activity`, token)).body.items?.map(
      (item: { process: { name: string } }) => item.process.name,
    );
  expect(await names(member)).toEqual(['before']);
  await hub.console('POST', `/devices/${mine.device_id}/move`, {
    body: { subscriber_id: 'reviewer@example.com' },
  });
  expect(await names(member)).toBeUndefined();
  const now = await hub.tokenFor('Reviewer');
  expect(await names(now)).toEqual([]);
});

test("notifies the page about the user's own devices only", async () => {
  // Of a tenant in which nothing was done before.
  const quiet = { ...hub, ...(await hub.newTenant('Quiet')) };
  const { tenantId } = quiet;
  const page = await hears(hub, `${tenantId}/own/events`, await hub.tokenFor('Member', tenantId));
  const all = await hears(hub, `${tenantId}/events`, quiet.adminToken);
  const act = (subscriber: string) =>
    deviceCall(quiet, 'POST', '/ea/v1/sync/activity', {
      headers: as(subscriber),
      body: { device: aDevice(), events: [anActivity()] },
    });
  expect((await act('viewer@example.com')).status).toBe(202);
  await expect.poll(() => all.countEvents('activity')).toBe(1);
  expect((await act('Member@Example.COM')).status).toBe(202);
  await expect.poll(() => all.countEvents('activity')).toBe(2);
  await expect.poll(() => page.countEvents('activity')).toBeGreaterThan(0);
  // Events are delivered in order: an event of the other person would have arrived before.
  expect(page.countEvents('activity')).toBe(1);
  await Promise.all([page.end(), all.end()]);
});

test('notifies the page about groups, installed software and a device that is reassigned', async () => {
  const quiet = { ...hub, ...(await hub.newTenant('Quiet, too')) };
  const { tenantId } = quiet;
  const by = { tenantId, token: quiet.adminToken };
  const page = await hears(hub, `${tenantId}/own/events`, await hub.tokenFor('Member', tenantId));
  const device = aDevice();
  const scan = (subscriber: string, of = aDevice()) =>
    deviceCall(quiet, 'POST', '/ea/v1/sync/discovered-apps', {
      headers: as(subscriber),
      body: aBatch(of, [anEntity(of.device_id)]),
    });
  expect((await scan('viewer@example.com')).status).toBe(202);
  expect((await scan('Member@Example.COM', device)).status).toBe(202);
  await expect.poll(() => page.countEvents('applications')).toBe(1);
  const { body } = await hub.console('POST', '/device-groups', {
    ...by,
    body: { name: 'laptops' },
  });
  const { group_id } = body.group;
  await hub.console('PUT', `/device-groups/${group_id}/devices/${device.device_id}`, by);
  await expect.poll(() => page.countEvents('device-groups')).toBe(2);
  const before = page.countEvents('devices');
  const moved = await hub.console('POST', `/devices/${device.device_id}/move`, {
    ...by,
    body: { subscriber_id: 'viewer@example.com' },
  });
  expect(moved.status).toBe(200);
  await expect.poll(() => page.countEvents('devices')).toBe(before + 1);
  await page.end();
});

test('notifies each user among many, and an administrator once', async () => {
  const busy = { ...hub, ...(await hub.newTenant('Busy')) };
  const { tenantId } = busy;
  const page = await hears(hub, `${tenantId}/own/events`, await hub.tokenFor('Member', tenantId));
  const all = await hears(hub, `${tenantId}/events`, busy.adminToken);
  const events = createPageEvents(hub.context.database.db, createLog('silent'));
  for (let n = 0; n < 500; n++) {
    events.announce(tenantId, 'activity', `somebody.with.a.name.of.some.length.${n}@example.com`);
  }
  events.announce(tenantId, 'activity', 'Member@Example.COM');
  await events.stop();
  await expect.poll(() => page.countEvents('activity')).toBe(1);
  expect(all.countEvents('activity')).toBe(1);
  await Promise.all([page.end(), all.end()]);
});

test('names the policy of each app, and the apps for which an access request changes something', async () => {
  const device = aDevice();
  const anApp = (name: string) => anEntity(name, { kind: 'application', source: 'desktop_entry' });
  const [blocked, approved, elsewhere] = [anApp('blocked'), anApp('approved'), anApp('elsewhere')];
  const headers = as('member@example.com');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    headers,
    body: aBatch(device, [blocked, approved, anApp('plain')]),
  });
  const decide = (entity_id: string, execution_policy: string, approval_status: string) =>
    hub.console('POST', '/overrides', {
      body: {
        ...{ match: { entity_id }, execution_policy, approval_status },
        scope: { kind: 'tenant' },
      },
    });
  await decide(blocked.entity_id, 'block', 'blocked');
  await decide(approved.entity_id, 'allow', 'approved');
  await decide(elsewhere.entity_id, 'block', 'blocked');
  await deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
    headers,
    body: {
      device,
      events: [blocked, approved].map(({ entity_id, name }) =>
        anActivity({ decision: 'block', entity_id, application_name: name }),
      ),
    },
  });
  const list = async (path: string) => (await get(`/${device.device_id}${path}`)).body.items;
  const policies = (await list('/entities')).map(
    (item: { name: string; policy: object | null }) => [item.name, item.policy],
  );
  expect(Object.fromEntries(policies)).toEqual({
    blocked: { approval_status: 'blocked', execution_policy: 'block' },
    approved: { approval_status: 'approved', execution_policy: 'allow' },
    plain: null,
  });
  const stopping = (await list('/decisions')).map(
    (item: { application_name: string; stopped_entity_id: string | null }) => [
      item.application_name,
      item.stopped_entity_id,
    ],
  );
  expect(Object.fromEntries(stopping)).toMatchObject({
    blocked: blocked.entity_id,
    approved: null,
  });
  expect(stopping.flatMap(([, id]: [string, string | null]) => id ?? [])).toEqual([
    blocked.entity_id,
  ]);
  const starts = (await list('/activity')).map(
    (item: { application_name: string; is_still_stopped: boolean }) => [
      item.application_name,
      item.is_still_stopped,
    ],
  );
  expect(Object.fromEntries(starts)).toEqual({ blocked: true, approved: false });
});
