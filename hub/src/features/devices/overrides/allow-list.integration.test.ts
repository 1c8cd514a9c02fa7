// An allow-list blocks every MCP server by default and approves individual servers; devices decide as the preview
// predicted.
import { decide } from '@gatewarden/shared/policy.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { follower } from '../../../../../test/support/follower.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

const server = (name: string): WireEntity =>
  anEntity(name, { kind: 'mcp_server', publisher: 'Acme' });
const [wanted, other] = [server('files'), server('shell')];

const call = (tenant: Tenant, method: string, path: string, body: object) =>
  hub.console(method, path, { tenantId: tenant.tenantId, token: tenant.adminToken, body });
const approval = (match: object) => ({
  match,
  approval_status: 'approved',
  execution_policy: 'allow',
  scope: { kind: 'tenant' },
});

async function blockedByDefault() {
  const tenant = await hub.newTenant('Allow-list');
  const as = { ...hub, ...tenant };
  const device = aDevice();
  const post = (path: string, body: object) =>
    deviceCall(as, 'POST', `/ea/v1/sync/${path}`, { body });
  await post('discovered-apps', aBatch(device, [wanted, other]));
  const processes = [wanted, other].map(({ entity_id: id, name }) =>
    aRunningProcess(name, { entity_ids: [id] }),
  );
  await post('running-processes', { device, processes });
  const policies = [{ kind: 'mcp_server', execution_policy: 'block' }];
  expect((await call(tenant, 'PUT', '/default-policies', { policies })).status).toBe(200);
  const agent = follower(as, device.device_id);
  /** Returns the policy that the device applies to a server. */
  const done = async ({ entity_id, kind, name, version = null, publisher = null }: WireEntity) => {
    await agent.pull();
    const owner = { entity_id, kind, name, version, publisher };
    const process = { name, application_name: null, publisher, sha256: null, entities: [owner] };
    return decide(device, process, agent.overrides.values(), Date.now()).policy;
  };
  const preview = async (body: object) =>
    (await call(tenant, 'POST', '/overrides/preview', body)).body;
  return { tenant, done, preview };
}

describe('allow-list of MCP servers', () => {
  it.each([
    ['its id', { entity_id: wanted.entity_id }],
    ['its name', { name: 'Files' }],
    ['its publisher and kind', { publisher: 'acme', kind: 'mcp_server' }],
  ])('runs a server that is approved by %s, as the preview predicts', async (_, match) => {
    const { tenant, done, preview } = await blockedByDefault();
    expect([await done(wanted), await done(other)]).toEqual(['block', 'block']);
    const shown = await preview(approval(match));
    expect(shown.overruled).toEqual({ count: 0, items: [] });
    expect(shown.processes.items).toContainEqual(
      expect.objectContaining({ name: 'files', current_policy: 'block', new_policy: 'allow' }),
    );
    await call(tenant, 'POST', '/overrides', approval(match));
    expect(await done(wanted)).toBe('allow');
    expect(await done(other)).toBe('publisher' in match ? 'allow' : 'block');
  });

  it('blocks a server whose approval is no more specific than the default, and the preview warns', async () => {
    const { tenant, done, preview } = await blockedByDefault();
    const shown = await preview(approval({ publisher: 'Acme' }));
    expect(shown.overruled).toMatchObject({
      count: 1,
      items: [{ default_kind: 'mcp_server', execution_policy: 'block', devices: 1 }],
    });
    expect(shown.processes.count).toBe(0);
    await call(tenant, 'POST', '/overrides', approval({ publisher: 'Acme' }));
    expect([await done(wanted), await done(other)]).toEqual(['block', 'block']);
    // Also where nothing of it is on any device yet; but not about another kind.
    const unknown = await preview(approval({ publisher: 'Nobody' }));
    expect(unknown.overruled.items).toMatchObject([{ default_kind: 'mcp_server', devices: 0 }]);
    const elsewhere = await preview(approval({ publisher: 'Acme', kind: 'ai_tool' }));
    expect(elsewhere.overruled.count).toBe(0);
  });

  it('names an override that is nearer or more specific, and never conflicts with itself', async () => {
    const { tenant, preview } = await blockedByDefault();
    const blocked = { ...approval({ entity_id: other.entity_id }), execution_policy: 'block' };
    const stored = (await call(tenant, 'POST', '/overrides', blocked)).body.override;
    const broad = await preview(approval({ name: 'shell' }));
    expect(broad.overruled.items).toMatchObject([
      {
        override_id: stored.override_id,
        default_kind: null,
        execution_policy: 'block',
        devices: 1,
      },
    ]);
    const changed = approval({ entity_id: other.entity_id });
    expect((await preview(changed)).overruled.count).toBe(1);
    const again = await preview({ ...changed, replaces: stored.override_id });
    expect(again.overruled.count).toBe(0);
    expect(again.processes.items).toMatchObject([{ current_policy: 'block', new_policy: 'allow' }]);
  });
});
