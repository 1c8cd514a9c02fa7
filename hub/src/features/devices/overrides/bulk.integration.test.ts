// Bulk overrides apply to many applications; lists are exported as files, and views are saved.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const names = ['=HYPERLINK("x")', 'beta', 'gamma'];
const things = names.map((name) => anEntity(name, { kind: 'ai_tool', publisher: '+Example' }));
const ids = things.map((row) => row.entity_id);
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

test('counts a device once in the preview of several applications', async () => {
  const { status, body } = await hub.console('POST', '/overrides/bulk/preview', {
    body: { ...decision, entity_ids: ids },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ devices: 2, people: 2, at_least: false, overruled: 0 });
});

test('reports applications that cannot be changed, stores and audits the others', async () => {
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
  expect(past.body.results.map((result: { error: { code: string } }) => result.error.code)).toEqual(
    ids.map(() => 'invalid_request'),
  );
});

test('rolls out each of many overrides in stages, idempotently with the same stages only', async () => {
  const rings = [
    { percent: 10, minutes: 30 },
    { percent: 100, minutes: 60 },
  ];
  const send = (more: object) =>
    hub.console('POST', '/overrides/bulk', {
      body: {
        approval_status: 'restricted',
        execution_policy: 'warn',
        scope: { kind: 'subscriber', subscriber_id: 'staged' },
        entity_ids: ids,
        bulk_id: '7f3b0f5e-8a39-4c0a-9d55-0d9d4a6c1e01',
        rollout: { rings, limits: { max_blocks_per_hour: 5 } },
        ...more,
      },
    });
  const { body } = await send({});
  expect(body.results).toHaveLength(3);
  for (const { override } of body.results) {
    expect(override).toMatchObject({
      rollout_percent: 10,
      rollout: { state: 'running', ring: 0, rings, limits: { max_blocks_per_hour: 5 } },
    });
  }
  const { rows } = await hub.context.database.pool.query(
    `SELECT operation FROM audit_events WHERE tenant_id = $1 AND request_id = $2
     ORDER BY operation`,
    [hub.tenantId, body.request_id],
  );
  expect(rows.map((row) => row.operation)).toEqual([
    ...ids.map(() => 'override.create'),
    ...ids.map(() => 'override.rollout_start'),
  ]);
  const again = await send({});
  expect(again.body.results).toMatchObject(body.results);
  // Rings of the rollouts may differ by then.
  await hub.context.database.pool.query(
    `UPDATE overrides SET rollout_percent = 100 WHERE tenant_id = $1 AND override_id = $2`,
    [hub.tenantId, body.results[1].override.override_id],
  );
  const late = await send({});
  expect(late.body.results.map((result: { error: unknown }) => result.error)).toEqual([
    null,
    null,
    null,
  ]);
  const other = await send({ rollout: { rings: [{ percent: 10, minutes: 31 }] } });
  expect(
    other.body.results.map((result: { error: { code: string } | null }) => result.error?.code),
  ).toEqual(ids.map(() => 'already_exists'));
  const first = body.results[0].override.override_id;
  const reverted = await hub.console('POST', `/overrides/${first}/rollout/revert`);
  expect(reverted.body.override.rollout_percent).toBe(0);
  const falling = await send({ rollout: { rings: [...rings].reverse() } });
  expect([falling.status, falling.body.error.message]).toEqual([
    400,
    expect.stringContaining('/rollout/rings/1/percent'),
  ]);
});

test('exports the filtered list as CSV without formulas and as JSON', async () => {
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

test('stores a view per user, replaces it by name, and deletes it', async () => {
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
  expect((await save('Odd', { Kind: {} })).status).toBe(400);
});

test('lets a single user of many decide about the same products over two hubs, and names the winner to the others', async () => {
  const other = await startTestHub(hub.config);
  const app = anEntity('contested', { kind: 'ai_tool' });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(aDevice(), [app]) });
  const tokens = new Map([
    [hub, await hub.tokenFor('Reviewer')],
    [other, await other.tokenFor('Reviewer', hub.tenantId)],
  ]);
  const as = (at: TestHub) => ({ tenantId: hub.tenantId, token: tokens.get(at) ?? '' });
  const body = { ...decision, match: { entity_id: app.entity_id } };
  const preview = async (at = hub) =>
    (await at.console('POST', '/overrides/preview', { ...as(at), body })).body;
  const seen = await preview(other);
  expect(seen.standing).toEqual({ count: 0, items: [] });
  const decide = (at: TestHub, asOf: number, more: object = {}) =>
    at.console('POST', '/overrides', {
      ...as(at),
      body: { ...body, ...more, as_of_revision: asOf },
    });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => decide(i % 2 === 0 ? hub : other, seen.as_of_revision)),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([201, ...Array(7).fill(412)]);
  const refused = answers.find((answer) => answer.status === 412);
  expect(refused?.body.error).toEqual({
    code: 'precondition_failed',
    message:
      'reviewer@example.com set a policy: blocked (block) for the same app and scope. Review it and try again.',
  });

  // A client that reloads sees the other decision and may repeat its own; another scope does not conflict.
  const now = await preview();
  expect(now.standing).toMatchObject({
    count: 1,
    items: [{ approval_status: 'blocked', updated_by: 'reviewer@example.com' }],
  });
  const elsewhere = { scope: { kind: 'subscriber', subscriber_id: 'one' } };
  expect((await decide(hub, seen.as_of_revision, elsewhere)).status).toBe(201);
  const again = await decide(hub, now.as_of_revision, { approval_status: 'approved' });
  expect(again.status).toBe(201);
  // A withdrawal conflicts as well. A client that sends no feed number is not checked.
  const { override } = again.body;
  await hub.console('DELETE', `/overrides/${override.override_id}`, {
    headers: { 'if-match': override.version },
  });
  const late = await decide(hub, override.revision);
  expect(late.body.error?.message).toContain('admin@example.com removed a policy');
  expect((await hub.console('POST', '/overrides', { body })).status).toBe(201);

  const bulk = { ...decision, entity_ids: [app.entity_id, ids[2]] };
  const together = (await hub.console('POST', '/overrides/bulk/preview', { body: bulk })).body;
  expect(together).toMatchObject({
    changed: 1,
    standing: { count: 1, items: [{ match: body.match }] },
  });
  const { as_of_revision: early } = seen;
  const many = await hub.console('POST', '/overrides/bulk', {
    body: {
      ...bulk,
      approval_status: 'restricted',
      execution_policy: 'warn',
      as_of_revision: early,
    },
  });
  expect(many.body.results).toMatchObject([
    { override: null, error: { code: 'precondition_failed' } },
    { error: null },
  ]);
  await other.stop();
});

test('lists withdrawn, expired and superseded overrides by state, with author and reason', async () => {
  const match = { name: 'history' };
  const decide = async (more: object) =>
    (await hub.console('POST', '/overrides', { body: { ...decision, match, ...more } })).body
      .override;
  const allowed = await decide({ approval_status: 'approved', execution_policy: 'allow' });
  const blocked = await decide({ reason: 'Sends code away' });
  const planned = await decide({ match: { name: 'later' }, effective_at: '2999-01-01T00:00:00Z' });
  const ended = await decide({ match: { name: 'over' } });
  await hub.context.database.pool.query(
    `UPDATE overrides SET expires_at = now() WHERE override_id = $1`,
    [ended.override_id],
  );
  const listed = async (state: string) =>
    (await hub.console('GET', `/overrides?state=${state}`)).body.items;
  const idsOf = async (state: string) =>
    (await listed(state)).map((row: { override_id: string }) => row.override_id);
  expect((await listed('replaced'))[0]).toMatchObject({
    override_id: allowed.override_id,
    replaced_by: blocked.override_id,
    state: 'replaced',
  });
  expect(await idsOf('planned')).toEqual([planned.override_id]);
  expect(await idsOf('expired')).toEqual([ended.override_id]);
  expect(await idsOf('in_force')).toContain(blocked.override_id);
  await hub.console('DELETE', `/overrides/${blocked.override_id}`, {
    headers: { 'if-match': blocked.version },
  });
  const [withdrawn] = await listed('withdrawn');
  expect(withdrawn).toMatchObject({
    override_id: blocked.override_id,
    state: 'withdrawn',
    reason: 'Sends code away',
    updated_by: 'admin@example.com',
  });
  expect(await idsOf('in_force')).toContain(allowed.override_id);
  const all = (await hub.console('GET', '/overrides')).body.items;
  expect(all.map((row: { override_id: string }) => row.override_id)).not.toContain(
    blocked.override_id,
  );
});

test("shows a device's applications with their overrides, applied or not", async () => {
  const device = aDevice();
  const app = anEntity('held', { kind: 'ai_tool' });
  const as = { headers: { 'x-subscriber-id': 'holder' } };
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [app]),
    ...as,
  });
  const at = `/devices/${device.device_id}`;
  expect((await hub.console('GET', `${at}/processes`)).body).toMatchObject({
    items: [],
    reported_at: null,
  });
  const running = [
    aRunningProcess('zeta'),
    aRunningProcess('Alpha', { entity_ids: [app.entity_id] }),
  ];
  await deviceCall(hub, 'POST', '/ea/v1/sync/running-processes', {
    body: { device, processes: running },
    ...as,
  });
  const first = (await hub.console('GET', `${at}/processes?limit=1`)).body;
  expect(first.items).toMatchObject([{ name: 'Alpha', entity_ids: [app.entity_id] }]);
  expect(first.reported_at).not.toBeNull();
  const rest = await hub.console('GET', `${at}/processes?limit=1&cursor=${first.next_cursor}`);
  expect(rest.body.items).toMatchObject([{ name: 'zeta' }]);

  const scope = { kind: 'device', device_id: device.device_id };
  const match = { entity_id: app.entity_id };
  await hub.console('POST', '/overrides', { body: { ...decision, match, scope } });
  const decided = async () => (await hub.console('GET', `${at}/decisions`)).body.items[0];
  const { pool } = hub.context.database;
  const report = (state: string, when: string) =>
    pool.query(
      `UPDATE devices SET governance_state = $2, governance_at = now() + $3::interval
       WHERE device_id = $1`,
      [device.device_id, state, when],
    );
  await report('unknown', '1 minute');
  expect(await decided()).toMatchObject({ match, scope, application_name: 'held', applied: null });
  await report('applied', '-1 minute');
  expect((await decided()).applied).toBe(false);
  await report('applied', '1 minute');
  expect((await decided()).applied).toBe(true);
  await report('applying', '1 minute');
  expect((await decided()).applied).toBe(false);
  for (const path of ['processes', 'decisions']) {
    const nowhere = await hub.console('GET', `/devices/${crypto.randomUUID()}/${path}`);
    expect(nowhere.status).toBe(404);
  }
});

test('creates each override once when a bulk request is repeated under the same id', async () => {
  const things = ['again-a', 'again-b'].map((name) => anEntity(name));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice({ hostname: 'again' }), things),
  });
  const body = {
    ...decision,
    entity_ids: things.map((row) => row.entity_id),
    bulk_id: crypto.randomUUID(),
    as_of_revision: 1_000_000,
  };
  const idsOf = (answer: { body: { results: { override: { override_id: string } | null }[] } }) =>
    answer.body.results.map((result) => result.override?.override_id);
  const first = await hub.console('POST', '/overrides/bulk', { body });
  const second = await hub.console('POST', '/overrides/bulk', { body });
  expect(new Set(idsOf(first)).size).toBe(2);
  expect(idsOf(second)).toEqual(idsOf(first));
  const other = await hub.console('POST', '/overrides/bulk', {
    body: { ...body, reason: 'Something else' },
  });
  const refused = { override: null, error: { code: 'already_exists' } };
  expect(other.body.results).toMatchObject([refused, refused]);
  const [gone] = first.body.results;
  await hub.console('DELETE', `/overrides/${gone.override.override_id}`, {
    headers: { 'if-match': gone.override.version },
  });
  const third = await hub.console('POST', '/overrides/bulk', { body });
  expect(third.body.results).toMatchObject([{ override: null }, { error: null }]);
});

test('counts protected processes in the preview apart from those that would be terminated', async () => {
  const device = aDevice({ hostname: 'railed' });
  const own = ['loose', 'railed', 'railed too'].map((name) => anEntity(name));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, own) });
  const processes = own.map(({ entity_id, name }) =>
    aRunningProcess(name, {
      entity_ids: [entity_id],
      guard_rail: name === 'loose' ? null : 'shell',
    }),
  );
  await deviceCall(hub, 'POST', '/ea/v1/sync/running-processes', { body: { device, processes } });
  const { body } = await hub.console('POST', '/overrides/bulk/preview', {
    body: { ...decision, entity_ids: own.map((row) => row.entity_id) },
  });
  expect(body).toMatchObject({ devices: 1, processes: 3, ended: 1, guarded: 2 });
});

test('changes the policy that an app has for the same scope, and keeps the fields that the request leaves out', async () => {
  const [has, none] = ['has-a-policy', 'has-no-policy'].map((name) => anEntity(name));
  if (has === undefined || none === undefined) throw new Error('The apps are missing.');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice({ hostname: 'changed' }), [has, none]),
  });
  const scope = { kind: 'tenant' };
  const approved = { approval_status: 'approved', execution_policy: 'allow' };
  const match = { entity_id: has.entity_id };
  const { override } = (
    await hub.console('POST', '/overrides', {
      body: { ...approved, match, scope, reason: 'Checked by security' },
    })
  ).body;
  const asked = {
    ...{ approval_status: 'blocked', execution_policy: 'block', scope },
    entity_ids: [has.entity_id, none.entity_id],
  };
  const preview = (await hub.console('POST', '/overrides/bulk/preview', { body: asked })).body;
  expect(preview).toMatchObject({ changed: 1, standing: { count: 0 } });
  const body = {
    ...asked,
    bulk_id: crypto.randomUUID(),
    as_of_revision: preview.as_of_revision,
  };
  const blocked = { approval_status: 'blocked', execution_policy: 'block' };
  const { results } = (await hub.console('POST', '/overrides/bulk', { body })).body;
  expect(results).toMatchObject([
    {
      override: { ...blocked, override_id: override.override_id, reason: 'Checked by security' },
      before: { ...approved, version: override.version },
      error: null,
    },
    { override: { ...blocked, reason: null }, before: null, error: null },
  ]);
  const again = (await hub.console('POST', '/overrides/bulk', { body })).body.results;
  expect(again).toMatchObject([
    { override: results[0].override, before: results[0].override },
    { override: results[1].override, before: null },
  ]);
  const inForce = await hub.console('GET', `/overrides?entity_id=${has.entity_id}&state=in_force`);
  expect(inForce.body.items).toHaveLength(1);
  const { rows } = await hub.context.database.pool.query(
    `SELECT operation FROM audit_events WHERE tenant_id = $1 AND resource ->> 'id' = $2 ORDER BY at`,
    [hub.tenantId, override.override_id],
  );
  expect(rows.map((row) => row.operation)).toEqual(['override.create', 'override.update']);

  // The preview before the change is out of date for other terms.
  const stale = await hub.console('POST', '/overrides/bulk', {
    body: { ...asked, ...approved, as_of_revision: preview.as_of_revision },
  });
  expect(stale.body.results[0]).toMatchObject({ error: { code: 'precondition_failed' } });
});
