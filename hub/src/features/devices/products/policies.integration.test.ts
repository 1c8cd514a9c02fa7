// Policies for products: overrides for all their applications, extended at ingest, changed and removed together.
import { randomUUID } from 'node:crypto';
import { entityId } from '@gatewarden/shared/identity.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { coverMissedApplications } from './cover-products.ts';
import { groupProducts } from './product-counts.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

const HASH = { first: 'a'.repeat(64), second: 'b'.repeat(64) };
const DECISION = {
  approval_status: 'blocked',
  execution_policy: 'block',
  scope: { kind: 'tenant' },
};

/** Claude Code as three systems report it. */
const CLAUDE_CODE: Record<Platform, WireEntity> = {
  darwin: sighting('darwin', 'application', 'homebrew', 'claude-code'),
  linux: sighting('linux', 'package', 'npm', '@anthropic-ai/claude-code'),
  win32: sighting('win32', 'ai_tool', 'ai_cli', 'Claude Code', { details: { binary: 'claude' } }),
};

function sighting(
  platform: Platform,
  kind: WireEntity['kind'],
  source: string,
  name: string,
  over: Partial<WireEntity> = {},
): WireEntity {
  const id = entityId(platform, kind, source, name);
  return anEntity(name, { entity_id: id, kind, source, publisher: null, ...over });
}

async function scan(
  tenant: Tenant,
  device: WireDevice,
  entities: WireEntity[],
  subscriberId = 'alice',
): Promise<void> {
  const answer = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities),
    headers: { 'x-subscriber-id': subscriberId },
  });
  expect(answer.status).toBe(202);
}

/** A tenant whose devices of these platforms have Claude Code, with the calls that tests make. */
async function fleet(name: string, platforms: Platform[]) {
  const tenant = await hub.newTenant(name);
  const devices = Object.fromEntries(
    (['linux', 'darwin', 'win32'] as const).map((platform) => [platform, aDevice({ platform })]),
  ) as Record<Platform, WireDevice>;
  for (const platform of platforms) await scan(tenant, devices[platform], [CLAUDE_CODE[platform]]);
  await groupProducts(hub.context.database.db);
  const call = (method: string, path: string, options: { body?: unknown; ifMatch?: string } = {}) =>
    hub.console(method, path, {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } }),
    });
  const [product] = (await call('GET', '/products')).body.items;
  const input = (over: object = {}) => ({ product_id: product.product_id, ...DECISION, ...over });
  return {
    ...{ tenant, devices, call, product, input },
    async set(over: object = {}) {
      const answer = await call('POST', '/product-policies', { body: input(over) });
      expect(answer.status).toBe(201);
      return answer.body.policy;
    },
    /** The policies in force that the device receives, by entity. */
    async received(platform: Platform, subscriberId = 'alice') {
      const device = devices[platform];
      const { body } = await deviceCall({ ...hub, ...tenant }, 'GET', '/ea/v1/sync/delta', {
        headers: { 'x-device-id': device.device_id, 'x-subscriber-id': subscriberId },
      });
      const overrides = body.overrides as WireOverride[];
      return overrides
        .filter((override) => override.match.entity_id === CLAUDE_CODE[platform].entity_id)
        .map((override) => override.execution_policy);
    },
  };
}

describe('a policy for a product', () => {
  it('blocks on all platforms, each application by an ordinary override', async () => {
    const { set, received, call } = await fleet('All', ['linux', 'darwin', 'win32']);
    const policy = await set();
    expect(policy.entity_ids.sort()).toEqual(
      Object.values(CLAUDE_CODE)
        .map((entity) => entity.entity_id)
        .sort(),
    );
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(await received(platform)).toEqual(['block']);
    }
    const [row] = (await call('GET', '/products')).body.items;
    expect(row).toMatchObject({ approval_status: 'blocked', execution_policy: 'block' });
    const { body } = await call('GET', `/products/${row.product_id}`);
    expect(body.product.policies.items).toHaveLength(3);
    expect(body.product.policies.items[0]).toMatchObject({
      origin: 'product_policy',
      product_policy_id: policy.policy_id,
    });
  });

  it('appears once, with its product, among policies and on a device', async () => {
    const { set, call, product, devices } = await fleet('Once', ['linux', 'darwin', 'win32']);
    await set();
    await call('POST', '/overrides', { body: { ...DECISION, match: { name: 'curl' } } });
    const once = (await call('GET', '/overrides?product_policies=once')).body;
    expect(once.total).toBe(2);
    const subjects = once.items.map((override: { product: unknown }) => override.product);
    expect(subjects).toEqual([
      null,
      { product_id: product.product_id, name: 'Claude Code', platform: null, app_count: 3 },
    ]);
    for (const filter of ['&state=in_force', '&sort=-execution_policy', '&sort=expires_at']) {
      const { items } = (await call('GET', `/overrides?product_policies=once${filter}`)).body;
      expect([filter, items.length]).toEqual([filter, 2]);
    }
    expect((await call('GET', '/overrides')).body.total).toBe(4);
    const path = `/devices/${devices.linux.device_id}/decisions`;
    const first = (await call('GET', `${path}?limit=1`)).body;
    const rest = (await call('GET', `${path}?cursor=${first.next_cursor}`)).body;
    const listed = [...first.items, ...rest.items];
    expect(listed.map((policy) => policy.product?.name ?? policy.match.name).sort()).toEqual([
      'Claude Code',
      'curl',
    ]);
  });

  it('stays out of the list of a device with another platform', async () => {
    const { set, call, devices } = await fleet('Listed', ['linux', 'win32']);
    await set({ platform: 'win32' });
    const match = { name: 'curl', platform: 'win32' };
    await call('POST', '/overrides', { body: { ...DECISION, match } });
    const listed = async ({ device_id: id }: { device_id: string }) =>
      (await call('GET', `/devices/${id}/decisions`)).body.items.length;
    expect([await listed(devices.win32), await listed(devices.linux)]).toEqual([2, 0]);
    const { items } = (await call('GET', '/discovered-apps')).body;
    const app = items.find((item: { platform: string }) => item.platform === 'win32');
    const byId = { ...DECISION, match: { entity_id: app.entity_id } };
    expect((await call('POST', '/overrides', { body: byId })).status).toBe(201);
    expect([await listed(devices.win32), await listed(devices.linux)]).toEqual([3, 0]);
  });

  it('lists a product policy by a state that only some of its apps have', async () => {
    const { set, call } = await fleet('Partly', ['linux', 'darwin', 'win32']);
    const policy = await set();
    const firstId = (await call('GET', '/overrides?product_policies=once')).body.items[0];
    const { entity_id: entityId } = firstId.match;
    await call('POST', '/overrides', { body: { ...DECISION, match: { entity_id: entityId } } });
    const listed = async (state: string) => {
      const { items } = (await call('GET', `/overrides?product_policies=once&state=${state}`)).body;
      const owned = items.filter(
        (override: { product_policy_id: string | null }) =>
          override.product_policy_id === policy.policy_id,
      );
      return owned.length;
    };
    expect([await listed('in_force'), await listed('replaced')]).toEqual([1, 1]);
  });

  it('blocks on a single platform', async () => {
    const { set, received } = await fleet('Single', ['linux', 'darwin', 'win32']);
    await set({ platform: 'darwin' });
    expect(await received('darwin')).toEqual(['block']);
    expect(await received('linux')).toEqual([]);
    expect(await received('win32')).toEqual([]);
  });

  it('yields to the policy of a platform there, and returns when that is removed', async () => {
    const { set, received, call } = await fleet('Both', ['linux', 'darwin']);
    await set();
    const mild = { approval_status: 'approved', execution_policy: 'allow' };
    const ofLinux = await set({ platform: 'linux', ...mild });
    expect(await received('linux')).toEqual(['allow']);
    expect(await received('darwin')).toEqual(['block']);
    const path = `/product-policies/${ofLinux.policy_id}`;
    expect((await call('DELETE', path, { ifMatch: ofLinux.version })).status).toBe(200);
    expect(await received('linux')).toEqual(['block']);
  });

  it('covers a new platform at its first scan, with the next poll', async () => {
    const { set, received, devices, tenant, call } = await fleet('Arrives', ['linux']);
    const policy = await set();
    await scan(tenant, devices.darwin, [CLAUDE_CODE.darwin]);
    expect(await received('darwin')).toEqual(['block']);
    const { body } = await call('GET', `/product-policies/${policy.policy_id}`);
    expect(body.policy.entity_ids).toHaveLength(2);
    const [event] = await auditOf(tenant, 'override.create');
    expect(event).toMatchObject({
      actor: { kind: 'hub', id: 'products' },
      detail: { product: { product_name: 'Claude Code', policy_id: policy.policy_id } },
    });
    // Another product of the same scan is none of its business.
    await scan(tenant, devices.win32, [CLAUDE_CODE.win32, anEntity('curl')]);
    const { body: all } = await call('GET', '/overrides');
    expect(all.items).toHaveLength(3);
  });

  it('covers by a job what was stored while the policy was created', async () => {
    const { set, received, tenant } = await fleet('Missed', ['linux', 'darwin']);
    await set();
    const { db } = hub.context.database;
    const { entity_id: id } = CLAUDE_CODE.darwin;
    await sql`
      DELETE FROM overrides
      WHERE tenant_id = ${tenant.tenantId} AND match ->> 'entity_id' = ${id}`.execute(db);
    await coverMissedApplications(db);
    await expect.poll(() => received('darwin')).toEqual(['block']);
  });

  it('loses against a more exact or nearer override, as any override does', async () => {
    const { set, received, call, devices } = await fleet('Exact', ['linux']);
    await set();
    const nearer = {
      match: { entity_id: CLAUDE_CODE.linux.entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'device', device_id: devices.linux.device_id },
    };
    const preview = await call('POST', '/overrides/preview', { body: nearer });
    expect(preview.body.overruled.items).toEqual([]);
    expect((await call('POST', '/overrides', { body: nearer })).status).toBe(201);
    // Both reach the device, whose order of precedence takes the nearer scope.
    expect((await received('linux')).sort()).toEqual(['allow', 'block']);
  });

  it('suspends the approval of a single application that drifts', async () => {
    const { set, tenant, devices, call } = await fleet('Drift', ['linux', 'darwin']);
    const launch = (platform: Platform, hash: string) => ({
      ...CLAUDE_CODE[platform],
      launch_hash: hash,
    });
    await scan(tenant, devices.linux, [launch('linux', HASH.first)]);
    await scan(tenant, devices.darwin, [launch('darwin', HASH.first)]);
    await set({ approval_status: 'approved', execution_policy: 'allow' });
    await scan(tenant, devices.linux, [launch('linux', HASH.second)]);
    const statusOf = async (platform: Platform) =>
      (await call('GET', `/discovered-apps/${CLAUDE_CODE[platform].entity_id}`)).body.application
        .approval_status;
    expect(await statusOf('linux')).toBe('pending');
    expect(await statusOf('darwin')).toBe('approved');
    const [row] = (await call('GET', '/products?drifted=true')).body.items;
    expect(row).toMatchObject({ approval_status: 'mixed', statuses: { pending: 1, approved: 1 } });
    expect(row.drifted_at).not.toBeNull();
  });

  it('takes the launch of an arriving application as approved, and later changes as drift', async () => {
    const { set, tenant, devices, call } = await fleet('Arriving launch', ['linux']);
    await set({ approval_status: 'approved', execution_policy: 'allow' });
    const launched = (hash: string) => ({ ...CLAUDE_CODE.darwin, launch_hash: hash });
    const path = `/discovered-apps/${CLAUDE_CODE.darwin.entity_id}`;
    const status = async () => (await call('GET', path)).body.application.approval_status;
    await scan(tenant, devices.darwin, [launched(HASH.first)]);
    expect(await status()).toBe('approved');
    await scan(tenant, devices.darwin, [launched(HASH.second)]);
    expect(await status()).toBe('pending');
  });

  it('changes and removes all its overrides together, under a single ETag', async () => {
    const { set, received, call, tenant } = await fleet('Together', ['linux', 'darwin']);
    const policy = await set({ reason: 'Not licensed' });
    const path = `/product-policies/${policy.policy_id}`;
    const body = { approval_status: 'restricted', execution_policy: 'warn' };
    const changed = await call('PATCH', path, { body, ifMatch: policy.version });
    expect(changed.body.policy).toMatchObject({ ...body, reason: 'Not licensed' });
    expect(await received('linux')).toEqual(['warn']);
    expect(await received('darwin')).toEqual(['warn']);
    const { version } = changed.body.policy;
    expect((await call('DELETE', path, { ifMatch: policy.version })).status).toBe(412);
    expect((await call('DELETE', path, { ifMatch: version })).status).toBe(200);
    expect(await received('linux')).toEqual([]);
    expect(await received('darwin')).toEqual([]);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('GET', '/product-policies')).body.items).toEqual([]);
    const [event] = await auditOf(tenant, 'product_policy.delete');
    expect(event?.detail).toMatchObject({
      product: { product_name: 'Claude Code', platform: null },
    });
    expect((await call('GET', '/products')).body.items[0].approval_status).toBe('pending');
  });

  it('keeps a single override of it from being changed', async () => {
    const { set, call } = await fleet('Owned', ['linux']);
    await set();
    const [override] = (await call('GET', '/overrides')).body.items;
    const path = `/overrides/${override.override_id}`;
    const options = { body: { reason: 'other' }, ifMatch: override.version };
    const answer = await call('PATCH', path, options);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'product_policy' } } });
    expect((await call('DELETE', path, { ifMatch: override.version })).status).toBe(409);
  });

  it('answers a repeated creation with the first policy, and refuses a second policy of its kind', async () => {
    const { set, call, input } = await fleet('Once', ['linux']);
    const policyId = randomUUID();
    const policy = await set({ policy_id: policyId });
    expect(await set({ policy_id: policyId })).toEqual(policy);
    const different = input({ policy_id: policyId, execution_policy: 'warn' });
    const conflict = await call('POST', '/product-policies', { body: different });
    expect(conflict).toMatchObject({ status: 409, body: { error: { code: 'already_exists' } } });
    expect((await call('POST', '/product-policies', { body: input() })).status).toBe(409);
    expect((await call('GET', '/overrides')).body.items).toHaveLength(1);
    await set({ scope: { kind: 'subscriber', subscriber_id: 'bob' } });
  });

  it('counts each device and user once in its preview', async () => {
    const { call, input, tenant, devices } = await fleet('Preview', ['linux', 'darwin']);
    const cli = sighting('linux', 'ai_tool', 'ai_cli', 'Claude Code', {
      details: { binary: 'claude' },
    });
    await scan(tenant, devices.linux, [CLAUDE_CODE.linux, cli]);
    await groupProducts(hub.context.database.db);
    await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/running-processes', {
      body: {
        device: devices.linux,
        processes: [
          aRunningProcess('claude', { entity_ids: [CLAUDE_CODE.linux.entity_id, cli.entity_id] }),
        ],
      },
    });
    const all = await call('POST', '/product-policies/preview', { body: input() });
    expect(all.body).toMatchObject({
      devices: { count: 2 },
      people: { count: 1 },
      breadth: 'program',
      standing: { count: 0 },
    });
    expect(all.body.entity_ids).toHaveLength(3);
    expect(all.body.processes).toMatchObject({ count: 1, ended: 1 });
    const body = input({ platform: 'darwin' });
    const ofMac = await call('POST', '/product-policies/preview', { body });
    expect(ofMac.body).toMatchObject({ devices: { count: 1 }, processes: { count: 0 } });
    const ofWindows = await call('POST', '/product-policies/preview', {
      body: input({ platform: 'win32' }),
    });
    expect(ofWindows.body).toMatchObject({ devices: { count: 0 }, entity_ids: [] });
  });

  it('previews several products together, with each device, user and process once', async () => {
    const { call, product, tenant, devices } = await fleet('Previews', ['linux', 'darwin']);
    const curl = anEntity('curl');
    await scan(tenant, devices.linux, [CLAUDE_CODE.linux, curl]);
    await groupProducts(hub.context.database.db);
    await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/running-processes', {
      body: {
        device: devices.linux,
        processes: [
          aRunningProcess('claude', { entity_ids: [CLAUDE_CODE.linux.entity_id] }),
          aRunningProcess('curl', { entity_ids: [curl.entity_id] }),
        ],
      },
    });
    const { items } = (await call('GET', '/products')).body;
    const product_ids = items.map((item: { product_id: string }) => item.product_id);
    expect(product_ids).toHaveLength(2);
    const path = '/product-policies/bulk/preview';
    const all = await call('POST', path, { body: { ...DECISION, product_ids } });
    expect(all.body).toMatchObject({
      devices: { count: 2 },
      people: { count: 1 },
      processes: { count: 2, ended: 2 },
    });
    expect(all.body.entity_ids).toHaveLength(3);
    const unknown = { ...DECISION, product_ids: [product.product_id, '0'.repeat(64)] };
    expect((await call('POST', path, { body: unknown })).status).toBe(404);
    expect((await call('POST', path, { body: { ...DECISION, product_ids: [] } })).status).toBe(400);
  });

  it('previews a policy in the place of the policy that the product has', async () => {
    const { call, set, input } = await fleet('Replaces', ['linux']);
    await set();
    const body = input({ approval_status: 'approved', execution_policy: 'allow' });
    const preview = await call('POST', '/product-policies/preview', { body });
    expect(preview.body).toMatchObject({ devices: { count: 1 }, overruled: { count: 0 } });
    expect(preview.body.standing.count).toBe(0);
  });

  it('covers an application of a platform that no device had when it was set', async () => {
    const { set, received, tenant, devices } = await fleet('Ahead', ['linux']);
    expect((await set({ platform: 'win32' })).entity_ids).toEqual([]);
    await scan(tenant, devices.win32, [CLAUDE_CODE.win32]);
    expect(await received('win32')).toEqual(['block']);
    expect(await received('linux')).toEqual([]);
  });
});

describe('writing product policies', () => {
  it('lets a second administrator know of the first: 412', async () => {
    const { set, call } = await fleet('Two administrators', ['linux', 'darwin']);
    const policy = await set();
    const path = `/product-policies/${policy.policy_id}`;
    const answers = await Promise.all(
      ['warn', 'monitor'].map((execution_policy) =>
        call('PATCH', path, { body: { execution_policy }, ifMatch: policy.version }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
    expect((await call('PATCH', path, { body: { reason: 'x' } })).status).toBe(428);
    const { body } = await call('GET', '/overrides');
    const policies = body.items.map((item: { execution_policy: string }) => item.execution_policy);
    expect(new Set(policies).size).toBe(1);
  });

  it('covers applications that arrive while the policy changes, without a deadlock', async () => {
    const { set, call, tenant } = await fleet('Busy', ['linux']);
    let { version, policy_id: id } = await set();
    const arrivals = Array.from({ length: 12 }, (_, i) => ({
      ...CLAUDE_CODE.linux,
      entity_id: entityId('linux', 'package', 'npm', `copy ${i}`),
    }));
    const changes = async () => {
      for (const execution_policy of ['warn', 'monitor', 'block', 'warn']) {
        const options = { body: { execution_policy }, ifMatch: version };
        const answer = await call('PATCH', `/product-policies/${id}`, options);
        expect(answer.status).toBe(200);
        version = answer.body.policy.version;
      }
    };
    const scans = arrivals.map((entity) => scan(tenant, aDevice(), [entity, CLAUDE_CODE.linux]));
    await Promise.all([changes(), ...scans]);
    await groupProducts(hub.context.database.db);
    await coverMissedApplications(hub.context.database.db);
    const { body } = await call('GET', '/overrides?limit=200');
    const policies = body.items.map((item: { execution_policy: string }) => item.execution_policy);
    expect(policies).toEqual(Array(arrivals.length + 1).fill('warn'));
  });

  it('refuses a decision based on an outdated preview', async () => {
    const { call, input } = await fleet('Outdated', ['linux']);
    const { body } = await call('POST', '/product-policies/preview', { body: input() });
    const single = { ...DECISION, match: { entity_id: CLAUDE_CODE.linux.entity_id } };
    expect((await call('POST', '/overrides', { body: single })).status).toBe(201);
    const late = input({ as_of_revision: body.as_of_revision });
    expect((await call('POST', '/product-policies', { body: late })).status).toBe(412);
    expect((await call('GET', '/product-policies')).body.items).toEqual([]);
  });

  it('needs a Reviewer, and an own tenant', async () => {
    const { set, tenant, input } = await fleet('Roles', ['linux']);
    const policy = await set();
    const path = `/product-policies/${policy.policy_id}`;
    const token = await hub.tokenFor('Viewer', tenant.tenantId);
    const viewer = { tenantId: tenant.tenantId, token };
    expect((await hub.console('GET', path, viewer)).status).toBe(200);
    const calls: [string, string, unknown][] = [
      ['POST', '/product-policies', input()],
      ['POST', '/product-policies/preview', input()],
      ['POST', '/product-policies/bulk/preview', { ...DECISION, product_ids: [policy.product_id] }],
      ['PATCH', path, { reason: 'x' }],
      ['DELETE', path, undefined],
    ];
    const headers = { 'if-match': policy.version };
    const stranger = await hub.newTenant('Stranger');
    const foreign = { tenantId: stranger.tenantId, token: stranger.adminToken };
    for (const [method, to, body] of calls) {
      const sent = body === undefined ? { headers } : { headers, body };
      expect((await hub.console(method, to, { ...viewer, ...sent })).status).toBe(403);
      expect((await hub.console(method, to, { ...foreign, ...sent })).status).toBe(404);
    }
  });

  it('keeps a device group while a policy is for it', async () => {
    const { set, call } = await fleet('Group', ['linux']);
    const group = (await call('POST', '/device-groups', { body: { name: 'Laptops' } })).body.group;
    await set({ platform: 'win32', scope: { kind: 'group', group_id: group.group_id } });
    const path = `/device-groups/${group.group_id}`;
    const answer = await call('DELETE', path, { ifMatch: group.version });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'group_in_use' } } });
  });

  it('ends with the user whom it was for', async () => {
    const { set, call, tenant } = await fleet('Erased', ['linux']);
    await set({ scope: { kind: 'subscriber', subscriber_id: 'alice' } });
    const answer = await call('POST', '/people/alice/erase');
    expect(answer.status).toBe(200);
    await coverMissedApplications(hub.context.database.db);
    expect((await call('GET', '/product-policies')).body.items).toEqual([]);
    expect((await call('GET', '/overrides')).body.items).toEqual([]);
    const { rows } = await sql<{ scope_id: string }>`
      SELECT scope_id FROM product_policies WHERE tenant_id = ${tenant.tenantId}`.execute(
      hub.context.database.db,
    );
    expect(rows.map((policy) => policy.scope_id)).not.toContain('alice');
  });
});

async function auditOf(tenant: Tenant, operation: string) {
  const { rows } = await sql<{
    actor: { kind: string; id: string };
    detail: Record<string, unknown>;
  }>`
    SELECT actor, detail FROM audit_events
    WHERE tenant_id = ${tenant.tenantId} AND operation = ${operation} ORDER BY at DESC`.execute(
    hub.context.database.db,
  );
  return rows;
}
