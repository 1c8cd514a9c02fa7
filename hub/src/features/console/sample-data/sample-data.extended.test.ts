import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPerson, csrfOf, signInAs } from '../../../../../test/support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode } from '../../../../../test/support/logs.ts';
import {
  createHttpSender,
  isTenantEmpty,
  loadSampleData,
  removeSampleData,
  type SampleCounts,
  type SampleTarget,
} from './index.ts';

let hub: TestHub;
let counts: SampleCounts;
let target: SampleTarget;

beforeAll(async () => {
  hub = await startTestHub();
  const { token: nodeToken } = await aNode(hub, hub.tenantId);
  const { url, tenantId, agentToken, adminToken } = hub;
  const consoleHeaders = { authorization: `Bearer ${adminToken}` };
  target = { send: createHttpSender(url), tenantId, agentToken, consoleHeaders, nodeToken };
  counts = await loadSampleData(target);
});
afterAll(() => hub?.stop());

const total = async (path: string) => (await hub.console('GET', path)).body.total;

describe('sample data', () => {
  it('creates 60 devices of 30 users on three platforms', async () => {
    expect(counts).toMatchObject({ devices: 60, users: 30 });
    expect(await total('/devices')).toBe(60);
    for (const platform of ['linux', 'darwin', 'win32']) {
      expect(await total(`/devices?platform=${platform}`)).toBeGreaterThan(5);
    }
  });

  it('groups AI tools over platforms, with policies of each step', async () => {
    const { body } = await hub.console('GET', '/products?category=ai_tool&limit=50');
    const claude = body.items.find(({ name }: { name: string }) => name === 'Claude Code');
    expect(claude.platforms.length).toBe(3);
    expect(await total('/overrides')).toBeGreaterThan(10);
  });

  it('creates alerts, access requests, a rollout, drift and priced gateway logs', async () => {
    expect(await total('/alerts')).toBe(counts.alerts);
    expect((await hub.console('GET', '/access-requests')).body.items.length).toBeGreaterThan(1);
    const overrides = (await hub.console('GET', '/overrides?limit=50')).body.items;
    expect(overrides.filter(({ rollout }: { rollout: unknown }) => rollout !== null)).toHaveLength(
      1,
    );
    expect((await hub.console('GET', '/products?drifted=true')).body.items).toHaveLength(1);
    const { body } = await hub.console('GET', '/llm/requests?limit=1');
    expect(body.items[0].cost_usd).toBeGreaterThan(0);
  });

  it('leaves an empty tenant when it is removed, and loads again', async () => {
    const { db } = hub.context.database;
    expect(await isTenantEmpty(db, hub.tenantId)).toBe(false);
    await removeSampleData(db, hub.tenantId, async () => undefined);
    expect(await isTenantEmpty(db, hub.tenantId)).toBe(true);
    expect(await total('/devices')).toBe(0);
    expect((await hub.console('GET', '/products?limit=1')).body.total).toBe(0);
    expect(await loadSampleData(target)).toEqual(counts);
    expect(await total('/devices')).toBe(60);
  });

  it('lets Admins load and remove it over the API, and refuses a tenant with data', async () => {
    expect(await hub.console('POST', '/sample-data')).toMatchObject({
      status: 409,
      body: { error: { code: 'tenant_not_empty' } },
    });
    const { tenantId, adminToken } = await hub.newTenant('Second');
    const asAdmin = { tenantId, token: adminToken };
    const asReviewer = { tenantId, token: await hub.tokenFor('Reviewer', tenantId) };
    expect((await hub.console('POST', '/sample-data', asReviewer)).status).toBe(403);
    const loaded = await hub.console('POST', '/sample-data', asAdmin);
    expect(loaded).toMatchObject({
      status: 201,
      body: { devices: 60, llm_requests: counts.llm_requests },
    });
    const state = async () => (await hub.console('GET', '/sample-data', asAdmin)).body;
    expect(await state()).toMatchObject({ is_empty: false, is_loaded: true, other_devices: 0 });
    expect((await hub.console('DELETE', '/sample-data', asReviewer)).status).toBe(403);
    expect((await hub.console('DELETE', '/sample-data', asAdmin)).status).toBe(200);
    expect(await state()).toMatchObject({ is_empty: true, is_loaded: false, other_devices: 0 });
    expect(await total('/devices')).toBe(60);
  });

  it('loads with the session of a signed-in Admin', async () => {
    const { tenantId } = await hub.newTenant('Fourth');
    const { browser } = await signInAs(hub, await aPerson(hub, 'Admin', tenantId));
    const response = await browser.request(`/console/api/v1/tenants/${tenantId}/sample-data`, {
      method: 'POST',
      headers: { 'x-csrf-token': await csrfOf(browser), origin: hub.url },
    });
    expect([response.status, await response.json()]).toMatchObject([201, { devices: 60 }]);
  });

  it('reports a conflict with a device group of the same name instead of failing', async () => {
    const { tenantId, adminToken } = await hub.newTenant('Third');
    const asAdmin = { tenantId, token: adminToken };
    await hub.console('POST', '/device-groups', { ...asAdmin, body: { name: 'Macs' } });
    const refused = await hub.console('POST', '/sample-data', asAdmin);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'tenant_not_empty' } } });
    expect(refused.body.error.message).toContain('device-groups');
  });
});
