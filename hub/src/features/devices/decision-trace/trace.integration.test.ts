// The explanation leads from an event on a device to its override, author and audit events; users see their own
// devices.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
} from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
let member: string;
const device = aDevice({ hostname: 'mine' });
const editor = anEntity('editor', { kind: 'application' });
const alert = anAlert({ application_name: 'editor' });
const block = anActivity({ application_name: 'editor', entity_id: editor.entity_id });
let override: { override_id: string; version: string; scope: object };
let createdBy: string | null;

beforeAll(async () => {
  hub = await sharedTestHub();
  member = await hub.tokenFor('Member');
  const post = (path: string, body: object) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, {
      body,
      headers: { 'x-subscriber-id': 'member@example.com' },
    });
  await post('discovered-apps', aBatch(device, [editor]));
  const created = await hub.console('POST', '/overrides', {
    token: await hub.tokenFor('Reviewer'),
    body: {
      match: { entity_id: editor.entity_id },
      approval_status: 'blocked',
      execution_policy: 'block',
      reason: 'Sends code away',
      scope: { kind: 'tenant' },
    },
  });
  override = created.body.override;
  createdBy = created.body.request_id;
  const { override_id } = override;
  await post('activity', { device, events: [{ ...block, override_id }] });
  await post('alerts', { device, alerts: [{ ...alert, override_id }] });
});
afterAll(() => hub.stop());

const why = (path: string, token?: string) =>
  hub.console('GET', path, token === undefined ? {} : { token });
const chain = () => ({
  process: { name: 'demo', executable_path: '/opt/demo' },
  happened: { hostname: 'mine', outcome: 'terminated' },
  override: {
    override_id: override.override_id,
    reason: 'Sends code away',
    decided_by: 'reviewer@example.com',
    deleted: false,
  },
  events: [{ operation: 'override.create', by: 'reviewer@example.com', request_id: createdBy }],
});

test('explains a block and an alert by override, author and audit events', async () => {
  const at = `?device_id=${device.device_id}`;
  const activity = await why(`/activity/${block.activity_id}/why${at}`);
  expect(activity.body).toMatchObject({
    ...chain(),
    application: { entity_id: editor.entity_id, name: 'editor' },
  });
  const mapping = { process_name: 'dem*', match: 'glob', application_name: 'Demo' };
  await hub.console('POST', '/process-mappings', { body: mapping });
  await expect
    .poll(async () => (await why(`/alerts/${alert.alert_id}/why${at}`)).body.mapping)
    .toEqual(mapping);
  expect((await why(`/alerts/${alert.alert_id}/why${at}`)).body).toMatchObject({
    ...chain(),
    application: { entity_id: editor.entity_id, name: 'editor' },
  });
  const other = `?device_id=${randomUUID()}`;
  expect((await why(`/activity/${block.activity_id}/why${other}`)).status).toBe(404);
  expect((await why(`/alerts/${alert.alert_id}/why${other}`)).status).toBe(404);
});

test("explains events on a user's own device, and of no other device", async () => {
  const own = `/own/devices/${device.device_id}`;
  const stopped = await why(`${own}/activity/${block.activity_id}/why`, member);
  expect(stopped.body).toMatchObject(chain());
  const decided = await why(`${own}/decisions/${override.override_id}/why`, member);
  expect(decided.body).toMatchObject({
    happened: null,
    application: { entity_id: editor.entity_id, name: 'editor' },
    override: { reason: 'Sends code away' },
  });
  const stranger = await hub.tokenFor('Viewer');
  for (const path of [`activity/${block.activity_id}`, `decisions/${override.override_id}`]) {
    expect((await why(`${own}/${path}/why`, stranger)).status).toBe(404);
  }
  expect((await why(`/overrides/${override.override_id}/why`, member)).status).toBe(403);
  // Only users who may decide see the scope.
  const scopes = [stopped, decided, await why(`/overrides/${override.override_id}/why`)];
  expect(scopes.map((scope) => scope.body.override.scope)).toEqual([null, null, override.scope]);
});

test('explains a default policy by its author, and the absence of an override', async () => {
  await hub.console('PUT', '/default-policies', {
    body: { policies: [{ kind: 'mcp_server', execution_policy: 'block' }] },
    headers: { 'if-match': '"1"' },
  });
  const { body } = await hub.console('GET', '/overrides');
  const standing = body.items.find((item: { default_kind: string }) => item.default_kind !== null);
  expect((await why(`/overrides/${standing.override_id}/why`)).body).toMatchObject({
    override: { default_kind: 'mcp_server' },
    events: [{ operation: 'default_policies.set', by: 'admin@example.com' }],
  });
  expect((await why(`/overrides/${randomUUID()}/why`)).status).toBe(404);
});

test('names the user who withdrew an override', async () => {
  await hub.console('DELETE', `/overrides/${override.override_id}`, {
    headers: { 'if-match': override.version },
  });
  const { body } = await why(`/overrides/${override.override_id}/why`);
  expect(body.override.deleted).toBe(true);
  expect(
    body.events.map((event: { operation: string; by: string }) => [event.operation, event.by]),
  ).toEqual([
    ['override.create', 'reviewer@example.com'],
    ['override.delete', 'admin@example.com'],
  ]);
});
