// Self-service roles are accepted over HTTP in both shapes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, makeApp, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
});
afterAll(() => hub.stop());

test('accepts self-service roles in both shapes, and returns them below roles', async () => {
  const control = (access_control: object) => ({
    self_service: { self_service: { access_control } },
  });
  const viewer = { allow_all: false, allow_emails: ['a@example.com'] };
  const made = await makeApp(api, 'self-service', control({ self_service_viewer: viewer }));
  const nested = { version: 1, roles: { self_service_viewer: viewer } };
  expect(made.body.app.self_service).toEqual(control(nested).self_service);
  const patch = (access_control: object) =>
    api.call('PATCH', '/apps/self-service', {
      ifMatch: made.body.app.version,
      body: control(access_control),
    });
  // The other form of the same roles changes nothing.
  expect((await patch(nested)).headers.get('etag')).toBe(made.body.app.version);
  const unknown = await patch({ show_api_key: { allow_smart_groups: ['nobody'] } });
  expect([unknown.status, unknown.body.error.message]).toEqual([
    400,
    expect.stringContaining('show_api_key/allow_smart_groups/0'),
  ]);
  expect((await patch({ no_role: viewer })).status).toBe(400);
  const { body } = await api.call('GET', '/apps/self-service');
  expect(body.app.self_service).toEqual(control(nested).self_service);
});
