// Locations that a tenant excludes from discovery are delivered to devices, and their data is erased, late arrivals
// included.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  adminCalls,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { eraseOutOfScope } from './erase-out-of-scope.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const at = (owner: string | null) => ({ owner, path: '/x', version: '1', name: 'x' });
const personal = anEntity('personal', { kind: 'mcp_server', instances: [at('1000')] });
const both = anEntity('both', { instances: [at(null), at('1000')], install_path: '~/both' });
const extension = anEntity('extension', { kind: 'browser_extension', instances: [at('1000')] });
const machine = anEntity('machine');
const ALL = [personal, both, extension, machine];

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;
const device = aDevice();

async function send(tenant: Tenant, entities: typeof ALL) {
  const answer = await deviceCall(
    { url: hub.url, ...tenant },
    'POST',
    '/ea/v1/sync/discovered-apps',
    {
      body: aBatch(device, entities, { kind: 'delta' }),
    },
  );
  expect(answer.status).toBe(202);
}
const call = (tenant: Tenant, ...asked: Parameters<ReturnType<typeof adminCalls>>) =>
  adminCalls(hub, tenant)(...asked);
async function poll(tenant: Tenant) {
  const answer = await deviceCall({ url: hub.url, ...tenant }, 'GET', '/ea/v1/sync/delta', {
    headers: { 'x-device-id': device.device_id },
  });
  return answer.body as { discovery: object; inventory_epoch: string };
}
async function setScope(tenant: Tenant, scope: object) {
  const { body } = await call(tenant, 'GET', '/discovery-scope');
  const set = await call(
    tenant,
    'PUT',
    '/discovery-scope',
    scope,
    (body as { version: string }).version,
  );
  expect(set.status).toBe(200);
  await eraseOutOfScope(hub.context.database.db);
}
async function names(
  tenant: Tenant,
): Promise<{ onDevice: string[]; products: string[]; count: number }> {
  const path = `/devices/${device.device_id}`;
  const list = (body: unknown) =>
    (body as { items: { name: string }[] }).items.map((item) => item.name);
  return {
    onDevice: list((await call(tenant, 'GET', `${path}/entities?removed=true`)).body),
    products: list((await call(tenant, 'GET', '/discovered-apps')).body),
    count: ((await call(tenant, 'GET', path)).body as { device: { entity_count: number } }).device
      .entity_count,
  };
}

test('notifies devices, erases excluded data, and requests a full report', async () => {
  const tenant = await hub.newTenant('Homes');
  await send(tenant, ALL);
  const before = await poll(tenant);
  expect(before.discovery).toEqual({ personal_homes: true, browser_profiles: true });
  await setScope(tenant, { personal_homes: false, browser_profiles: true });
  // The erasure is a job's: the hub that answers hears of it a moment after it.
  await expect
    .poll(async () => (await poll(tenant)).inventory_epoch)
    .not.toBe(before.inventory_epoch);
  const after = await poll(tenant);
  expect(after.discovery).toEqual({ personal_homes: false, browser_profiles: true });
  // Entities of the machine return with the device's next report.
  expect(await names(tenant)).toEqual({
    onDevice: ['both', 'machine'],
    products: ['machine'],
    count: 1,
  });
  await send(tenant, [{ ...both, instances: [at(null)] }, machine]);
  expect(await names(tenant)).toEqual({
    onDevice: ['both', 'machine'],
    products: ['both', 'machine'],
    count: 2,
  });
  await eraseOutOfScope(hub.context.database.db);
  expect((await poll(tenant)).inventory_epoch).toBe(after.inventory_epoch);
});

test('erases excluded data that a device sends late', async () => {
  const tenant = await hub.newTenant('Late');
  await send(tenant, [machine]);
  await setScope(tenant, { personal_homes: false, browser_profiles: false });
  await send(tenant, ALL);
  await eraseOutOfScope(hub.context.database.db);
  expect((await names(tenant)).products).toEqual(['machine']);
});

test('erases excluded instances of products that were also on the machine', async () => {
  const tenant = await hub.newTenant('Lost');
  const configured = { ...both, details: { configured: [{ client: 'of-1000' }] } };
  await send(tenant, [configured, machine]);
  await send(tenant, [{ ...both, removed: true }]);
  const kept = async () => {
    const found = await sql<{ row: string; gone: boolean }>`
      SELECT (e.instances, e.details, e.install_path)::text AS row, removed_at IS NOT NULL AS gone FROM entities e
      WHERE tenant_id = ${tenant.tenantId} AND name = 'both'`.execute(hub.context.database.db);
    return found.rows[0];
  };
  expect((await kept())?.row).toMatch(/of-1000/);
  await setScope(tenant, { personal_homes: false, browser_profiles: true });
  expect((await kept())?.row).not.toMatch(/1000/);
  expect((await kept())?.gone).toBe(true);
});

test('erases only extensions when browser profiles are excluded', async () => {
  const tenant = await hub.newTenant('Browsers');
  await send(tenant, ALL);
  await setScope(tenant, { personal_homes: true, browser_profiles: false });
  expect((await names(tenant)).products).toEqual(['both', 'machine', 'personal']);
});

test('requires a version and writes an audit event', async () => {
  const tenant = await hub.newTenant('Versioned');
  const scope = { personal_homes: false, browser_profiles: true };
  expect((await call(tenant, 'PUT', '/discovery-scope', scope)).status).toBe(428);
  expect((await call(tenant, 'PUT', '/discovery-scope', scope, '"7"')).status).toBe(412);
  expect((await call(tenant, 'PUT', '/discovery-scope', {}, '"1"')).status).toBe(400);
  await setScope(tenant, scope);
  expect((await call(tenant, 'GET', '/discovery-scope')).body).toMatchObject(scope);
});
