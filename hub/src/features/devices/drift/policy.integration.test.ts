// An approved application that drifted is suspended on its device and released by the review.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { follower } from '../../../../../test/support/follower.ts';
import {
  adminCalls,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
/** A second hub process on the same database. */
let twin: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  twin = await startTestHub(hub.config);
});
afterAll(async () => {
  await twin.stop();
  await hub.stop();
});

type Device = ReturnType<typeof aDevice>;
type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

const countOverrides = async (device: ReturnType<typeof follower>) => {
  await device.pull();
  return device.overrides.size;
};
const at = (tenant: Tenant, which = hub) => ({ url: which.url, ...tenant });
const launched = (name: string, launch: string) =>
  anEntity(name, { kind: 'mcp_server', launch_hash: launch.repeat(64) });
async function scan(
  tenant: Tenant,
  device: Device,
  entity: ReturnType<typeof launched>,
  which = hub,
) {
  const answer = await deviceCall(at(tenant, which), 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [entity], { kind: 'delta' }),
  });
  expect(answer.status).toBe(202);
}
const call = (tenant: Tenant, ...asked: Parameters<ReturnType<typeof adminCalls>>) =>
  adminCalls(hub, tenant)(...asked);
async function decide(tenant: Tenant, entityId: string, over: object = {}) {
  const answer = await call(tenant, 'POST', '/overrides', {
    match: { entity_id: entityId },
    approval_status: 'approved',
    execution_policy: 'allow',
    scope: { kind: 'tenant' },
    ...over,
  });
  expect(answer.status).toBe(201);
  return answer.body.override;
}
async function setPolicy(tenant: Tenant, policy: string) {
  const { version } = (await call(tenant, 'GET', '/drift-policy')).body;
  const answer = await call(tenant, 'PUT', '/drift-policy', { policy }, version);
  expect([answer.status, answer.body.policy]).toEqual([200, policy]);
}
const holds = async (tenant: Tenant) =>
  (await call(tenant, 'GET', '/overrides')).body.items.filter(
    (item: { drift_hold: boolean }) => item.drift_hold,
  );
const feed = async (tenant: Tenant) =>
  (
    await sql<{ n: number }>`SELECT n FROM feeds
      WHERE tenant_id = ${tenant.tenantId} AND topic = 'governance'`.execute(
      hub.context.database.db,
    )
  ).rows[0]?.n;

/** A tenant with an approved application on two devices; on the first device the test triggers its drift. */
async function approvedOnTwo(policy: string) {
  const tenant = await hub.newTenant('Drift');
  const [row, other] = [aDevice(), aDevice()];
  const name = `mcp-${randomUUID()}`;
  for (const device of [row, other]) await scan(tenant, device, launched(name, 'a'));
  const { entity_id: entityId } = launched(name, 'a');
  await decide(tenant, entityId);
  if (policy !== 'approval') await setPolicy(tenant, policy);
  const drift = (which = hub) => scan(tenant, row, launched(name, 'b'), which);
  return { tenant, one: row, other, name, entityId, drift };
}

describe('drifted application', () => {
  it('holds drift on its device by the ordinary delta until the review', async () => {
    const { tenant, one: row, other, entityId, drift } = await approvedOnTwo('block');
    const here = follower(at(tenant), row.device_id);
    const elsewhere = follower(at(tenant, twin), other.device_id);
    await Promise.all([here.pull(), elsewhere.pull()]);
    expect(here.overrides.size).toBe(1);
    await drift();
    await expect.poll(() => countOverrides(here)).toBe(2);
    const hold = [...here.overrides.values()].find((override) => override.scope_kind === 'device');
    expect(hold).toMatchObject({
      match: { entity_id: entityId },
      approval_status: 'pending',
      execution_policy: 'block',
    });
    expect(await elsewhere.pull()).toEqual([]);
    expect((await call(tenant, 'GET', '/drift-policy')).body.waiting).toEqual({
      applications: 1,
      devices: 1,
    });
    await call(tenant, 'POST', `/discovered-apps/${entityId}/review`, {});
    const heard: unknown[] = [];
    await expect
      .poll(async () => {
        heard.push(...(await here.pull()));
        return heard.length;
      })
      .toBe(1);
    expect(heard[0]).toMatchObject({ override_id: hold?.override_id, deleted: true });
    // Drifting once more brings the same override back.
    await scan(tenant, row, { ...launched('', 'c'), entity_id: entityId, name: 'again' });
    await expect.poll(() => countOverrides(here)).toBe(2);
    expect([...here.overrides.keys()]).toContain(hold?.override_id);
  });

  it('follows the drift setting, and releases holds where approvals continue', async () => {
    const { tenant, entityId, drift } = await approvedOnTwo('approval');
    const before = await feed(tenant);
    await drift();
    await expect
      .poll(async () => (await call(tenant, 'GET', '/drift-policy')).body.waiting.devices)
      .toBe(1);
    expect(await holds(tenant)).toEqual([]);
    expect(await feed(tenant)).toBe(before);
    const policies = async () =>
      (await holds(tenant)).map((row: { execution_policy: string }) => row.execution_policy);
    for (const policy of ['warn', 'block']) {
      await setPolicy(tenant, policy);
      await expect.poll(policies).toEqual([policy]);
    }
    await setPolicy(tenant, 'approval');
    await expect.poll(policies).toEqual([]);
    const operations = await sql<{ operation: string }>`
      SELECT operation FROM audit_events WHERE tenant_id = ${tenant.tenantId}
        AND operation LIKE 'drift%' ORDER BY at`.execute(hub.context.database.db);
    expect(operations.rows.map((row) => row.operation)).toEqual([
      'drift_policy.set',
      'drift_hold.set',
      'drift_policy.set',
      'drift_hold.set',
      'drift_policy.set',
      'drift_hold.lift',
    ]);
    expect(
      (await call(tenant, 'GET', `/discovered-apps/${entityId}`)).body.application,
    ).toMatchObject({ approval_status: 'pending' });
  });

  it('releases drift on a new override and at the end of the approval', async () => {
    for (const end of ['decide', 'withdraw'] as const) {
      const { tenant, entityId, drift } = await approvedOnTwo('block');
      await drift();
      await expect.poll(async () => (await holds(tenant)).length).toBe(1);
      if (end === 'decide') await decide(tenant, entityId);
      else {
        const listed = await call(tenant, 'GET', '/overrides');
        const approval = listed.body.items.find(
          (item: { drift_hold: boolean }) => !item.drift_hold,
        );
        const path = `/overrides/${approval.override_id}`;
        expect((await call(tenant, 'DELETE', path, undefined, approval.version)).status).toBe(200);
      }
      await expect.poll(() => holds(tenant)).toEqual([]);
    }
  });

  it("never allows drift more than the device's own override", async () => {
    const { tenant, one: row, entityId, drift } = await approvedOnTwo('warn');
    await drift();
    await expect.poll(async () => (await holds(tenant)).length).toBe(1);
    await decide(tenant, entityId, {
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'subscriber', subscriber_id: 'alice' },
    });
    await expect.poll(() => holds(tenant)).toEqual([]);
    const device = follower(at(tenant), row.device_id);
    await device.pull();
    expect(
      [...device.overrides.values()].map((override) => override.execution_policy).sort(),
    ).toEqual(['allow', 'block']);
  });

  it('creates a hold once, with a single revision, over many hub processes', async () => {
    const { tenant, entityId, name } = await approvedOnTwo('block');
    const devices = Array.from({ length: 12 }, () => aDevice());
    for (const device of devices) await scan(tenant, device, launched(name, 'a'));
    const before = (await feed(tenant)) ?? 0;
    await Promise.all(
      devices.map((device, i) => scan(tenant, device, launched(name, 'b'), i % 2 ? hub : twin)),
    );
    await expect.poll(async () => (await holds(tenant)).length).toBe(devices.length);
    expect(await feed(tenant)).toBe(before + devices.length);
    await Promise.all([
      call(tenant, 'POST', `/discovered-apps/${entityId}/review`, {}),
      setPolicy(tenant, 'warn'),
    ]);
    await expect.poll(() => holds(tenant)).toEqual([]);
  });
});

describe('drift hold', () => {
  it('rejects manual changes, and is left out of the preview of its review', async () => {
    const { tenant, one: row, entityId, drift } = await approvedOnTwo('block');
    await drift();
    const process = aRunningProcess('served', { entity_ids: [entityId] });
    const running = { device: row, processes: [process] };
    await deviceCall(at(tenant), 'POST', '/ea/v1/sync/running-processes', { body: running });
    await expect.poll(async () => (await holds(tenant)).length).toBe(1);
    const [hold] = await holds(tenant);
    const path = `/overrides/${hold.override_id}`;
    for (const answer of [
      await call(tenant, 'PATCH', path, { execution_policy: 'allow' }, hold.version),
      await call(tenant, 'DELETE', path, undefined, hold.version),
      await call(tenant, 'POST', `${path}/rollout`, {
        rings: [{ percent: 100, minutes: 1 }],
        limits: {},
      }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'drift_hold']);
    }
    const preview = async (over: object) => {
      const answer = await call(tenant, 'POST', '/overrides/preview', {
        match: { entity_id: entityId },
        approval_status: 'approved',
        execution_policy: 'monitor',
        scope: { kind: 'tenant' },
        ...over,
      });
      return answer.body.processes.items;
    };
    expect(await preview({})).toMatchObject([{ current_policy: 'block', new_policy: 'monitor' }]);
    // For one person only it reviews nothing: the hold goes on.
    const scope = { kind: 'subscriber', subscriber_id: 'alice' };
    expect(await preview({ scope })).toEqual([]);
  });
});

describe('drift setting', () => {
  it('accepts versioned writes of administrators, and rejects unknown values', async () => {
    const tenant = await hub.newTenant('Setting');
    const { body } = await call(tenant, 'GET', '/drift-policy');
    expect(body).toMatchObject({ policy: 'approval', waiting: { applications: 0, devices: 0 } });
    const put = (policy: string, version?: string) =>
      call(tenant, 'PUT', '/drift-policy', { policy }, version);
    expect((await put('warn')).status).toBe(428);
    expect((await put('quarantine', body.version)).status).toBe(400);
    const token = await hub.tokenFor('Reviewer', tenant.tenantId);
    const refused = await hub.console('PUT', '/drift-policy', {
      tenantId: tenant.tenantId,
      token,
      body: { policy: 'warn' },
      headers: { 'if-match': body.version },
    });
    expect(refused.status).toBe(403);
    const stored = await put('warn', body.version);
    expect(stored.headers.get('etag')).toBe(stored.body.version);
    expect((await put('block', body.version)).status).toBe(412);
    // A repetition changes nothing.
    expect((await put('warn', stored.body.version)).body.version).toBe(stored.body.version);
  });
});
