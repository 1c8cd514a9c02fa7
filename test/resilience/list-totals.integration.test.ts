// Totals of lists: counted by the conditions of the list and by tenant, on the first page alone.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;

beforeAll(async () => {
  hub = await sharedTestHub();
  const [linux, mac] = [aDevice(), aDevice({ platform: 'darwin' })];
  const tool = anEntity('tool', { kind: 'ai_tool' });
  for (const device of [linux, mac]) {
    const body = aBatch(device, [tool, anEntity('editor'), anEntity('shell')]);
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
  }
  const alerts = [anAlert({ severity: 'low' }), anAlert(), anAlert()];
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device: linux, alerts } });
  for (const name of ['a', 'b', 'c']) {
    await hub.console('POST', '/overrides', {
      body: {
        ...{ match: { name }, approval_status: 'blocked', execution_policy: 'block' },
        scope: { kind: 'tenant' },
        effective_at: name === 'a' ? '2999-01-01T00:00:00.000Z' : null,
      },
    });
  }
});
afterAll(() => hub.stop());

it.each([
  ['/devices', 2],
  ['/devices?platform=darwin', 1],
  ['/devices?query=no-such-host', 0],
  ['/discovered-apps', 3],
  ['/discovered-apps?kind=ai_tool', 1],
  ['/discovered-apps?approval_status=blocked', 0],
  ['/discovered-apps?query=tool', null],
  ['/overrides', 3],
  ['/overrides?state=planned', 1],
  ['/alerts', 3],
  ['/alerts?severity=low', 1],
  ['/alerts?state=acknowledged', 0],
])('counts all rows of %s: %s', async (path, total) => {
  const { status, body } = await hub.console('GET', path);
  expect([status, body.total]).toEqual([200, total]);
  if (total !== null) expect(body.items).toHaveLength(total);
});

it('counts users by the same filters as their list', async () => {
  await hub.tokenFor('Viewer');
  for (const path of ['/users', '/users?role=Viewer', '/users?query=nobody']) {
    const { body } = await hub.console('GET', path);
    expect([path, body.total]).toEqual([path, body.items.length]);
  }
});

it('counts on the first page alone', async () => {
  const first = (await hub.console('GET', '/alerts?limit=1')).body;
  expect([first.items.length, first.total]).toEqual([1, 3]);
  const cursor = encodeURIComponent(first.next_cursor);
  const second = (await hub.console('GET', `/alerts?limit=1&cursor=${cursor}`)).body;
  expect([second.items.length, second.total]).toEqual([1, null]);
});

it('counts no rows of another tenant', async () => {
  const { tenantId, adminToken: token } = await hub.newTenant('Another');
  for (const path of ['/devices', '/discovered-apps', '/overrides', '/alerts']) {
    expect((await hub.console('GET', path, { tenantId, token })).body.total).toBe(0);
  }
});
