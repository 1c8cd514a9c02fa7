// Default policies are set together over HTTP, reach devices as overrides, and yield to any other override.
import { decide } from '@gatewarden/shared/policy.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../../../../../test/support/builders.ts';
import {
  type Answer,
  type CallOptions,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
let tenant: Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;
beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  tenant = await hub.newTenant('Defaults');
});
afterAll(() => hub.stop());

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  hub.console(method, path, { tenantId: tenant.tenantId, token: tenant.adminToken, ...options });
const put = (policies: object[], over: object = {}, headers = {}) =>
  call('PUT', '/default-policies', { body: { policies, ...over }, headers });
const MCP = { kind: 'mcp_server', execution_policy: 'block', reason: 'Ask first' };
const SERVER = anEntity('files', { kind: 'mcp_server', source: 'mcp_config' });

async function enrolled() {
  const device = aDevice();
  await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [SERVER]),
  });
  return device;
}

async function delta(deviceId: string, cursor?: string) {
  const { body } = await deviceCall(
    { ...hub, ...tenant },
    'GET',
    `/ea/v1/sync/delta${cursor === undefined ? '' : `?cursor=${cursor}`}`,
    { headers: { 'x-device-id': deviceId } },
  );
  return { overrides: body.overrides as WireOverride[], cursor: body.next_cursor as string };
}

describe('default policies', () => {
  it('returns no default policies at first, then the stored policies with a version', async () => {
    const first = await call('GET', '/default-policies');
    expect([first.body.policies, first.body.version, first.headers.get('etag')]).toEqual([
      [],
      '"1"',
      '"1"',
    ]);
    const set = await put([MCP, { kind: 'application', execution_policy: 'block' }]);
    expect([set.status, set.body.version]).toEqual([200, '"2"']);
    const policies = [
      { kind: 'application', execution_policy: 'block', severity: 'high', reason: null },
      { ...MCP, severity: 'high' },
    ];
    expect(set.body.policies).toEqual(policies);
    expect((await call('GET', '/default-policies')).body).toMatchObject({
      policies,
      version: '"2"',
    });
    const same = await put(policies);
    expect(same.body.version).toBe('"2"');
    const events = await sql<{ detail: { before: object; after: object } }>`
      SELECT detail FROM audit_events
      WHERE tenant_id = ${tenant.tenantId} AND operation = 'default_policies.set'`.execute(
      hub.context.database.db,
    );
    expect(events.rows).toEqual([{ detail: { before: [], after: policies } }]);
  });

  it('delivers default policies as an override per kind, whose changes are revisions', async () => {
    const { device_id: deviceId } = await enrolled();
    await put([MCP]);
    const first = await delta(deviceId);
    expect(first.overrides).toMatchObject([
      {
        match: { kind: 'mcp_server' },
        scope_kind: 'tenant',
        execution_policy: 'block',
        deleted: false,
      },
    ]);
    const id = first.overrides[0]?.override_id;
    await put([{ ...MCP, execution_policy: 'warn' }]);
    const second = await delta(deviceId, first.cursor);
    expect(second.overrides).toMatchObject([{ override_id: id, execution_policy: 'warn' }]);
    await put([]);
    const third = await delta(deviceId, second.cursor);
    expect(third.overrides).toMatchObject([{ override_id: id, deleted: true }]);
    await put([MCP]);
    expect((await delta(deviceId, third.cursor)).overrides).toMatchObject([
      { override_id: id, deleted: false, execution_policy: 'block' },
    ]);
    expect((await delta(deviceId)).overrides).toHaveLength(1);
  });

  it('lets the approval of a single product win over a default policy', async () => {
    const { device_id: deviceId } = await enrolled();
    await put([MCP]);
    await call('POST', '/overrides', {
      body: {
        match: { entity_id: SERVER.entity_id },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
      },
    });
    const { overrides } = await delta(deviceId);
    const decided = (entityId: string) =>
      decide(
        { platform: 'linux' },
        {
          name: 'node',
          application_name: null,
          publisher: null,
          sha256: null,
          entities: [
            { entity_id: entityId, kind: 'mcp_server', name: 'x', version: null, publisher: null },
          ],
        },
        overrides,
        Date.now(),
      ).policy;
    expect([decided(SERVER.entity_id), decided('f'.repeat(64))]).toEqual(['allow', 'block']);
  });

  it('rejects a stale version of default policies when a version is sent', async () => {
    await put([MCP]);
    for (const attempt of [
      await put([], { version: '"1"' }),
      await put([], {}, { 'if-match': '"1"' }),
    ]) {
      expect(attempt.status).toBe(412);
    }
    expect((await put([], {}, { 'if-match': 'x' })).status).toBe(400);
    const many = await Promise.all(
      ['allow', 'monitor', 'warn'].map((execution_policy) =>
        put([{ ...MCP, execution_policy }], { version: '"2"' }),
      ),
    );
    expect(many.map((item) => item.status).sort()).toEqual([200, 412, 412]);
  });

  it('rejects with a pointer default policies that agents would not enforce', async () => {
    const cases: [object[], string][] = [
      [[{ kind: 'package', execution_policy: 'block' }], '/policies/0/execution_policy'],
      [[MCP, { kind: 'package', execution_policy: 'quarantine' }], '/policies/1/execution_policy'],
      [[MCP, MCP], '/policies/1/kind'],
      [[{ kind: 'planet', execution_policy: 'warn' }], '/policies/0/kind'],
      [[{ kind: 'ai_tool' }], '/policies/0/execution_policy'],
    ];
    for (const [policies, pointer] of cases) {
      for (const method of ['PUT', 'POST'] as const) {
        const path = `/default-policies${method === 'POST' ? '/preview' : ''}`;
        const answer = await call(method, path, { body: { policies } });
        expect([answer.status, answer.body.error.message]).toEqual([
          400,
          expect.stringContaining(pointer),
        ]);
      }
    }
    expect((await put([{ kind: 'package', execution_policy: 'warn' }])).status).toBe(200);
  });

  it('changes default policies only through their own route', async () => {
    await put([MCP]);
    const { items } = (await call('GET', '/overrides')).body;
    expect(items).toMatchObject([{ default_kind: 'mcp_server', version: '"1"' }]);
    const path = `/overrides/${items[0].override_id}`;
    const headers = { 'if-match': '"1"' };
    for (const answer of [
      await call('PATCH', path, { headers, body: { execution_policy: 'allow' } }),
      await call('DELETE', path, { headers }),
      await call('POST', `${path}/rollout`, { body: { rings: [{ percent: 1, minutes: 1 }] } }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'default_policy']);
    }
  });

  it('lets administrators write and viewers read default policies, within a tenant', async () => {
    await put([MCP]);
    for (const role of ['Viewer', 'Reviewer'] as const) {
      const token = await hub.tokenFor(role, tenant.tenantId);
      expect((await call('GET', '/default-policies', { token })).status).toBe(200);
      for (const [method, path] of [
        ['PUT', ''],
        ['POST', '/preview'],
      ] as const) {
        const options = { token, body: { policies: [] } };
        expect((await call(method, `/default-policies${path}`, options)).status).toBe(403);
      }
    }
    expect((await hub.console('GET', '/default-policies')).body.policies).toEqual([]);
  });

  it('previews the blocked starts of the last 14 days for default policies', async () => {
    const device = await enrolled();
    const report = (name: string, events: number) =>
      deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/activity', {
        body: {
          device,
          events: Array.from({ length: events }, () =>
            anActivity({
              process: { name, executable_path: `/opt/${name}`, pid: 7, started_at: null },
              entity_id: SERVER.entity_id,
              application_name: 'Files',
              decision: 'monitor',
            }),
          ),
        },
      });
    await report('files', 3);
    await report('Files', 1);
    const preview = async (execution_policy: string) =>
      (
        await call('POST', '/default-policies/preview', {
          body: { policies: [{ ...MCP, execution_policy }] },
        })
      ).body.previews[0];
    expect(await preview('block')).toMatchObject({
      kind: 'mcp_server',
      breadth: 'program',
      devices: { count: 1 },
      groups: { count: 0, items: [] },
      activity: {
        count: 4,
        devices: 1,
        items: [{ application_name: 'Files', count: 4, devices: 1 }],
      },
    });
    expect((await preview('warn')).activity).toMatchObject({ count: 0, devices: 0, items: [] });
    await put([MCP]);
    // An existing block is not counted as newly blocked.
    const again = await preview('quarantine');
    expect(again.processes.items[0]).toMatchObject({
      current_policy: 'block',
      new_policy: 'quarantine',
    });
    expect(again.activity.count).toBe(0);
    expect((await preview('allow')).processes.items[0]).toMatchObject({ new_policy: 'allow' });
  });
});
