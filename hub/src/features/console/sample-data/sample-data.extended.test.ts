import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPerson, csrfOf, signInAs } from '../../../../../test/support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode } from '../../../../../test/support/logs.ts';
import { countTenantRowsByTable } from '../../../platform/db/tenant-rows.ts';
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

const STAYS: ReadonlySet<string> = new Set([
  ...['feeds', 'feed_marks', 'collection_versions', 'audit_events', 'audit_checkpoints'],
]);

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
    const requests = (await hub.console('GET', '/access-requests')).body.items;
    expect(requests.map(({ state }: { state: string }) => state).sort()).toEqual([
      ...['declined', 'granted', 'open', 'open'],
    ]);
    const { items } = (await hub.console('GET', '/alerts?limit=50')).body;
    const resolutions = items.map((item: { resolution: string | null }) => item.resolution);
    expect(new Set(resolutions)).toEqual(new Set([null, 'fixed', 'expected', 'false_positive']));
    const overrides = (await hub.console('GET', '/overrides?limit=50')).body.items;
    expect(overrides.filter(({ rollout }: { rollout: unknown }) => rollout !== null)).toHaveLength(
      1,
    );
    expect((await hub.console('GET', '/products?drifted=true')).body.items).toHaveLength(1);
    const { body } = await hub.console('GET', '/llm/requests?limit=1');
    expect(body.items[0].cost_usd).toBeGreaterThan(0);
    expect(await total('/llm/requests')).toBe(counts.llm_requests);
  });

  it('creates user groups and budgets, and devices that applied the policies or did not yet', async () => {
    const groups = (await hub.console('GET', '/people-groups')).body.items;
    const members = groups.map((group: { member_count: number }) => group.member_count);
    expect(members).toEqual([10, 10, 10]);
    const { items } = (await hub.console('GET', '/llm/budgets')).body;
    expect(items.map(({ scope }: { scope: string }) => scope)).toContain('organization');
    expect(items).toHaveLength(2);
    const health = async () => (await hub.console('GET', '/overview')).body.devices;
    await expect.poll(health).toMatchObject({ devices: 60, applied: 56, applying: 4 });
  });

  it('creates an access rule, a call rule, and apps with guardrails', async () => {
    for (const path of ['/mcp/rules', '/mcp/call-rules']) {
      expect((await hub.console('GET', path)).body.items, path).toHaveLength(1);
    }
    const { app } = (await hub.console('GET', '/gateway/apps/code-review')).body;
    expect(app.detection.category_actions).toMatchObject({ secrets: 'redact' });
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

  it('leaves no row behind but positions of feeds and the audit trail', async () => {
    const { db } = hub.context.database;
    const { tenantId, adminToken } = await hub.newTenant('Traceless');
    const asAdmin = { tenantId, token: adminToken };
    const body = { name: 'Mine', members: ['eve@example.com'] };
    await hub.console('POST', '/people-groups', { ...asAdmin, body });
    const rows = async () => {
      const counts = await countTenantRowsByTable(db, tenantId);
      return [...counts].filter(([table]) => !STAYS.has(table));
    };
    const before = await rows();
    expect((await hub.console('POST', '/sample-data', asAdmin)).status).toBe(201);
    expect(await rows()).not.toEqual(before);
    expect((await hub.console('DELETE', '/sample-data', asAdmin)).status).toBe(200);
    expect(await rows()).toEqual(before);
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
