// Staged rollouts run over HTTP and in a job: whom they reach, when they stop, and each step once.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
} from '../../../../../test/support/builders.ts';
import {
  type Answer,
  type CallOptions,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';
import { rolloutAdmits } from '../sync/snapshot.ts';
import { advanceRollouts } from './advance-rollouts.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const db = () => hub.context.database.db;
const RINGS = [
  { percent: 30, minutes: 60 },
  { percent: 100, minutes: 60 },
];

async function anOverride(over: object = {}): Promise<Answer['body']> {
  const answer = await hub.console('POST', '/overrides', {
    body: {
      match: { name: `demo ${randomUUID()}` },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'tenant' },
      rollout_percent: 0,
      ...over,
    },
  });
  expect(answer.status).toBe(201);
  return answer.body.override;
}

const rollOut = (id: string, body: object = { rings: RINGS }, options: CallOptions = {}) =>
  hub.console('POST', `/overrides/${id}/rollout`, { body, ...options });
const act = (id: string, what: string, options: CallOptions = {}) =>
  hub.console('POST', `/overrides/${id}/rollout/${what}`, options);
const shown = async (id: string) => (await hub.console('GET', `/overrides/${id}`)).body.override;

/** So long ago it began: what a test moves instead of waiting. */
async function ago(id: string, minutes: number): Promise<void> {
  const earlier = (column: string) => shiftTime(column, `-${minutes} minutes`);
  await sql`
    UPDATE override_rollouts SET ring_started_at = ${earlier('ring_started_at')},
      watched_since = ${earlier('watched_since')}, reachable_since = ${earlier('reachable_since')}
    WHERE override_id = ${id}`.execute(db());
}

async function audited(id: string): Promise<{ operation: string; actor: { kind: string } }[]> {
  const found = await sql<{ operation: string; actor: { kind: string } }>`
    SELECT operation, actor FROM audit_events WHERE resource ->> 'id' = ${id}
      AND operation LIKE 'override.rollout%' ORDER BY at`.execute(db());
  return found.rows;
}

async function enrolled(): Promise<ReturnType<typeof aDevice>> {
  const device = aDevice();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device;
}

const holds = async (deviceId: string, overrideId: string): Promise<boolean> => {
  const { body } = await deviceCall(hub, 'GET', '/ea/v1/sync/delta?limit=500', {
    headers: { 'x-device-id': deviceId },
  });
  return body.overrides.some(
    (override: { override_id: string }) => override.override_id === overrideId,
  );
};

describe('rollout', () => {
  it('reaches devices ring by ring, each step once over many hubs', async () => {
    const { override_id: id } = await anOverride();
    const devices = await Promise.all(Array.from({ length: 6 }, enrolled));
    const early = devices.filter((device) => rolloutAdmits(id, device.device_id, 30));
    const answer = await rollOut(id);
    expect(answer.status).toBe(201);
    expect(answer.body.override).toMatchObject({
      rollout_percent: 30,
      version: '"2"',
      rollout: { state: 'running', ring: 0, started_by: 'admin@example.com' },
    });
    for (const device of devices) {
      expect(await holds(device.device_id, id)).toBe(early.includes(device));
    }
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.ring).toBe(0);

    await ago(id, 61);
    await Promise.all(Array.from({ length: 8 }, () => advanceRollouts(db(), new Date())));
    expect(await shown(id)).toMatchObject({
      rollout_percent: 100,
      version: '"3"',
      updated_by: 'Gatewarden',
      rollout: { state: 'running', ring: 1, updated_by: 'Gatewarden' },
    });
    await expect
      .poll(() => Promise.all(devices.map((device) => holds(device.device_id, id))))
      .toEqual(devices.map(() => true));

    await ago(id, 61);
    await Promise.all(Array.from({ length: 8 }, () => advanceRollouts(db(), new Date())));
    expect((await shown(id)).rollout).toMatchObject({ state: 'done', next_step_at: null });
    expect(await audited(id)).toMatchObject([
      { operation: 'override.rollout_start', actor: { kind: 'admin_token' } },
      { operation: 'override.rollout_advance', actor: { kind: 'hub' } },
      { operation: 'override.rollout_finish', actor: { kind: 'hub' } },
    ]);
  });

  it("advances in the hub's own job", async () => {
    const { override_id: id } = await anOverride();
    await rollOut(id);
    await ago(id, 61);
    const second = await startTestHub(hub.config);
    try {
      // A hub that starts looks at once.
      await expect.poll(async () => (await shown(id)).rollout.ring, { timeout: 30_000 }).toBe(1);
    } finally {
      await second.stop();
    }
  });

  it('stops at too many blocks, and continues on request', async () => {
    const { override_id: id } = await anOverride();
    await rollOut(id, { rings: RINGS, limits: { max_blocks_per_hour: 1 } });
    const device = await enrolled();
    const report = (decision: 'block' | 'quarantine' | 'monitor') =>
      deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
        body: { device, events: [anActivity({ override_id: id, decision })] },
      });
    await report('block');
    await report('monitor');
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.state).toBe('running');
    await report('quarantine');
    await ago(id, 61);
    await advanceRollouts(db(), new Date());
    expect(await shown(id)).toMatchObject({
      rollout_percent: 30,
      rollout: { state: 'stopped', stopped_reason: '2 blocks in the last hour (limit: 1)' },
    });
    expect((await audited(id)).at(-1)).toMatchObject({
      operation: 'override.rollout_stop',
      actor: { kind: 'hub' },
    });
    const resumed = await act(id, 'resume');
    expect(resumed.body.override.rollout).toMatchObject({ state: 'running', stopped_reason: null });
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.state).toBe('running');
  });

  it('counts terminations and terminations that a breaker prevented as blocks', async () => {
    const { override_id: id } = await anOverride();
    await rollOut(id, { rings: RINGS, limits: { max_blocks_per_hour: 2 } });
    const [device, watching] = [await enrolled(), await enrolled()];
    const report = (by: typeof device, ...events: { enforced: boolean; outcome: string }[]) =>
      deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
        body: {
          device: by,
          events: events.map((event) => anActivity({ override_id: id, ...event })),
        },
      });
    const left = (outcome: string) => ({ enforced: false, outcome });
    await report(device, left('refused'), left('failed'), left('gone'), left('reported'));
    await report(watching, left('reported'), left('reported'), left('reported'));
    await report(device, { enforced: true, outcome: 'terminated' });
    await report(device, { enforced: true, outcome: 'quarantined' });
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.state).toBe('running');
    const opened = anAlert({ action: 'agent', code: 'breaker_open', severity: 'critical' });
    await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts: [opened] } });
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout).toMatchObject({
      state: 'stopped',
      stopped_reason: '3 blocks in the last hour (limit: 2)',
    });
  });

  it('stops when devices are lost', async () => {
    // When devices were seen is written up to half a minute later: no other test's may be.
    const shared = hub;
    hub = await startTestHub();
    onTestFinished(async () => {
      await hub.stop();
      hub = shared;
    });
    const { override_id: id } = await anOverride();
    const device = await enrolled();
    await rollOut(id, {
      rings: [{ percent: 100, minutes: 600 }],
      limits: { max_lost_devices_percent: 0 },
    });
    await ago(id, 40);
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.state).toBe('running');
    await sql`
      UPDATE devices SET last_seen_at = now() - interval '30 minutes'
      WHERE tenant_id = ${hub.tenantId} AND device_id = ${device.device_id}`.execute(db());
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout).toMatchObject({
      state: 'stopped',
      stopped_reason: '1 of 1 devices went offline (limit: 0%)',
    });
  });

  it('pauses, resumes and reverts, and then reaches no device', async () => {
    const { override_id: id } = await anOverride();
    const device = await enrolled();
    await rollOut(id, { rings: [{ percent: 100, minutes: 60 }] });
    expect(await holds(device.device_id, id)).toBe(true);
    expect((await act(id, 'pause')).body.override.rollout.state).toBe('paused');
    await ago(id, 61);
    await advanceRollouts(db(), new Date());
    expect((await shown(id)).rollout.state).toBe('paused');
    const again = await act(id, 'pause');
    expect([again.status, again.body.error.code]).toEqual([409, 'rollout_conflict']);
    await act(id, 'resume');
    const reverted = await act(id, 'revert');
    expect(reverted.body.override).toMatchObject({
      rollout_percent: 0,
      rollout: { state: 'reverted' },
    });
    expect(await holds(device.device_id, id)).toBe(false);
    expect((await act(id, 'resume')).status).toBe(409);
    // And may be tried again.
    expect((await rollOut(id)).status).toBe(201);
    expect((await hub.console('GET', '/overrides')).body.items).toContainEqual(
      expect.objectContaining({
        override_id: id,
        rollout: expect.objectContaining({ state: 'running' }),
      }),
    );
  });

  it('rejects a second rollout, and a manual percentage meanwhile', async () => {
    const { override_id: id } = await anOverride();
    const both = await Promise.all([rollOut(id), rollOut(id)]);
    expect(both.map((item) => item.status).sort()).toEqual([201, 409]);
    const patch = (body: object) =>
      hub.console('PATCH', `/overrides/${id}`, { headers: { 'if-match': '"2"' }, body });
    const refused = await patch({ rollout_percent: 100 });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'rollout_conflict']);
    const changed = await patch({ reason: 'why' });
    expect([changed.status, changed.body.override.rollout.state]).toEqual([200, 'running']);
    await hub.console('DELETE', `/overrides/${id}`, { headers: { 'if-match': '"3"' } });
    await ago(id, 61);
    await advanceRollouts(db(), new Date());
    const left = await sql`SELECT 1 FROM override_rollouts WHERE override_id = ${id}`.execute(db());
    expect(left.rows).toEqual([]);
  });

  it('rejects invalid plans, missing permissions and other tenants', async () => {
    const { override_id: id } = await anOverride();
    for (const [body, pointer] of [
      [{ rings: [] }, '/rings'],
      [{ rings: [{ percent: 0, minutes: 1 }] }, '/rings/0/percent'],
      [{ rings: [...RINGS].reverse() }, '/rings/1/percent'],
      [{ rings: RINGS, limits: { max: 1 } }, '/limits/max'],
      [{}, '/rings'],
    ] as const) {
      const answer = await rollOut(id, body);
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining(pointer),
      ]);
    }
    const viewer = await hub.tokenFor('Viewer');
    expect((await rollOut(id, { rings: RINGS }, { token: viewer })).status).toBe(403);
    const other = await hub.newTenant('Other');
    const there = { tenantId: other.tenantId, token: other.adminToken };
    expect((await rollOut(id, { rings: RINGS }, there)).status).toBe(404);
    for (const what of ['pause', 'resume', 'revert']) {
      expect((await act(id, what)).status).toBe(409);
      expect((await act(id, what, { token: viewer })).status).toBe(403);
      expect((await act(id, what, there)).status).toBe(404);
      expect((await act(randomUUID(), what)).status).toBe(404);
    }
    const reviewer = await hub.tokenFor('Reviewer');
    expect((await rollOut(id, { rings: RINGS }, { token: reviewer })).status).toBe(201);
  });
});
