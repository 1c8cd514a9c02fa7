// The preview shows the effect of an override before anything is stored.
import { randomUUID } from 'node:crypto';
import { processId } from '@gatewarden/shared/identity.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anEntity,
  anUnknownProcess,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { EMPTY_SNAPSHOT } from '../sync/snapshot.ts';
import { previewOverride } from './preview.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;

const input = (over: object = {}) => ({
  match: { name: 'demo' },
  approval_status: 'blocked',
  execution_policy: 'block',
  reason: 'not licensed',
  scope: { kind: 'tenant' },
  ...over,
});

async function enrolled(as: Tenant) {
  const device = aDevice();
  await deviceCall({ ...hub, ...as }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device;
}

describe('preview', () => {
  it('names devices, users and processes before anything is stored', async () => {
    const tenant = await hub.newTenant('Preview');
    const as = { ...hub, ...tenant };
    const device = await enrolled(tenant);
    await deviceCall(as, 'POST', '/ea/v1/sync/unknown-processes', {
      body: { batch_id: randomUUID(), device, processes: [anUnknownProcess('Demo')] },
    });
    await deviceCall(as, 'POST', '/ea/v1/sync/activity', {
      body: {
        device,
        events: [
          anActivity({
            process: { name: 'other', executable_path: null, pid: 7, started_at: null },
          }),
        ],
      },
    });
    const preview = (over: object) =>
      hub.console('POST', '/overrides/preview', {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
        body: input(over),
      });
    const byName = await preview({ match: { name: 'demo' } });
    expect(byName.body).toMatchObject({
      devices: { count: 1, items: [{ device_id: device.device_id }] },
      people: { count: 1, items: [{ subscriber_id: 'alice' }] },
      processes: {
        count: 1,
        items: [{ name: 'Demo', current_policy: 'allow', new_policy: 'block' }],
      },
    });
    const byEntity = await preview({ match: { entity_id: anEntity('curl').entity_id } });
    expect([byEntity.body.devices.count, byEntity.body.processes.count]).toEqual([1, 0]);
    const curl = anEntity('curl').entity_id;
    await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
      body: { device, processes: [aRunningProcess('curl', { entity_ids: [curl] })] },
    });
    // From now on it is known what runs: what ended is no longer counted, what a known product runs is.
    const running = await preview({ match: { entity_id: curl } });
    expect(running.body.processes).toMatchObject({
      count: 1,
      items: [{ name: 'curl', is_running: true, guard_rail: null, new_policy: 'block' }],
    });
    expect((await preview({ match: { name: 'demo' } })).body.processes.count).toBe(0);
    await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
      body: { device, processes: [aRunningProcess('curl', { guard_rail: 'shell' })] },
    });
    // A protection rule would have protected it before, too, although a device refuses only when it is to end a program.
    const before = { name: 'curl', executable_path: '/usr/bin/curl', pid: 9, started_at: null };
    await deviceCall(as, 'POST', '/ea/v1/sync/activity', {
      body: { device, events: [anActivity({ process: before, outcome: 'allowed' })] },
    });
    const railed = await preview({ match: { name: 'curl' } });
    expect(railed.body.activity.count).toBe(0);
    expect(railed.body.processes).toMatchObject({
      ended: 0,
      guarded: 1,
      items: [{ guard_rail: 'shell' }],
    });
    const elsewhere = await preview({ scope: { kind: 'device', device_id: randomUUID() } });
    expect(elsewhere.body.devices.count).toBe(0);
    const listed = await hub.console('GET', '/overrides', {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
    });
    expect(listed.body.items).toEqual([]);
  });
});

describe('preview of a percentage', () => {
  it('names exactly the devices that the rollout then reaches', async () => {
    const tenant = await hub.newTenant('Percentage');
    const devices = Array.from({ length: 30 }, () => aDevice());
    for (const device of devices) {
      await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(device, [anEntity('demo')]),
      });
    }
    const call = (path: string, over: object) =>
      hub.console('POST', path, {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
        body: input({ rollout_percent: 40, ...over }),
      });
    const { body: preview } = await call('/overrides/preview', {});
    const { override_id } = preview;
    const again = await call('/overrides/preview', { override_id });
    expect(again.body.devices).toEqual(preview.devices);
    expect((await call('/overrides', { override_id })).status).toBe(201);
    const reached = [];
    for (const { device_id } of devices) {
      const headers = { 'x-device-id': device_id };
      const delta = await deviceCall({ ...hub, ...tenant }, 'GET', '/ea/v1/sync/delta', {
        headers,
      });
      if (delta.body.overrides.length > 0) reached.push(device_id);
    }
    const named = preview.devices.items.map((item: { device_id: string }) => item.device_id);
    expect(named.sort()).toEqual(reached.sort());
    // The id can be used once, and the id of another override is refused.
    const taken = await call('/overrides', { override_id });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'already_exists']);
    const ruled = `${override_id.slice(0, 14)}8${override_id.slice(15)}`;
    const refused = await call('/overrides', { override_id: ruled });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      '/override_id must be a UUID of version 4 or 7',
    ]);
  });
});

describe('matches of a preview', () => {
  it('finds processes by file hash, and counts files without a known hash', async () => {
    const tenant = await hub.newTenant('Hashes');
    const as = { ...hub, ...tenant };
    const [row, other, silent] = [aDevice(), aDevice(), aDevice()];
    const sha256 = 'a'.repeat(64);
    const report = (device: typeof row, hash: string | null) =>
      deviceCall(as, 'POST', '/ea/v1/sync/unknown-processes', {
        body: {
          batch_id: randomUUID(),
          device,
          processes: [anUnknownProcess('demo', { sha256: hash })],
        },
      });
    await report(row, sha256);
    await report(other, 'b'.repeat(64));
    await report(silent, sha256);
    for (const device of [row, other]) {
      await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
        body: {
          device,
          processes: [
            aRunningProcess('demo', { executable_path: '/opt/demo' }),
            aRunningProcess('unhashed'),
          ],
        },
      });
    }
    const { body } = await hub.console('POST', '/overrides/preview', {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
      body: input({ match: { executable_sha256: sha256 } }),
    });
    expect(body.processes).toMatchObject({ count: 2, at_least: false, unhashed: 2 });
    const devices = body.devices.items.map((found: { device_id: string }) => found.device_id);
    expect(devices.sort()).toEqual([row.device_id, silent.device_id].sort());
  });

  it('counts processes of applications that were removed or never reported', async () => {
    const tenant = await hub.newTenant('Gone since');
    const as = { ...hub, ...tenant };
    const device = aDevice();
    const editor = anEntity('editor', { version: '1.0', kind: 'application' });
    const counted = async (over: object = {}) => {
      const { body } = await hub.console('POST', '/overrides/preview', {
        ...{ tenantId: tenant.tenantId, token: tenant.adminToken },
        body: input({ match: { entity_id: editor.entity_id, ...over } }),
      });
      return [body.activity.count, body.processes.count, body.devices.count];
    };
    const ran = anActivity({ entity_id: editor.entity_id, decision: 'monitor' });
    await deviceCall(as, 'POST', '/ea/v1/sync/activity', { body: { device, events: [ran] } });
    // The program seems to exist: the device reported a verdict about it, and nothing else.
    expect(await counted()).toEqual([1, 1, 1]);
    for (const entity of [editor, { ...editor, removed: true }]) {
      await deviceCall(as, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(device, [entity]),
      });
    }
    expect(await counted()).toEqual([1, 0, 0]);
    expect(await counted({ version_below: '2' })).toEqual([1, 0, 0]);
    expect(await counted({ version_below: '1' })).toEqual([0, 0, 0]);
    const ofKind = await hub.console('POST', '/overrides/preview', {
      ...{ tenantId: tenant.tenantId, token: tenant.adminToken },
      body: input({ match: { kind: 'application' } }),
    });
    expect([ofKind.body.activity.count, ofKind.body.devices.count]).toEqual([1, 0]);
  });

  it('counts processes of a name from that file or application only', async () => {
    const tenant = await hub.newTenant('Two files');
    const as = { ...hub, ...tenant };
    const device = aDevice();
    const hashes = { alpha: 'c'.repeat(64), beta: 'd'.repeat(64) };
    const places = (['alpha', 'beta'] as const).map((application) => ({
      application,
      path: `/opt/${application}/tool`,
      sha256: hashes[application],
    }));
    await deviceCall(as, 'POST', '/ea/v1/sync/unknown-processes', {
      body: {
        batch_id: randomUUID(),
        device,
        processes: places.map(({ path, sha256 }) =>
          anUnknownProcess('tool', {
            process_id: processId('linux', 'tool', path),
            executable_path: path,
            sha256,
          }),
        ),
      },
    });
    const ran = ({ application, path }: (typeof places)[number]) =>
      anActivity({
        process: { name: 'tool', executable_path: path, pid: 7, started_at: null },
        application_name: application,
        decision: 'monitor',
      });
    const [alpha, beta] = places as [(typeof places)[number], (typeof places)[number]];
    await deviceCall(as, 'POST', '/ea/v1/sync/activity', {
      body: { device, events: [ran(alpha), ran(alpha), ran(alpha), ran(beta)] },
    });
    const counted = async (match: object) => {
      const { body } = await hub.console('POST', '/overrides/preview', {
        ...{ tenantId: tenant.tenantId, token: tenant.adminToken },
        body: input({ match }),
      });
      return body.activity.count;
    };
    expect(await counted({ executable_sha256: hashes.alpha })).toBe(3);
    expect(await counted({ executable_sha256: hashes.beta })).toBe(1);
    // What is allowed by name already, of the same name, is not stopped by this.
    await hub.console('POST', '/overrides', {
      ...{ tenantId: tenant.tenantId, token: tenant.adminToken },
      body: input({
        match: { name: 'alpha', platform: 'linux' },
        approval_status: 'approved',
        execution_policy: 'allow',
      }),
    });
    expect(await counted({ name: 'tool' })).toBe(1);
  });

  it('folds names like agents, also where a device names the product otherwise', async () => {
    const tenant = await hub.newTenant('Names');
    const as = { ...hub, ...tenant };
    const entity = anEntity('editor', { name: 'E\u0301diteur ' });
    const [row, other] = [aDevice(), aDevice()];
    await deviceCall(as, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(row, [entity]) });
    await deviceCall(as, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(other, [{ ...entity, name: ' BEARBEITER\u00a0' }]),
    });
    await deviceCall(as, 'POST', '/ea/v1/sync/running-processes', {
      body: {
        device: row,
        processes: [aRunningProcess('ed', { application_name: '\u00c9DITEUR' })],
      },
    });
    const preview = async (name: string) =>
      (
        await hub.console('POST', '/overrides/preview', {
          tenantId: tenant.tenantId,
          token: tenant.adminToken,
          body: input({ match: { name } }),
        })
      ).body;
    const french = await preview('\u00c9diteur');
    expect(french.devices.items).toMatchObject([{ device_id: row.device_id }]);
    expect(french.processes.count).toBe(1);
    const german = await preview('bearbeiter');
    expect(german.devices.items).toMatchObject([{ device_id: other.device_id }]);
  });

  it('finds all processes up to its limit, and reports the limit', async () => {
    const tenant = await hub.newTenant('Much');
    const devices = [aDevice(), aDevice(), aDevice()];
    const processes = Array.from({ length: 700 }, (_, i) =>
      aRunningProcess(`tool-${i}`, { application_name: 'demo' }),
    );
    for (const device of devices) {
      await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/running-processes', {
        body: { device, processes },
      });
    }
    const preview = async (processesMax: number) =>
      (
        await previewOverride(
          {
            db: hub.context.database.db,
            tenantId: tenant.tenantId,
            snapshot: EMPTY_SNAPSHOT,
            mappings: [],
            now: new Date(),
            overrideId: randomUUID(),
            processesMax,
          },
          {
            match: { name: 'demo' },
            approval_status: 'blocked',
            execution_policy: 'block',
            scope: { kind: 'tenant' },
          },
        )
      ).processes;
    // What would be ended is counted among all, too, and not only among those that are named.
    const all = await preview(10_000);
    expect(all).toMatchObject({ count: 2_100, ended: 2_100, at_least: false });
    expect(all.items).toHaveLength(100);
    expect(await preview(2_000)).toMatchObject({ count: 2_000, at_least: true });
  });
});
