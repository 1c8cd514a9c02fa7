// Numbers of the start page equal the lengths of the lists that they link to.

import { entityId } from '@gatewarden/shared/identity.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBatch,
  aDevice,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { groupProducts } from '../products/index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** Products are counted at most seconds after a scan; a test counts them at once. */
const overview = async () => {
  await groupProducts(hub.context.database.db);
  return (await hub.console('GET', '/overview')).body;
};
const totalOf = async (filter: string, as = {}) =>
  (await hub.console('GET', `/products?${filter}`, as)).body.total;
const lengthOf = async (path: string) =>
  (await hub.console('GET', `${path}${path.includes('?') ? '&' : '?'}limit=200`)).body.items.length;

test('counts no pending decisions of an empty tenant', async () => {
  expect(await overview()).toMatchObject({
    review: { pending: [], drifted: [], unknown_processes: 0, rollouts_stopped: 0 },
    fresh: [],
    alerts: [],
    devices: { devices: 0, seen_today: 0, stale: 0, coverage_gaps: 0 },
  });
});

test('counts the rows of each linked list', async () => {
  const device = aDevice();
  // Everything there was looked at, or is not there, or was not to be looked at: no gap.
  const whole = ['read', 'absent', 'skipped'].map((state) => ({
    ...{ source: state, owner: null, state, entities: 0, reason: null },
  }));
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [], { coverage: whole } as object),
  });
  const server = (name: string) => anEntity(name, { kind: 'mcp_server', source: 'mcp_config' });
  const tool = (name: string) => anEntity(name, { kind: 'ai_tool', source: 'ai_cli' });
  const entities = [anEntity('curl'), server('a'), server('b'), tool('c')];
  const coverage = [
    { source: 'dpkg', owner: null, state: 'read', entities: 4, reason: null },
    { source: 'mcp_config', owner: null, state: 'unreadable', entities: 0, reason: 'EACCES' },
  ];
  const scanned = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities, { coverage } as object),
  });
  expect(scanned.status).toBe(202);
  await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: { batch_id: crypto.randomUUID(), device, processes: [anUnknownProcess('x')] },
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert({ severity: 'high' }), anAlert({ severity: 'critical' })] },
  });
  const [first] = (await hub.console('GET', '/discovered-apps?kind=mcp_server')).body.items;
  await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: first.entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  const body = await overview();
  // Server a is approved.
  expect(body.review.pending).toEqual([
    { category: 'ai_tool', count: 1 },
    { category: 'mcp_server', count: 1 },
  ]);
  for (const { category, count } of body.review.pending) {
    const filter = `category=${category}&approval_status=pending&drifted=false`;
    expect([category, count]).toEqual([category, await totalOf(filter)]);
  }
  expect(body.fresh).toEqual([
    { category: 'ai_tool', count: 1 },
    { category: 'mcp_server', count: 2 },
  ]);
  for (const { category, count } of body.fresh) {
    const total = await totalOf(`category=${category}&fresh=week`);
    expect([category, count]).toEqual([category, total]);
  }
  const { devices: fleet } = body;
  expect(fleet.seen_today).toBe(await lengthOf('/devices?seen=today'));
  expect(fleet.coverage_gaps).toBe(await lengthOf('/devices?coverage=gaps'));
  expect(fleet.devices).toBe(await lengthOf('/devices'));
  for (const state of ['applied', 'applying', 'diverged', 'unknown']) {
    expect([state, fleet[state]]).toEqual([state, await lengthOf(`/devices?governance=${state}`)]);
  }
  const states = fleet.applied + fleet.applying + fleet.diverged + fleet.unknown;
  expect(states).toBe(fleet.devices);
  expect(body.review.unknown_processes).toBe(await lengthOf('/unknown-processes'));
  expect(body.alerts.reduce((sum: number, item: { count: number }) => sum + item.count, 0)).toBe(
    await lengthOf('/alerts?state=open'),
  );
  expect(body.devices).toMatchObject({
    devices: 2,
    seen_today: 2,
    stale: 0,
    duplicates: 0,
    coverage_gaps: 1,
  });
});

/** On a device of its own: approved, and launched otherwise since. */
async function aDriftedServer(name: string) {
  const device = aDevice();
  const server = (hash: string) =>
    anEntity(name, { kind: 'mcp_server', launch_hash: hash.repeat(64) });
  const scan = (hash: string) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [server(hash)], { kind: 'delta' }),
    });
  await scan('a');
  await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: server('a').entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  await scan('b');
  return device;
}

test('leaves drifted, unseen and old rows out of lists and counts alike', async () => {
  const device = await aDriftedServer('drifting');
  const { pool } = hub.context.database;
  await pool.query(`UPDATE products SET first_seen_at = now() - interval '8 days', is_grouped = false
    WHERE name = 'drifting'`);
  await pool.query(`UPDATE devices SET last_seen_at = now() - interval '25 hours'
    WHERE device_id = '${device.device_id}'`);
  const body = await overview();
  expect(body.review.drifted).toEqual([{ category: 'mcp_server', count: 1 }]);
  expect(await totalOf('category=mcp_server&drifted=true')).toBe(1);
  const fresh = body.fresh.find(
    ({ category }: { category: string }) => category === 'mcp_server',
  ).count;
  expect(fresh).toBe(await totalOf('category=mcp_server&fresh=week'));
  expect(await totalOf('category=mcp_server')).toBe(fresh + 1);
  expect(body.devices.seen_today).toBe(await lengthOf('/devices?seen=today'));
  expect(await lengthOf('/devices')).toBe(body.devices.seen_today + 1);
  // Each word in name, publisher or source, in any order.
  const found = (query: string) => lengthOf(`/discovered-apps?${new URLSearchParams({ query })}`);
  expect(await found('example DRIFT')).toBe(1);
  expect(await found('drift dpkg  example')).toBe(1);
  expect(await found('drift nowhere')).toBe(0);
  expect(await found('100% drift_')).toBe(0);
});

test('counts nothing of another tenant', async () => {
  const other = await hub.newTenant('Other');
  const { tenantId, adminToken: token } = other;
  const answer = await hub.console('GET', '/overview', { tenantId, token });
  expect(answer.body.devices.devices).toBe(0);
  expect(answer.body.alerts).toEqual([]);
});

test('counts all severities although a single severity has many alerts', async () => {
  const other = await hub.newTenant('Alerted');
  const { pool } = hub.context.database;
  // The few critical ones came in first.
  await pool.query(
    `INSERT INTO alerts (tenant_id, received_on, alert_id, device_id, received_at, occurred_at, severity, action,
       process, outcome, message, queued)
     SELECT $1, (at AT TIME ZONE 'UTC')::date, gen_random_uuid(), gen_random_uuid(), at, at, severity, 'block',
       '{"name": "p", "executable_path": "/p", "pid": 1, "started_at": "2026-11-20T10:00:00.000Z"}', 'terminated',
       'ended', false
     FROM (SELECT now() - interval '1 minute' AS at, 'critical' AS severity FROM generate_series(1, 3)
       UNION ALL SELECT now(), 'low' FROM generate_series(1, 1100)) made`,
    [other.tenantId],
  );
  const { alerts } = (
    await hub.console('GET', '/overview', { tenantId: other.tenantId, token: other.adminToken })
  ).body;
  expect(alerts).toHaveLength(2);
  // Counted to a thousand, which a page shows as "1,000+".
  expect(alerts).toEqual(
    expect.arrayContaining([
      { severity: 'critical', count: 3 },
      { severity: 'low', count: 1_000 },
    ]),
  );
});

test('leaves drift of a retired device out of count and list', async () => {
  const driftedServers = async () => (await overview()).review.drifted[0]?.count ?? 0;
  const before = await driftedServers();
  const device = await aDriftedServer('gone-with-its-device');
  expect(await driftedServers()).toBe(before + 1);
  const { status } = await hub.console('DELETE', `/devices/${device.device_id}`);
  expect(status).toBeLessThan(300);
  expect(await driftedServers()).toBe(before);
  expect(await totalOf('category=mcp_server&drifted=true')).toBe(before);
});

test('counts a product on three platforms once', async () => {
  const tenant = await hub.newTenant('Three platforms');
  const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const tool = anEntity('Claude Code', {
      entity_id: entityId(platform, 'ai_tool', 'ai_cli', 'Claude Code'),
      ...{ kind: 'ai_tool', source: 'ai_cli' },
    });
    await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice({ platform }), [tool]),
    });
  }
  await groupProducts(hub.context.database.db);
  const { review, fresh } = (await hub.console('GET', '/overview', as)).body;
  expect(review.pending).toEqual([{ category: 'ai_tool', count: 1 }]);
  expect(fresh).toEqual([{ category: 'ai_tool', count: 1 }]);
  expect(await totalOf('category=ai_tool&approval_status=pending&drifted=false', as)).toBe(1);
});

test('counts a drifted product once', async () => {
  const tenant = await hub.newTenant('Drifted');
  const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const device = aDevice();
  const server = (hash: string) =>
    anEntity('drifts', { kind: 'mcp_server', launch_hash: hash.repeat(64) });
  const scan = (hash: string) =>
    deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [server(hash)], { kind: 'delta' }),
    });
  await scan('a');
  await hub.console('POST', '/overrides', {
    ...as,
    body: {
      match: { entity_id: server('a').entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    },
  });
  await scan('b');
  await groupProducts(hub.context.database.db);
  const { review } = (await hub.console('GET', '/overview', as)).body;
  expect(review).toMatchObject({ drifted: [{ category: 'mcp_server', count: 1 }], pending: [] });
});

test('adds the policy steps up to all apps, and each step equals its list', async () => {
  const tenant = await hub.newTenant('Steps');
  const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const kinds = ['ai_tool', 'mcp_server', 'application', 'package'] as const;
  const entities = kinds.flatMap((kind) =>
    Array.from({ length: 6 }, (_, n) => anEntity(`${kind}-${n}`, { kind, source: 'dpkg' })),
  );
  const device = aDevice();
  await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities),
  });
  const pairs = [
    ['approved', 'allow'],
    ['restricted', 'warn'],
    ['blocked', 'block'],
    ['blocked', 'quarantine'],
    ['restricted', 'allow'],
  ] as const;
  for (const kind of kinds) {
    for (const [n, [approval_status, execution_policy]] of pairs.entries()) {
      const { entity_id } = entities.find(({ name }) => name === `${kind}-${n}`) ?? {};
      const { status } = await hub.console('POST', '/overrides', {
        ...as,
        body: {
          match: { entity_id },
          approval_status,
          execution_policy,
          scope: { kind: 'tenant' },
        },
      });
      expect(status).toBe(201);
    }
  }
  await groupProducts(hub.context.database.db);
  const { apps, newest } = (await hub.console('GET', '/overview', as)).body;
  const { rows } = await hub.context.database.pool.query(
    'SELECT count(*)::int AS apps FROM products WHERE tenant_id = $1 AND device_count > 0',
    [tenant.tenantId],
  );
  const steps = ['unreviewed', 'approved', 'restricted', 'blocked', 'quarantined'];
  const sumOf = (name: string) =>
    apps.reduce((sum: number, counts: Record<string, number>) => sum + (counts[name] ?? 0), 0);
  expect(steps.reduce((sum, step) => sum + sumOf(step), 0)).toBe(rows[0].apps);
  expect([...steps, 'custom'].map(sumOf)).toEqual([4, 8, 4, 4, 4, 4]);
  for (const step of steps) {
    const list = await hub.console('GET', `/discovered-apps?policy_step=${step}`, as);
    expect([step, list.body.items.length, list.body.total]).toEqual([
      step,
      sumOf(step),
      sumOf(step),
    ]);
  }
  // Packages are not reviewed singly.
  expect(newest).toHaveLength(10);
  const categories = newest.map(({ category }: { category: string }) => category);
  expect(categories).not.toContain('package');
});
