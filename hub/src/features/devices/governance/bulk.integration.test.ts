// One decision about many applications, the list as a file, and saved views.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const names = ['=HYPERLINK("x")', 'beta', 'gamma'];
const things = names.map((name) => anEntity(name, { kind: 'ai_tool', publisher: '+Example' }));
const ids = things.map((one) => one.entity_id);
beforeAll(async () => {
  hub = await startTestHub();
  for (const hostname of ['one', 'two']) {
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice({ hostname }), things),
      headers: { 'x-subscriber-id': hostname },
    });
  }
});
afterAll(() => hub.stop());

const decision = {
  approval_status: 'blocked',
  execution_policy: 'block',
  scope: { kind: 'tenant' },
};

test('previewed together: a device that all of them touch is one device', async () => {
  const { status, body } = await hub.console('POST', '/overrides/bulk/preview', {
    body: { ...decision, entity_ids: ids },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ devices: 2, people: 2, at_least: false, overruled: 0 });
});

test('what cannot be decided is said of each, the others are stored and audited', async () => {
  const nowhere = anEntity('nowhere').entity_id;
  const { body } = await hub.console('POST', '/overrides/bulk', {
    body: { ...decision, entity_ids: [ids[0], nowhere, ids[1]], reason: 'All of them' },
  });
  expect(body.results).toMatchObject([
    { entity_id: ids[0], override: { reason: 'All of them' }, error: null },
    { entity_id: nowhere, override: null, error: { code: 'not_found' } },
    { entity_id: ids[1], error: null },
  ]);
  const { rows } = await hub.context.database.pool.query(
    `SELECT 1 FROM audit_events WHERE tenant_id = $1 AND operation = 'override.create'
     AND request_id = $2`,
    [hub.tenantId, body.request_id],
  );
  expect(rows).toHaveLength(2);
  const past = await hub.console('POST', '/overrides/bulk', {
    body: { ...decision, entity_ids: ids, expires_at: '2020-01-01T00:00:00Z' },
  });
  expect(past.body.results.map((one: { error: { code: string } }) => one.error.code)).toEqual(
    ids.map(() => 'invalid_request'),
  );
});

test('the list as filtered, as CSV without formulas and as JSON', async () => {
  const csv = await hub.console('GET', '/discovered-apps/download?format=csv&kind=ai_tool');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="applications.csv"');
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const lines = String(csv.body).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^"'=HYPERLINK\(""x""\)","'\+Example","ai_tool"/);
  const json = await hub.console('GET', '/discovered-apps/download?format=json&query=beta');
  expect(json.body).toMatchObject([{ name: 'beta', device_count: 2, approval_status: 'blocked' }]);
  const none = await hub.console('GET', '/discovered-apps/download?format=json&query=zzz');
  expect(none.body).toEqual([]);
  expect((await hub.console('GET', '/discovered-apps/download?format=exe')).status).toBe(400);
});

test('a view is kept by person, replaced by its name, and forgotten', async () => {
  const save = (name: string, search: object) =>
    hub.console('POST', '/own/views', { body: { list: 'applications', name, search } });
  const first = await save('Mine', { kind: 'ai_tool' });
  expect(first.status).toBe(201);
  const again = await save(' mine ', { kind: 'package' });
  expect(again.body.view).toMatchObject({
    view_id: first.body.view.view_id,
    search: { kind: 'package' },
  });
  const token = await hub.tokenFor('Viewer');
  expect((await hub.console('GET', '/own/views', { token })).body.items).toEqual([]);
  const at = `/own/views/${first.body.view.view_id}`;
  expect((await hub.console('DELETE', at, { token })).status).toBe(404);
  expect((await hub.console('DELETE', at)).status).toBe(200);
  expect((await hub.console('GET', '/own/views')).body.items).toEqual([]);
  expect((await save(' ', {})).status).toBe(400);
});
